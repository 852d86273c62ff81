// What does the same without the studio: the command line and the Python of the last answer.

import { make } from "../making.js";

const copied = (name, text) =>
  make("div", {}, make("div", { class: "row" }, make("b", {}, name),
    make("button", { type: "button", onclick: () => navigator.clipboard?.writeText(text) }, "Copy")), make("pre", {}, text));

export function showRecipe({ command, python }) {
  const parts = [command && copied("Terminal", command), python && copied("Python", python)].filter(Boolean);
  if (parts.length) document.getElementById("recipe-body").replaceChildren(...parts);
}

/** Saves a text as a file. */
export function save({ name, type, text }) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
