// Plots that scroll: as many a frame as there is time for, in turn, and only those that are seen.

import uPlot from "uplot";
import { make, number } from "../making.js";
import { backdrop, INKS } from "../plots.js";
import { color, onTheme, series } from "../theme.js";
import { STRIPS } from "./signals.js";

const HEIGHT = 138;
const BUDGET = 6; // ms of a frame ...
const SLOW = 28; // ... and ms from frame to frame, beyond which there is time for one plot only: the arm comes first
const LOOSE = 0.45; // of the range that is shown: a curve that fills less gets a closer one

export class Strips {
  constructor(holder, { history, playhead, flags }) {
    Object.assign(this, { holder, history, playhead, flags, wide: 10, strips: [], turn: 0, spans: [], moves: [], ink: {}, hidden: new Set() });
    this.chips = make("div", { class: "chips", role: "group", "aria-label": "joints" });
    this.grid = make("div", { class: "strips" });
    holder.append(this.chips, this.grid);
    onTheme(() => this.#open());
    new ResizeObserver(() => this.fit()).observe(this.grid);
    this.watcher = new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => (this.strips.find(({ box }) => box === target).seen = isIntersecting)), { rootMargin: "50px" });
  }

  /** What can be plotted of this stream; called again when more is known of it. */
  open(about, frame) {
    Object.assign(this, { about, frame });
    this.hidden.clear();
    this.#open();
  }

  #open() {
    if (!this.about) return;
    for (const name of INKS) this.ink[name] = color(name);
    this.inside = color("fine");
    this.strips.forEach((strip) => strip.plot.destroy());
    this.watcher.disconnect();
    this.grid.replaceChildren();
    this.#addChips();
    this.strips = STRIPS.filter(({ needs }) => !needs || needs(this.about, this.frame)).map((kind) => this.#strip(kind));
    this.drawAll();
  }

  #addChips() {
    const { joints } = this.about, only = joints.length - this.hidden.size === 1;
    const chips = joints.map(({ name }, k) => {
      const swatch = make("i", { class: "swatch" }), on = !this.hidden.has(k);
      swatch.style.background = series(k);
      return make("button", { type: "button", "aria-pressed": String(on), title: only && on ? "show all" : `show only ${name}`, onclick: (event) => this.choose(k, event.shiftKey) }, swatch, name);
    });
    this.chips.replaceChildren(make("span", { class: "hint" }, "Joints"), ...chips,
      make("button", { type: "button", hidden: !this.hidden.size, onclick: () => this.choose(null) }, "all"));
  }

  /** One joint alone, with the shift key one more or one less; null or the only one again: all. */
  choose(k, more = false) {
    const { length } = this.about.joints, alone = this.hidden.size === length - 1 && !this.hidden.has(k);
    if (k === null || (alone && !more)) this.hidden.clear();
    else if (more) {
      if (!this.hidden.delete(k)) this.hidden.add(k);
      if (this.hidden.size === length) this.hidden.clear();
    } else this.hidden = new Set(Array.from({ length }, (_, i) => i).filter((i) => i !== k));
    this.#open();
  }

  #strip(kind) {
    const shown = kind.of(this.about, (k) => !this.hidden.has(k)), limits = shown.limits ?? [null, null];
    const readout = make("small"), box = make("figure", { class: "plot strip", "aria-label": kind.title }, make("h3", { title: kind.note }, kind.title, readout));
    this.grid.append(box);
    const strip = { kind, ...shown, box, readout, range: null, seen: true };
    const axis = (extra) => ({ stroke: () => this.ink.soft, font: "11px system-ui, sans-serif", grid: { stroke: () => this.ink.rule, width: 1 }, ticks: { show: false }, ...extra });
    const looks = shown.curves.map(({ label, ink, pale, edge }) => ({ label, points: { show: false },
      stroke: edge ? () => this.ink.limit : series(ink) + (pale ? "55" : ""), width: edge ? 1 : pale ? 4 : 1.4 }));
    strip.plot = new uPlot({
      width: Math.max(box.clientWidth, 160), height: HEIGHT, legend: { show: false }, pxAlign: 0, padding: [6, 8, 0, 0],
      cursor: { sync: { key: "live" }, y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: (u, a, b) => [a, b] }, y: { range: () => strip.range ?? [0, 1] } },
      axes: [axis({ size: 24, gap: 2, grid: { show: false }, values: (u, at) => at.map((v, k) => (k === at.length - 1 ? `${v} s` : `${v}`)) }), axis({ size: 44, gap: 4, space: 24 })],
      series: [{}, ...looks],
      bands: shown.band ? [{ series: [1, 2], fill: () => this.inside }] : [],
      hooks: { drawClear: [backdrop(this, limits, this.spans)], setCursor: [(u) => this.#read(strip, u.cursor.idx)] },
    }, [[], ...shown.curves.map(() => [])], box);
    strip.now = strip.plot.over.appendChild(make("i", { class: "now" }));
    strip.plot.over.addEventListener("click", (event) => this.playhead.stop(strip.plot.posToVal(event.clientX - strip.plot.over.getBoundingClientRect().left, "x")));
    this.watcher.observe(box);
    return strip;
  }

  #read(strip, k) {
    const { plot, curves, readout, unit } = strip, values = k == null ? [] : curves.flatMap(({ edge }, i) => (edge ? [] : [number(plot.data[i + 1][k])]));
    readout.textContent = values.length && values.length <= 3 ? `${plot.data[0][k].toFixed(2)} s: ${values.join(" / ")} ${unit}` : unit;
  }

  fit() {
    this.strips.forEach(({ plot, box }) => box.clientWidth && plot.setSize({ width: box.clientWidth, height: HEIGHT }));
  }

  /** Those whose turn it is. */
  draw() {
    const begun = performance.now(), seen = this.strips.filter((strip) => strip.seen);
    this.taking = 0.9 * (this.taking ?? SLOW) + 0.1 * Math.min(begun - (this.drawnAt ?? begun), 200);
    this.drawnAt = begun;
    if (!seen.length) return;
    this.#mark();
    const most = this.taking > SLOW ? 1 : seen.length;
    for (let k = 0; k < most && (k === 0 || performance.now() - begun < BUDGET); k++) this.#draw(seen[this.turn++ % seen.length]);
  }

  drawAll() {
    this.#mark();
    this.strips.forEach((strip) => this.#draw(strip));
  }

  #mark() {
    this.window = this.playhead.window(this.wide);
    this.spans.splice(0, Infinity, ...this.flags.spans(...this.window));
  }

  #draw(strip) {
    const { history, window: [from, to] } = this, rows = history.rows(from, to), { plot, curves } = strip;
    const data = curves.map(({ values }) => values(history, rows));
    strip.range = fitted(strip, data);
    plot.batch(() => {
      plot.setData([history.time.slice(...rows), ...data], false);
      plot.setScale("x", { min: from, max: to });
    });
    const { live, time } = this.playhead;
    strip.now.style.visibility = live ? "hidden" : "visible";
    if (!live) strip.now.style.transform = `translateX(${plot.valToPos(time, "x").toFixed(1)}px)`;
    if (plot.cursor.idx == null || plot.cursor.left < 0) strip.readout.textContent = strip.unit;
  }
}

/** The range of a strip: as it was while the curves fill it, so that it does not breathe with every sample. */
function fitted({ range, limits, least }, data) {
  let low = least?.[0] ?? Infinity, high = least?.[1] ?? -Infinity;
  for (const column of data)
    for (const value of column)
      if (value != null) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
  if (low > high) return range ?? [0, 1];
  const size = high - low || Math.abs(high) || 1;
  for (const limit of limits ?? []) if (limit != null && limit > low - 0.3 * size && limit < high + 0.3 * size) [low, high] = [Math.min(low, limit), Math.max(high, limit)];
  const fits = range && low >= range[0] && high <= range[1] && high - low > LOOSE * (range[1] - range[0]);
  return fits ? range : [low - 0.1 * size, high + 0.1 * size];
}
