// The arm with what belongs to it on the page: its frame, buttons for views, legend, ghost, marks; where it floats.

import { addLayers } from "./layers.js";
import { origin, place } from "./kinematics.js";
import { standingLoads } from "./loads.js";
import { make } from "./making.js";
import { between } from "./packing.js";
import { ArmView, VIEWS } from "./scene.js";
import { addSliders } from "./sliders.js";
import { Trail } from "./trail.js";

const KEYS = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1], "+": [0, 0, 1.15], "-": [0, 0, 1 / 1.15] };

const APART = 2e-3; // rad or m: a ghost nearer than this would only colour the arm

/** The view in its holder, with its buttons and keys; null where the browser draws no 3-D, which is said there. */
export async function openView(holder, scene, loads = null) {
  const canvas = make("canvas", { tabIndex: 0, role: "img",
    "aria-label": `${scene.name} in three dimensions; drag or use the arrow keys to turn it, plus and minus to come nearer` });
  holder.append(canvas);
  let view;
  try {
    view = await ArmView.of(holder, scene);
  } catch (problem) {
    holder.replaceChildren(make("p", { class: "note" }, `This browser cannot draw the arm in 3-D (${problem.message}).`));
    return null;
  }
  const looks = Object.entries(VIEWS).map(([name, { name: said }]) =>
    make("button", { type: "button", title: `seen ${said}`, "aria-label": `seen ${said}`, onclick: () => view.look(name) }, name));
  holder.append(make("div", { class: "looks", role: "group", "aria-label": "seen from" }, ...looks));
  view.loads = loads ?? standingLoads(view);
  if (scene.links.length) addLayers(view, holder);
  if (scene.notes?.length) {
    const said = scene.notes.length === 1 ? "1 note" : `${scene.notes.length} notes`;
    holder.append(make("details", { class: "noted" }, make("summary", {}, said), make("ul", {}, ...scene.notes.map((note) => make("li", {}, note)))));
  }
  canvas.addEventListener("keydown", (event) => {
    const by = KEYS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    view.orbit(...by);
  });
  return view;
}

/** The arm follows the clock along the first motion, and its ghost along the one it is compared with. */
export function followClock(view, motions, clock, holder) {
  let other = motions.length > 1 ? 1 : 0;
  const show = (t) => {
    view.pose(between(motions[0].time, motions[0].joints, t));
    if (motions.length < 2) return;
    const there = other ? between(motions[other].time, motions[other].joints, t) : view.q;
    view.ghost(there.some((value, k) => Math.abs(value - view.q[k]) > APART) ? there : null);
  };
  clock.listen(show);
  const { tree, scene } = view, { time, joints } = motions[0];
  const places = Array.from({ length: 24 }, (_, k) => tree.poses(between(time, joints, (clock.end * k) / 23)));
  view.keepInSight(places.flatMap((poses) => poses.map((T) => place(scene.base, origin(T)))));
  if (motions.length < 2) return;
  const choice = make("select", { "aria-label": "compared with", onchange: () => {
    other = choice.selectedIndex;
    show(clock.shown);
  } }, make("option", {}, `${motions[0].label} only`), ...motions.slice(1).map(({ label }) => make("option", {}, `with ${label}`)));
  choice.selectedIndex = other;
  holder.append(make("div", { class: "compared" }, make("i", { class: "swatch ghost" }), choice));
}

/** The tool's path with its marks; a click on one says what happened there. */
export function addTrail(view, paths, marks, clock, holder, reveal) {
  const said = make("p", { class: "said", role: "status", hidden: true });
  holder.append(said);
  const onMark = (mark) => {
    clock.pause();
    clock.set(mark.time);
    const where = mark.line == null ? "" : `line ${mark.line}, `;
    said.replaceChildren(make("b", {}, mark.motor), ` ${where}${mark.time.toFixed(2)} s: ${mark.text}`,
      make("button", { type: "button", "aria-label": "close", onclick: () => (said.hidden = true) }, "\u00d7"));
    said.hidden = false;
    if (mark.line != null) reveal(mark.line);
  };
  const trail = new Trail(view, paths, marks, { onMark });
  if (paths.some(({ load }) => load)) {
    const bar = make("i", { class: "loads" });
    holder.append(make("div", { class: "key", title: "tool path, coloured by the load of the motor nearest to its limit" }, "motor load 0", bar, "100 %"));
  }
  return trail;
}

/** Sliders where nothing moves by itself. */
export const addJoints = (holder, view) => view.scene.joints.length && addSliders(holder, view);

/** Once it is scrolled away, the arm floats in a corner, so that plots further down still move it in sight. */
export function floatAway(home, holder) {
  let wanted = true;
  const close = make("button", { type: "button", class: "sink", title: "back to its place", "aria-label": "close the small view", onclick: () => {
    wanted = false;
    holder.classList.remove("afloat");
  } }, "\u00d7");
  holder.append(close);
  new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => {
    holder.classList.toggle("afloat", wanted && !isIntersecting && boundingClientRect.bottom < 0);
  }).observe(home);
}
