// A slider for each free joint. An arm with loops follows as far as its loops close, and says so where they do not.

import { closeAlong } from "./closing.js";
import { make, shown } from "./making.js";

const TURN = Math.PI;

export function addSliders(holder, view, onChange = () => {}) {
  const { scene, tree } = view;
  const warning = make("p", { class: "refused", role: "status", hidden: true }, "The loops do not close there: the arm stays where it was.");
  const rows = scene.joints.flatMap((joint, k) => {
    if (!joint.free) return [];
    const { factor, unit, digits } = shown[joint.unit], most = joint.unit === "m" ? scene.size : TURN;
    const output = make("output", {});
    const input = make("input", {
      type: "range", id: `joint-${k}`, min: factor * (joint.lower ?? -most), max: factor * (joint.upper ?? most), step: "any",
      oninput: () => move(k, +input.value / factor),
    });
    const show = (q) => {
      input.value = factor * q[k];
      output.textContent = (factor * q[k]).toFixed(digits).replace(/^-(?=[0.]+$)/, "") + unit; // no minus before nothing
      input.ariaValueText = output.textContent;
    };
    return [{ show, row: make("label", { class: "slider" }, make("span", {}, joint.name), input, output) }];
  });
  const move = (k, value) => {
    const wanted = view.q.map((each, i) => (i === k ? value : each)), q = closeAlong(tree, view.q, wanted);
    warning.hidden = q !== null;
    holder.classList.toggle("open-loop", q === null);
    if (q) view.pose(q);
    else rows.forEach(({ show }) => show(view.q));
    onChange(view.q);
  };
  const home = make("button", { type: "button", onclick: () => view.pose(scene.joints.map((joint) => joint.home)) }, "Home");
  const modes = scene.modes.map((mode) => make("button", { type: "button", onclick: () => view.pose(mode.q) }, mode.name));
  holder.append(...rows.map(({ row }) => row), warning, make("div", { class: "row" }, home, ...modes));
  const refresh = (q) => rows.forEach(({ show }) => show(q));
  view.followers.add(refresh);
  refresh(view.q);
}
