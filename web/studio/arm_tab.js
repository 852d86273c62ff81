// The arm: sliders, and what its joints and motors feel where it stands.

import { make, number } from "../making.js";
import { addSliders } from "../sliders.js";
import { showRecipe } from "./recipe.js";

const table = (titles, rows, options = {}) =>
  make("table", options, make("thead", {}, make("tr", {}, ...titles.map((title) => make("th", { scope: "col" }, title)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))))));

export class ArmTab {
  title = "Arm";

  constructor({ line, stage, fail }) {
    Object.assign(this, { line, stage, fail, moving: { qd: [], qdd: [] }, payload: null, state: null });
    this.sliders = make("div", {});
    this.joints = make("div", { class: "wide" });
    this.motors = make("div", { class: "wide" });
    this.matrix = make("div", { class: "wide" });
    this.facts = make("p", { class: "note", role: "status" });
    this.load = make("input", { type: "number", min: 0, step: "any", placeholder: "own", "aria-label": "payload in kg", oninput: () => this.ask() });
    this.element = make("div", {}, this.sliders, make("div", { class: "options" }, make("label", {}, "Payload ", this.load, " kg")),
      this.facts, make("h3", {}, "Joints"), this.joints, make("h3", { id: "motors-title" }, "Motors"), this.motors,
      make("h3", {}, "Mass matrix"), this.matrix);
    this.question = line.latest("state", (answer) => this.#show(answer), fail);
    stage.onPose.add(() => this.ask());
    stage.onOpen.add((view) => {
      this.sliders.replaceChildren();
      addSliders(this.sliders, view);
    });
  }

  opened() {
    const { joints } = this.stage.about;
    const field = (word, k, name) => make("input", { type: "number", step: "any", placeholder: "0", "aria-label": `${word} of ${name}`, oninput: (event) => {
      this.moving[word][k] = +event.target.value || 0;
      this.ask();
    } });
    this.moving = { qd: joints.map(() => 0), qdd: joints.map(() => 0) };
    this.cells = joints.map(() => [make("b", {}), make("span", {})]);
    this.joints.replaceChildren(table(["joint", "torque", "of it gravity", "speed rad/s", "acceleration rad/s\u00b2"],
      joints.map(({ name }, k) => [name, this.cells[k][0], this.cells[k][1], field("qd", k, name), field("qdd", k, name)])));
    this.ask();
  }

  ask() {
    const { stage } = this;
    if (!stage.view || !this.cells) return;
    const payload = this.load.value === "" ? null : +this.load.value;
    this.question({ arm: stage.about.arm, q: stage.free(), ...this.moving, payload });
  }

  #show(state) {
    this.state = state;
    this.fail(null);
    if (state.torque) this.cells.forEach(([torque, gravity], k) => {
      torque.textContent = `${tidy(state.torque[k])} ${this.stage.about.joints[k].unit === "m" ? "N" : "N m"}`;
      gravity.textContent = tidy(state.gravity[k]);
    });
    const motors = this.stage.about.motors, known = state.motor_torque !== null || state.effective_inertia !== null;
    this.motors.hidden = document.getElementById("motors-title").hidden = !known;
    if (known) this.motors.replaceChildren(table(["motor", "torque N m", "of what it gives", "effective inertia kg m\u00b2"],
      motors.map((name, k) => [name, tidy(state.motor_torque?.[k]), percent(state.motor_share?.[k]), number(state.effective_inertia?.[k])])));
    if (state.mass_matrix) this.matrix.replaceChildren(table([], state.mass_matrix.map((row) => row.map(tidy)), { class: "matrix" }));
    this.facts.textContent = [`manipulability ${number(state.manipulability)}`, ...state.unknown].join("; ");
    if (!this.element.hidden) showRecipe(state);
  }
}

/** Rounding errors are no torques. */
const tidy = (value) => number(Math.abs(value) < 1e-9 ? 0 : value);
const percent = (share) => (share == null ? "\u2013" : `${(Math.round(100 * share) + 0).toFixed(0)} %`);
