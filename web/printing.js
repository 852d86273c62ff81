// Paper: light colours, all plots in their places, and the arm in three views.

import { make } from "./making.js";
import { VIEWS } from "./scene.js";
import { themeChanged } from "./theme.js";

const ON_PAPER = ["corner", "front", "side"];

export function preparePrinting({ plots, view, holder }) {
  const root = document.documentElement;
  let pictures = null;
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    themeChanged();
    plots?.drawAll();
    plots?.fitPaper();
    if (!view) return;
    pictures = make("div", { class: "pictures" }, ...ON_PAPER.map((name) => make("figure", {}, view.picture(name, 900, 720), make("figcaption", {}, VIEWS[name].name))));
    holder.parentElement.after(pictures);
    view.fit();
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    themeChanged();
    pictures?.remove();
    plots?.fit();
    view?.fit();
  });
}
