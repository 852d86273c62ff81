// What was flagged: a list to click into, marks for the plots, and words for those who listen.

import { make, number } from "../making.js";

const SHOWN = 200;
const SAID = 1000; // ms between two announcements

export class FlagList {
  constructor(holder, announcer, playhead) {
    Object.assign(this, { holder, announcer, playhead, all: new Map(), items: new Map(), waiting: [], saidAt: -Infinity });
    this.none = make("p", { class: "note" }, "Nothing so far.");
    this.list = make("ol", { class: "flags" });
    holder.append(this.none, this.list);
  }

  clear() {
    this.all.clear();
    this.items.clear();
    this.list.replaceChildren();
    this.none.hidden = false;
  }

  /** Flags by their numbers, new ones and those that changed. */
  hear(flags) {
    for (const [key, flag] of Object.entries(flags)) {
      const isNew = !this.all.has(key);
      this.all.set(key, flag);
      if (isNew) this.#add(key, flag);
      this.#write(key, flag);
    }
    this.#announce();
  }

  #add(key, flag) {
    const parts = { time: make("time"), what: make("b"), where: make("span"), size: make("small") };
    const button = make("button", { type: "button", title: "stop there", onclick: () => this.playhead.stop(this.all.get(key).time) }, parts.time, parts.what, parts.where, parts.size);
    const item = make("li", {}, button);
    this.items.set(key, { item, parts });
    this.list.prepend(item);
    this.none.hidden = true;
    if (this.list.children.length > SHOWN) this.list.lastChild.remove();
    this.waiting.push(`${flag.kind} at ${flag.where}, ${flag.time.toFixed(1)} seconds`);
  }

  #write(key, { kind, where, time, until, size, limit, unit }) {
    const { item, parts } = this.items.get(key);
    parts.time.textContent = `${time.toFixed(2)} s`;
    parts.what.textContent = kind;
    parts.where.textContent = where;
    const unitless = unit.startsWith("of "), scale = unitless ? 100 : 1, mark = unitless ? "%" : unit;
    parts.size.textContent = `${number(scale * size)} ${mark}, above ${number(scale * limit)}${until == null ? "" : `, for ${(until - time).toFixed(2)} s`}`;
    item.classList.toggle("active", until == null);
  }

  /** Those who listen hear what is new, not every change of it. */
  #announce() {
    if (!this.waiting.length || this.timer) return;
    const say = () => {
      this.timer = null;
      this.saidAt = performance.now();
      const more = this.waiting.length > 3 ? ` and ${this.waiting.length - 3} more` : "";
      this.announcer.textContent = this.waiting.slice(0, 3).join("; ") + more;
      this.waiting = [];
    };
    this.timer = setTimeout(say, Math.max(0, this.saidAt + SAID - performance.now()));
  }

  /** From and to of each within a window, for the plots; a payload stays, and is marked where it was found. */
  spans(from, to) {
    const found = [...this.all.values()].map(({ kind, time, until }) => [time, kind === "payload" ? time : (until ?? to)]);
    return found.filter(([begin, end]) => begin <= to && end >= from);
  }

  /** Those that are up at a time. */
  up(time) {
    return [...this.all.values()].filter((flag) => flag.time <= time && (flag.until ?? Infinity) >= time);
  }
}
