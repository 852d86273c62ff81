// Curves against time. All plots share one time axis: zooming one zooms all, and what the clock shows is a line in each.

import uPlot from "uplot";
import { make, number } from "./making.js";
import { indexAt, spread, unpack } from "./packing.js";
import { color, onTheme, series as seriesColor } from "./theme.js";

const HEIGHT = 170, TALL = 240;
const PAPER = 330; // px, two plots beside each other on a page
const AXIS = 26, STRIP = 18; // px, of the time axis and of the moves under it
export const INKS = ["fine", "soft", "rule", "line", "given", "limit", "over", "over-soft", "band", "now"];

/** Curves where a limit is, behind the drawing: spans beyond it, where moves begin, the limits with what is beyond. */
export function backdrop(plots, limits, spans) {
  return (u) => {
    const { ctx } = u, { left, top, width, height } = u.bbox, ratio = devicePixelRatio, { ink } = plots;
    const x = (t) => u.valToPos(t, "x", true), y = (v) => u.valToPos(v, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    const [least, most] = limits;
    ctx.fillStyle = ink.band;
    if (most != null && y(most) > top) ctx.fillRect(left, top, width, y(most) - top);
    if (least != null && y(least) < top + height) ctx.fillRect(left, y(least), width, top + height - y(least));
    for (const [a, b] of spans) {
      const from = x(a), wide = Math.max(x(b) - from, 2 * ratio);
      ctx.fillStyle = ink["over-soft"];
      ctx.fillRect(from, top, wide, height);
      ctx.fillStyle = ink.over;
      ctx.fillRect(from, top, wide, 3 * ratio);
    }
    ctx.lineWidth = ratio;
    ctx.setLineDash([]);
    ctx.strokeStyle = ink.rule;
    ctx.beginPath();
    for (const [t] of plots.moves) {
      const at = Math.round(x(t)) + 0.5;
      ctx.moveTo(at, top);
      ctx.lineTo(at, top + height);
    }
    ctx.stroke();
    ctx.strokeStyle = ink.limit;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    for (const limit of limits) {
      if (limit == null) continue;
      ctx.beginPath();
      ctx.moveTo(left, y(limit));
      ctx.lineTo(left + width, y(limit));
      ctx.stroke();
    }
    ctx.restore();
  };
}

/** The moves beneath a plot, each with the line of the program that it is of. */
function strip(plots) {
  return (u) => {
    const { ctx } = u, { left, top, width, height } = u.bbox, ratio = devicePixelRatio, { ink } = plots;
    const at = top + height + (AXIS - 4) * ratio, high = (STRIP - 2) * ratio, x = (t) => u.valToPos(t, "x", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, at, width, high);
    ctx.clip();
    Object.assign(ctx, { textAlign: "center", textBaseline: "middle", font: `${10 * ratio}px system-ui, sans-serif` });
    plots.spans.forEach(([from, to, line, bad]) => {
      const [a, b] = [x(from), x(to)];
      ctx.fillStyle = bad ? ink["over-soft"] : ink.fine;
      ctx.fillRect(a + 0.5 * ratio, at, Math.max(b - a - ratio, 0.5), high);
      const shown = Math.max(a, left), end = Math.min(b, left + width);
      ctx.fillStyle = bad ? ink.over : ink.soft;
      if (end - shown > 16 * ratio) ctx.fillText(`${line}`, 0.5 * (shown + end), at + 0.55 * high);
    });
    ctx.restore();
  };
}

/** A limit is shown where the curve comes near it, else the curve would be a line. */
function range({ limits, unit, zero }) {
  return (u, low, high) => {
    if (low == null || !Number.isFinite(low)) [low, high] = [0, 1];
    if (zero) low = Math.min(low, 0);
    const [least, most] = limits;
    if (unit === "%") [low, high] = [Math.min(low, -100), Math.max(high, 100)];
    else {
      const near = 0.35 * Math.max(Math.abs(low), Math.abs(high), high - low);
      if (most != null && high > most - 2 * near) high = Math.max(high, most);
      if (least != null && low < least + 2 * near) low = Math.min(low, least);
    }
    const air = 0.06 * (high - low || Math.abs(high) || 1);
    return [zero && low === 0 ? 0 : low - air, high + air];
  };
}

export class Plots {
  constructor({ time, end, moves, groups, compared, spans }, clock) {
    Object.assign(this, { packedTime: time, compared, end, moves: moves ?? [], groups, clock, spans: spans ?? [] });
    this.live = new Set(); // plots that are drawn
    this.pending = new Map(); // boxes that have not been seen yet, and how they are drawn
    this.curves = new Map(); // panel to its unpacked series
    this.window = [0, end];
    this.ink = {};
    this.mix();
    this.watcher = new IntersectionObserver((seen) => this.#see(seen), { rootMargin: "200px" });
    const stop = onTheme(() => {
      this.mix();
      this.live.forEach(({ plot }) => plot.redraw(false));
    });
    const sizes = new ResizeObserver(() => this.fit());
    sizes.observe(document.querySelector("main"));
    this.endings = [stop, () => sizes.disconnect(), () => this.watcher.disconnect()];
    clock.listen((t) => this.live.forEach((each) => each.visible && this.#point(each, t)));
  }

  /** Other plots take the place of these. */
  close() {
    this.endings.splice(0).forEach((end) => end());
    [...this.live].forEach((each) => this.remove(each));
  }

  mix() {
    for (const name of INKS) this.ink[name] = color(name);
  }

  /** Where two runs are compared, all times of both; each curve is spread over them. */
  async unpackTime() {
    this.time = await unpack(this.packedTime);
    if (!this.compared) return;
    this.times = [this.time, await unpack(this.compared.time)];
    this.time = Float64Array.from(new Set(this.times.flatMap((each) => [...each]))).sort();
  }

  /** The series of a panel as arrays, unpacked once. */
  of(panel) {
    const read = async (series) => {
      const values = await unpack(series);
      return this.times ? spread(this.times[series.run ?? 0], values, this.time) : values;
    };
    if (!this.curves.has(panel)) this.curves.set(panel, Promise.all(panel.series.map(read)));
    return this.curves.get(panel);
  }

  /** Everything is unpacked while nobody waits, so that paper finds it. */
  async unpackRest() {
    for (const group of this.groups) for (const panel of group.panels) panel.ready = await this.of(panel);
  }

  zoom(min, max) {
    this.window = [min, max];
    this.live.forEach(({ plot }) => plot.setScale("x", { min, max }));
  }

  /** A box that is drawn as soon as it comes near the window. */
  later(box, draw) {
    this.pending.set(box, draw);
    this.watcher.observe(box);
  }

  #see(seen) {
    for (const { target, isIntersecting } of seen) {
      const draw = isIntersecting && this.pending.get(target);
      if (draw) {
        this.pending.delete(target);
        draw();
      }
      for (const each of this.live)
        if (each.box === target) {
          each.visible = isIntersecting;
          if (isIntersecting) this.#point(each, this.clock.shown);
        }
    }
  }

  /** Draws what nobody has scrolled to yet. */
  drawAll() {
    for (const [box, draw] of this.pending) {
      this.pending.delete(box);
      draw();
    }
  }

  #point({ plot, now }, t) {
    const at = plot.valToPos(t, "x"), inside = at >= -0.5 && at <= plot.over.clientWidth + 0.5;
    now.style.transform = `translateX(${at.toFixed(1)}px)`;
    now.style.visibility = inside ? "visible" : "hidden";
  }

  fit() {
    this.live.forEach(({ plot, box, height }) => box.clientWidth && plot.setSize({ width: box.clientWidth, height }));
    this.#pointAll();
  }

  fitPaper() {
    this.live.forEach(({ plot, box, height }) => plot.setSize({ width: box.closest(".stage, .wide-plot") ? 700 : PAPER, height }));
    this.#pointAll();
  }

  #pointAll() {
    this.live.forEach((each) => this.#point(each, this.clock.shown));
  }

  /** A place for each panel of each group, in #plots-KEY. */
  addGroups() {
    for (const group of this.groups) {
      const holder = document.getElementById(`plots-${group.key}`);
      if (!holder) continue;
      if (group.together) {
        this.#together(holder, group);
        continue;
      }
      for (const panel of group.panels) {
        const readout = make("small", {}), box = make("div", { class: group.wide ? "plot wide-plot" : "plot" }, make("h3", {}, panel.name, readout));
        holder.append(box);
        const looks = panel.series.map(({ faint }, k) => (faint ? { stroke: () => this.ink.limit, width: 1.2 } : k ? { stroke: () => this.ink.given, width: 1.2, dash: [4, 3] } : { stroke: () => this.ink.line, width: 1.5 }));
        const order = [...looks.keys()].sort((a, b) => (panel.series[b].faint ?? 0) - (panel.series[a].faint ?? 0)); // what is faint lies behind
        const words = panel.series[1]?.faint ? ["blue", "grey"] : ["solid", "dashed"], solid = this.compared ? `, ${words[0]}: ${panel.series[0].label}` : "";
        const rest = panel.series.length > 1 ? `${panel.unit}${solid}, ${words[1]}: ${panel.series[1].label}` : panel.unit;
        readout.textContent = rest;
        const draw = (curves) => this.add(box, { ...panel, names: order.map((k) => panel.series[k].label) }, order.map((k) => curves[k]), order.map((k) => looks[k]), (k) => {
          readout.textContent = k == null ? rest : `${this.time[k].toFixed(2)} s: ${curves.map((c) => number(c[k])).filter((v) => v !== "\u2013").join(" / ")} ${panel.unit}`;
        }, group.wide ? TALL : HEIGHT);
        this.later(box, () => (panel.ready ? draw(panel.ready) : this.of(panel).then(draw)));
      }
    }
  }

  /** All curves of a group in one plot, each in its colour. */
  #together(holder, { panels }) {
    const readout = make("small", {}, panels[0].unit), box = make("div", { class: "plot wide-plot" }, make("h3", {}, `${panels[0].name} to ${panels.length}`, readout));
    const key = make("p", { class: "names" }, ...panels.map(({ name }, k) => {
      const swatch = make("i", { class: "swatch" });
      swatch.style.background = seriesColor(k);
      return make("span", {}, swatch, name);
    }));
    holder.append(make("div", { class: "wide-plot" }, box, key));
    const about = { ...panels[0], limits: [null, null], spans: [], names: panels.map(({ name }) => name) };
    this.later(box, async () => {
      const curves = (await Promise.all(panels.map((panel) => this.of(panel)))).map(([own]) => own);
      const looks = panels.map((_, k) => ({ stroke: () => seriesColor(k), width: 1.6 }));
      this.add(box, about, curves, looks, (k) => {
        readout.textContent = k == null ? panels[0].unit : `${this.time[k].toFixed(2)} s: ${curves.map((c) => number(c[k])).join(" / ")} ${panels[0].unit}`;
      }, TALL);
    });
  }

  /** One plot of some curves. `onRead` is told the sample under the pointer, or null. */
  add(box, about, curves, looks, onRead, height = HEIGHT) {
    const axis = (extra) => ({
      stroke: () => this.ink.soft, font: "11px system-ui, sans-serif",
      grid: { stroke: () => this.ink.rule, width: 1 }, ticks: { show: false }, ...extra,
    });
    const time = this.time, { clock } = this;
    const beneath = this.spans.length ? STRIP : 0;
    height += beneath;
    const plot = new uPlot({
      width: Math.max(box.clientWidth, 200), height, legend: { show: false }, padding: [null, null, beneath || null, null],
      cursor: {
        sync: { key: "time" }, y: false, points: { size: 6 },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => { this.zoom(0, this.end); return null; } },
      },
      scales: { x: { time: false, range: (u, a, b) => [a, b] }, y: about.log ? { distr: 3, range: (u, low, high) => [about.log, Math.max(high ?? 1, 10 * about.log) * 1.2] } : { range: range(about) } },
      axes: [
        axis({ size: AXIS, gap: 3, grid: { show: false }, values: (u, at) => at.map((v, k) => (k === at.length - 1 ? `${v} s` : `${v}`)) }),
        axis({ size: 46, gap: 4, space: 26, ...(about.log ? { values: (u, at) => at.map((v) => (v == null ? null : `${+v.toPrecision(3)}`)) } : {}) }),
      ],
      series: [{}, ...looks.map((look, k) => ({ label: about.names[k], points: { show: false }, ...look }))],
      hooks: {
        drawClear: [backdrop(this, about.limits, about.spans)],
        draw: beneath ? [strip(this)] : [],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          this.zoom(from, to);
        }],
        setCursor: [(u) => onRead(u.cursor.idx)],
        setScale: [() => this.#pointAll()],
      },
    }, [time, ...curves], box);
    const now = plot.over.appendChild(make("i", { class: "now" })), each = { plot, box, now, height, visible: true };
    this.live.add(each);
    this.watcher.observe(box);
    plot.setScale("x", { min: this.window[0], max: this.window[1] });
    this.#listen(plot);
    this.#point(each, clock.shown);
    return each;
  }

  remove(each) {
    this.live.delete(each);
    each.plot.destroy();
  }

  /** Hovering shows the arm at that time, a click goes there. */
  #listen(plot) {
    const { clock } = this, { over } = plot;
    const timeAt = (event) => Math.min(Math.max(plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"), 0), this.end);
    let pressed = null;
    over.addEventListener("pointerdown", (event) => (pressed = event.clientX));
    over.addEventListener("pointermove", (event) => event.pointerType === "mouse" && !event.buttons && clock.peek(timeAt(event)));
    over.addEventListener("pointerleave", () => clock.peek(null));
    over.addEventListener("click", (event) => {
      if (pressed == null || Math.abs(event.clientX - pressed) < 4) clock.set(timeAt(event));
    });
  }

  /** The sample at a time. */
  sample(t) {
    return indexAt(this.time, t);
  }
}

/** One plot in which chosen curves of a group lie over each other. */
export class Overlay {
  constructor(holder, plots) {
    Object.assign(this, { holder, plots, drawn: null, hidden: new Set() });
    const groups = plots.groups.filter(({ panels }) => panels.length);
    this.choice = make("select", { "aria-label": "what is plotted", onchange: () => this.show(groups[this.choice.selectedIndex]) },
      ...groups.map(({ title }) => make("option", {}, title)));
    this.readout = make("small", {});
    this.chips = make("div", { class: "chips", role: "group", "aria-label": "curves" });
    this.box = make("div", { class: "plot" });
    holder.append(make("div", { class: "row" }, this.choice, this.readout), this.box, this.chips);
    plots.endings.push(onTheme(() => this.group && this.show(this.group)));
    plots.clock.listen((t) => this.read(plots.sample(t)));
    if (groups.length) this.show(groups[0]);
  }

  /** Panels of the same unit as the first lie in one plot. */
  async show(group) {
    this.group = group;
    const panels = group.panels.filter(({ unit }) => unit === group.panels[0].unit);
    const found = await Promise.all(panels.map((panel) => this.plots.of(panel)));
    if (this.group !== group) return;
    this.panels = panels;
    this.curves = found.map(([own]) => own);
    this.others = found.map((all, k) => all[panels[k].series.findIndex(({ run }) => run === 1)]); // of what is compared
    this.chips.replaceChildren(...panels.map(({ name }, k) => this.#chip(name, k)));
    this.#draw();
  }

  #chip(name, k) {
    const swatch = make("i", { class: "swatch" }), shown = () => !this.hidden.has(name);
    swatch.style.background = seriesColor(k);
    const chip = make("button", { type: "button", "aria-pressed": String(shown()), onclick: () => {
      if (shown()) this.hidden.add(name);
      else this.hidden.delete(name);
      chip.ariaPressed = String(shown());
      this.#draw();
    } }, swatch, name);
    return chip;
  }

  #draw() {
    const { panels, curves, others, plots } = this;
    if (this.drawn) plots.remove(this.drawn);
    const kept = panels.flatMap(({ name }, k) => (this.hidden.has(name) ? [] : [k]));
    const same = (pick) => (kept.length && kept.every((k) => pick(panels[k]) === pick(panels[kept[0]])) ? pick(panels[kept[0]]) : null);
    const about = {
      unit: panels[0].unit, zero: kept.every((k) => panels[k].zero), names: kept.map((k) => panels[k].name),
      limits: [same(({ limits }) => limits[0]), same(({ limits }) => limits[1])], spans: kept.flatMap((k) => panels[k].spans),
    };
    const dashed = kept.filter((k) => others[k]), faint = Boolean(plots.compared?.faint); // what is faint lies behind
    const own = kept.map((k) => ({ stroke: seriesColor(k), width: 1.6 })), more = dashed.map((k) => (faint ? { stroke: `${seriesColor(k)}66`, width: 1.2 } : { stroke: seriesColor(k), width: 1.2, dash: [4, 3] }));
    const both = (one, other) => (faint ? [...other, ...one] : [...one, ...other]), looks = both(own, more);
    about.names = both(about.names, dashed.map((k) => `${panels[k].name}, ${plots.compared.labels[1]}`));
    about.log = same(({ log }) => log ?? null);
    this.kept = kept;
    this.drawn = plots.add(this.box, about, both(kept.map((k) => curves[k]), dashed.map((k) => others[k])), looks, (k) => this.read(k ?? plots.sample(plots.clock.shown)), 190);
    this.read(plots.sample(plots.clock.shown));
  }

  /** What the chosen curves are at a sample. */
  read(k) {
    if (!this.kept || !this.plots.time?.length) return;
    const values = this.kept.slice(0, 6).map((c) => number(this.curves[c][k]));
    this.readout.textContent = `${this.plots.time[k].toFixed(2)} s: ${values.join(" / ")} ${this.panels[0].unit}`;
  }
}
