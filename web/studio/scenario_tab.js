// A scenario: an arm under a law; its gains are sliders, and the response is redrawn while they move.

import uPlot from "uplot";
import { make, number } from "../making.js";
import { color, onTheme, series } from "../theme.js";
import { Editor } from "./editor.js";
import { Job } from "./job.js";
import { save, showRecipe } from "./recipe.js";

const WIDEST = 10; // a slider goes from a tenth of a gain to ten times as much

/** Curves against time that take new numbers at once. */
class Curves {
  constructor(title) {
    this.box = make("div", { class: "curves" });
    this.element = make("div", {}, make("h3", {}, title), this.box);
    onTheme(() => this.shape && this.show(...this.given));
  }

  show(time, rows, dashed, names) {
    this.given = [time, rows, dashed, names];
    const width = Math.max(this.box.clientWidth, 300), shape = `${names} ${dashed?.length} ${series(0)} ${width}`, numbers = [time, ...rows, ...(dashed ?? [])];
    if (shape === this.shape) return this.plot.setData(numbers);
    this.shape = shape;
    this.plot?.destroy();
    const axis = { stroke: color("soft"), grid: { stroke: color("rule"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.plot = new uPlot({
      width, height: 210, legend: { show: false }, scales: { x: { time: false } }, axes: [{ ...axis, size: 26 }, { ...axis, size: 50 }],
      series: [{}, ...rows.map((_, k) => ({ label: names[k], stroke: series(k), width: 1.5, points: { show: false } })),
        ...(dashed ?? []).map((_, k) => ({ label: `${names[k]} wanted`, stroke: series(k), width: 1, dash: [4, 3], points: { show: false } }))],
    }, numbers, this.box);
  }
}

export class ScenarioTab {
  title = "Scenario";

  constructor({ line, stage, fail, start, chooseArm }) {
    Object.assign(this, { line, stage, fail, chooseArm, gains: {}, answer: null, runs: 0 });
    this.editor = new Editor("scenario", { low: true, onRun: () => this.run() });
    this.editor.text = start.scenario ?? "";
    this.law = make("select", { "aria-label": "law" }, ...start.laws.map(({ kind, about }) => make("option", { value: kind, title: about }, kind)));
    const fresh = make("button", { type: "button", onclick: () => this.write() }, "Write a scenario for this arm");
    this.job = new Job(line, "Run", { fail, onAnswer: (answer) => this.#first(answer) });
    this.job.start.addEventListener("click", () => this.run());
    this.exportJob = new Job(line, "", { fail, onAnswer: save });
    const csv = make("button", { type: "button", onclick: () => this.exportJob.ask("export", { to: "csv", scenario: this.#asked() }) }, "CSV");
    this.knobs = make("div", { "aria-label": "gains" });
    this.figures = make("p", { class: "note", role: "status" });
    this.positions = new Curves("Positions, dashed: what is wanted");
    this.torques = new Curves("Torques");
    this.element = make("div", {}, make("div", { class: "options" }, this.law, fresh), this.editor.element,
      make("div", { class: "options" }, this.job.element, csv), this.knobs, this.figures, this.positions.element, this.torques.element);
    this.turn = line.latest("run", (answer) => this.#draw(answer), fail);
  }

  opened() {}

  async write() {
    try {
      const { text } = await this.line.ask("template", { arm: this.stage.about.arm, law: this.law.value });
      this.editor.text = text;
      await this.run();
    } catch (problem) {
      this.fail(problem);
    }
  }

  #asked() {
    return { text: this.editor.text, gains: this.gains };
  }

  run() {
    this.gains = {};
    return this.job.ask("run", this.#asked());
  }

  async #first(answer) {
    this.knobs.replaceChildren(...answer.knobs.map((knob) => this.#knob(knob)));
    if (answer.arm !== this.stage.about.name) await this.chooseArm(answer.arm);
    this.motion = { label: "run", time: answer.time, joints: answer.tree };
    this.clock = await this.stage.play({ motions: [this.motion], end: answer.time.at(-1) });
    this.#draw(answer);
  }

  #knob({ name, unit, values }) {
    const said = make("output", {}), scaled = (by) => JSON.parse(JSON.stringify(values), (_, value) => (typeof value === "number" ? value * by : value));
    const show = (by) => (said.textContent = `\u00d7 ${number(by)}`);
    const slider = make("input", { type: "range", min: -1, max: 1, step: "any", value: 0, "data-gain": name, "aria-label": `${name}, in ${unit}`, oninput: () => {
      const by = WIDEST ** +slider.value;
      show(by);
      this.gains = { ...this.gains, [name]: scaled(by) };
      this.turn(this.#asked());
    } });
    show(1);
    return make("label", { class: "slider", title: unit }, make("span", {}, name), slider, said);
  }

  #draw(answer) {
    this.fail(null);
    this.answer = answer;
    this.runs++;
    const tool = answer.follows === "tool";
    this.positions.show(answer.time, answer.q, tool ? null : answer.target, answer.joints);
    this.torques.show(answer.time, answer.torque, null, answer.motors);
    const { figures } = answer, settled = figures.errors.map(({ settling_time: t }) => (t == null ? "never" : `${number(t)} s`));
    this.figures.textContent = `${figures.integrator}; settles after ${settled.join(", ")}` + (figures.stopped ? `; ended early: ${figures.stopped.text}` : "");
    Object.assign(this.motion, { time: answer.time, joints: answer.tree }); // the arm goes as it goes now
    if (this.clock && this.clock === this.stage.clock) this.clock.set(this.clock.time);
    if (!this.element.hidden) showRecipe(answer);
  }
}
