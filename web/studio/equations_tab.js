// Equations of the arm, derived and typeset.

import katex from "katex";
import { make } from "../making.js";
import { Job } from "./job.js";
import { save, showRecipe } from "./recipe.js";

const typeset = (text, displayMode) => {
  const place = make(displayMode ? "div" : "span", {});
  katex.render(text, place, { displayMode, throwOnError: false, trust: false, strict: false, maxSize: 20, maxExpand: 1000 });
  return place;
};

/** A sentence with formulas between dollar signs. */
const sentence = (text) => text.split(/(\$[^$]*\$)/).filter(Boolean).map((part) => (part.startsWith("$") ? typeset(part.slice(1, -1), false) : part.replaceAll("\\_", "_")));

export class EquationsTab {
  title = "Equations";

  constructor({ line, stage, fail, start }) {
    Object.assign(this, { line, stage, answer: null });
    const choice = (label, options) => make("select", { "aria-label": label }, ...options.map(([value, title]) => make("option", { value }, title ?? value)));
    this.quantity = choice("quantity", start.quantities.map((name) => [name, name.replaceAll("_", " ")]));
    this.quantity.value = "gravity";
    this.by = choice("formulation", [["", "usual formulation"], ...start.formulations.map((name) => [name])]);
    this.parameters = choice("parameters", [["numeric", "numbers folded in"], ["symbolic", "symbols"], ["base", "base parameters"]]);
    this.effort = choice("effort", [["normal", "seconds"], ["high", "fewest operations (may take minutes)"], ["none", "as traced"]]);
    this.to = choice("print as", [["latex", "formulas"], ["text", "text"], ["c", "C"], ["python", "Python"]]);
    this.job = new Job(line, "Derive", { fail, onAnswer: (answer) => this.#show(answer) });
    this.job.start.addEventListener("click", () => this.derive());
    this.exportJob = new Job(line, "", { fail, onAnswer: save });
    const exports = [["c", "C"], ["tex", "LaTeX"], ["py", "Python"]].map(([to, title]) =>
      make("button", { type: "button", onclick: () => this.exportJob.ask("export", { to, equations: this.asked() }) }, title));
    this.count = make("p", { class: "note", role: "status" });
    this.sheet = make("div", { class: "equations" });
    this.element = make("div", {}, make("div", { class: "options" }, this.quantity, this.by, this.parameters, this.effort, this.to),
      make("div", { class: "options" }, this.job.element, ...exports), this.count, this.sheet);
  }

  opened() {
    this.sheet.replaceChildren();
    this.count.textContent = "";
  }

  asked() {
    return { arm: this.stage.about.arm, quantity: this.quantity.value, by: this.by.value || null, parameters: this.parameters.value, effort: this.effort.value, to: this.to.value };
  }

  derive() {
    return this.job.ask("equations", this.asked());
  }

  #show(answer) {
    this.answer = answer;
    this.count.textContent = `${answer.quantity.replaceAll("_", " ")} of ${answer.robot} by ${answer.by}: ${answer.count}`;
    this.sheet.replaceChildren(...(answer.to === "latex"
      ? answer.blocks.map(({ kind, text }) => (kind === "display" ? typeset(text, true) : make(kind === "heading" ? "h3" : "p", {}, ...sentence(text))))
      : [make("pre", {}, answer.text)]));
    showRecipe(answer);
  }
}
