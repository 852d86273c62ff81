// The page: reads its document (see docs/architecture.md, "The page") and brings its parts to life.

import { addBending } from "./bending_panel.js";
import { Clock } from "./clock.js";
import { closeAlong } from "./closing.js";
import { Cloud } from "./cloud.js";
import { Listing } from "./listing.js";
import { movingLoads } from "./loads.js";
import { unpack, unpackAll } from "./packing.js";
import { addPlanes } from "./planes.js";
import { Overlay, Plots } from "./plots.js";
import { preparePrinting } from "./printing.js";
import { addJoints, addTrail, floatAway, followClock, openView } from "./stage.js";
import { addTransport } from "./transport.js";

const errors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));

const at = (id) => document.getElementById(id);

const unpackMotion = async ({ label, time, joints }) => ({ label, time: await unpack(time), joints: await unpackAll(joints) });
const unpackPath = async ({ points, load, ...rest }) => ({ ...rest, points: await unpackAll(points), load: load && (await unpack(load)) });
const unpackCloud = async ({ points, values, ...rest }) => ({ ...rest, points: await unpackAll(points), values: await unpack(values) });
const unpackPlane = async ({ speed, torque, ...rest }) => ({ ...rest, speed: await unpack(speed), torque: await unpack(torque) });

/** Brings a document to life on the page; what it gives is `window.torsor`. */
export async function open(given) {
  const [motions, paths, planes, clouds] = await Promise.all([
    Promise.all((given.motions ?? []).map(unpackMotion)),
    Promise.all((given.paths ?? []).map(unpackPath)),
    Promise.all((given.planes ?? []).map(unpackPlane)),
    Promise.all((given.clouds ?? []).map(unpackCloud)),
  ]);
  const clock = new Clock(given.end ?? motions[0]?.time.at(-1) ?? 0);
  const place = at("stage"), holder = at("arm");
  const loads = given.scene && given.loads && motions.length ? await movingLoads(given.loads, motions[0].time, given.scene) : null;
  if (loads) loads.now = () => clock.shown;
  const view = given.scene && holder ? await openView(holder, given.scene, loads) : null;

  let plots = null;
  if (given.groups?.length) {
    plots = new Plots(given, clock);
    await plots.unpackTime();
    if (at("overlay")) new Overlay(at("overlay"), plots);
    plots.addGroups();
  }
  const listing = document.querySelector(".listing") && new Listing(document.querySelector(".listing"), given.lines ?? [], clock);
  const reveal = (line) => at(`line${line}`) && listing?.reveal(at(`line${line}`));

  // before the arm follows the clock: what it bends by is known when it is posed
  const bends = view && given.bends && at("bends") ? await addBending(at("bends"), view, given.bends, clock, holder) : null;
  if (view && motions.length) {
    followClock(view, motions, clock, holder);
    floatAway(place, holder);
  } else if (view && !bends && at("sliders")) addJoints(at("sliders"), view);
  if (view && paths.length) addTrail(view, paths, given.marks ?? [], clock, holder, reveal);
  const cloud = view && clouds.length && at("cloud") ? new Cloud(view, clouds, holder, at("cloud")) : null;
  if (clock.end > 0 && at("transport") && (plots || motions.length)) addTransport(at("transport"), clock);
  if (planes.length && at("planes")) {
    const count = planes[0].speed.length, times = [motions[0]?.time, plots?.time].find((each) => each?.length === count);
    if (times) addPlanes(at("planes"), planes, times, clock);
  }
  goWhere(clock);
  preparePrinting({ plots, view, holder });
  place?.classList.add("ready");
  if (!view) holder?.remove();

  const setQ = (q) => {
    const closed = closeAlong(view.tree, view.q, q);
    if (closed) view.pose(closed);
    return closed !== null;
  };
  return {
    view, clock, plots, bends, cloud, setQ,
    poses: () => view.poses(),
    q: () => [...view.q],
    time: () => clock.time,
    setTime: (t) => clock.set(t),
    play: () => clock.play(),
    pause: () => clock.pause(),
    settled: plots?.unpackRest(),
  };
}

/** Links with a time go there. */
function goWhere(clock) {
  for (const link of document.querySelectorAll("[data-time]"))
    link.addEventListener("click", () => {
      clock.pause();
      clock.set(+link.dataset.time);
    });
}

const torsor = { errors };
Object.defineProperty(torsor, "frames", { get: () => torsor.view?.frames ?? 0 });
torsor.ready = (async () => {
  const given = at("torsor");
  if (given) Object.assign(torsor, await open(JSON.parse(given.textContent)));
  torsor.opened = performance.now();
})();
torsor.ready.catch((problem) => errors.push(String(problem?.stack ?? problem)));
window.torsor = torsor;
