// What is chosen of the bent arm: how much it is exaggerated, its weight, its rigid shadow, and the modes it swings in.

import { Bending, SwingCurves } from "./bending.js";
import { make, number } from "./making.js";
import { between, unpack, unpackAll } from "./packing.js";
import { reducedMotion } from "./theme.js";

const SWINGS = 0.8; // Hz at which a mode is shown, whatever its own frequency
const REACH = 0.1; // of the arm's size: how far the place goes that goes farthest in a mode
const MOST = 20; // times what is proposed

/** The panel beside the arm; null where nothing bends. */
export async function addBending(holder, view, given, clock, stage) {
  const bending = new Bending(view, given);
  const [time, swing, weight] = given.swing ? await Promise.all([unpack(given.time), unpackAll(given.swing), unpackAll(given.weight)]) : [];
  const colours = await Promise.all(given.colours.map(unpackColour));
  return new BendingPanel(holder, view, bending, swing && new SwingCurves(time, swing, weight), colours, clock, stage);
}

/** What links are coloured by: of each node a number, a curve over time, or nothing. */
async function unpackColour({ links, ...rest }) {
  const read = async ([k, nodes]) => [k, await Promise.all(nodes.map((node) => (node?.data == null ? node : unpack(node))))];
  return { ...rest, links: links && Object.fromEntries(await Promise.all(Object.entries(links).map(read))) };
}

export class BendingPanel {
  constructor(holder, view, bending, curves, colours, clock, stage) {
    Object.assign(this, { view, bending, curves, colours, colour: colours[0], clock, given: bending.given, heavy: !curves, mode: null, phase: Math.PI / 2, reach: REACH * view.scene.size });
    view.ghostLook = "rigid";
    this.rigid = true;
    view.followers.add((q) => view.ghost(this.rigid ? q : null));
    this.#controls(holder);
    this.#told(stage);
    this.#modes(holder);
    if (curves) clock.listen((t) => this.#follow(t));
    else this.#still();
    if (this.given.chosen) this.show(...this.given.chosen);
    else this.#refresh();
  }

  #controls(holder) {
    const most = Math.log10(MOST * this.given.factor), said = make("output", {});
    this.slider = make("input", { type: "range", id: "exaggeration", min: 0, max: most, step: "any", value: Math.log10(this.given.factor), oninput: () => this.setFactor(10 ** +this.slider.value) });
    this.said = said;
    const check = (key, title, checked, change) => {
      const box = make("input", { type: "checkbox", id: `bends-${key}`, checked, onchange: () => change(box.checked) });
      return make("label", {}, box, title);
    };
    const boxes = [check("rigid", "rigid shadow", true, (on) => this.setRigid(on)), check("colour", "in colour", true, (on) => this.setColored(on))];
    if (this.curves) boxes.splice(1, 0, check("weight", "weight too", false, (on) => this.setHeavy(on)));
    const { colours } = this, choice = make("select", { id: "bends-by", "aria-label": "coloured by", onchange: () => this.setColour(choice.selectedIndex) }, ...colours.map(({ name }) => make("option", {}, name)));
    if (colours.length > 1) boxes.push(choice);
    holder.append(make("label", { class: "slider" }, make("span", {}, "exaggerated"), this.slider, said), make("div", { class: "row boxes" }, ...boxes));
  }

  /** Over the arm: how much it is exaggerated, and what its colours are. */
  #told(stage) {
    this.note = make("p", { class: "exaggerated", role: "status" });
    this.scale = make("div", { class: "key" });
    stage.append(this.note, this.scale);
  }

  #modes(holder) {
    const { modes } = this.given;
    if (!modes.length) return;
    this.places = make("select", { "aria-label": "where modes are shown", onchange: () => this.#list() }, ...modes.map(({ title }) => make("option", {}, title)));
    this.places.hidden = modes.length < 2;
    this.list = make("div", { class: "modes", role: "group", "aria-label": "modes" });
    this.back = make("button", { type: "button", onclick: () => this.end() }, this.curves ? "back to the program" : "hanging");
    holder.append(make("div", { class: "row" }, make("h3", {}, "Modes"), this.places, this.back), this.list);
    this.#list();
  }

  #list() {
    const at = this.places.selectedIndex, shares = (all) => all.slice(0, 3).map(([name, share]) => `${name} ${share.toFixed(0)} %`).join(", ");
    this.list.replaceChildren(...this.given.modes[at].modes.map((mode, k) =>
      make("button", { type: "button", "aria-pressed": "false", onclick: () => this.show(at, k) }, make("b", {}, `${number(mode.frequency)} Hz`), make("span", {}, shares(mode.shares)))));
    this.#press();
  }

  #press() {
    if (!this.list) return;
    const at = this.mode?.place === this.places.selectedIndex ? this.mode.k : -1;
    [...this.list.children].forEach((button, k) => (button.ariaPressed = String(k === at)));
    this.back.hidden = !this.mode;
  }

  // what is shown

  /** The arm swings in a mode, slowly, at the posture to which it belongs. */
  show(place, k) {
    const { time, q, modes } = this.given.modes[place];
    this.clock.pause();
    this.mode = null;
    if (time != null) this.clock.set(time);
    else this.view.pose(q);
    this.mode = { place, k, time: this.clock.time, ...modes[k] };
    if (this.places) this.places.selectedIndex = place;
    this.#list();
    this.setPhase(Math.PI / 2);
    if (!reducedMotion()) this.play();
  }

  play() {
    const began = performance.now() - (1000 * (this.phase / (2 * Math.PI))) / SWINGS, { mode } = this;
    const tick = (now) => {
      if (this.mode !== mode || this.held) return;
      this.phase = (2 * Math.PI * SWINGS * (now - began)) / 1000;
      this.#draw();
      requestAnimationFrame(tick);
    };
    this.held = false;
    requestAnimationFrame(tick);
  }

  /** Holds a mode at a phase. */
  setPhase(phase) {
    this.held = true;
    this.phase = phase;
    this.#draw();
  }

  end() {
    this.mode = null;
    if (this.curves) this.#follow(this.clock.shown, true);
    else this.#still();
    this.#press();
    this.#refresh();
  }

  #draw() {
    const { bending, view, mode } = this, size = (this.reach * Math.sin(this.phase)) / bending.factor;
    bending.x = mode.x.map((value) => size * value);
    bending.values = null;
    bending.most = (1e3 * this.reach) / bending.factor;
    this.#refresh();
  }

  #still() {
    this.bending.x = this.given.still;
    this.#tint(0);
    this.view.pose(this.view.q);
  }

  #follow(t, now = false) {
    if (this.mode && this.clock.peeked == null && Math.abs(this.clock.time - this.mode.time) < 1e-9) return;
    if (this.mode && this.clock.peeked == null) {
      this.mode = null;
      this.#press();
      this.#write();
    }
    const { bending, curves } = this;
    bending.x = curves.at(t, this.heavy);
    this.#tint(t);
    if (now) this.view.pose(this.view.q);
  }

  /** The numbers that nodes are coloured by at a time; without any how far they are displaced. */
  #tint(t) {
    const { colour: { links, most }, bending, curves } = this;
    const value = (node) => (node?.length == null ? node ?? NaN : between(curves.time, [node], t)[0]);
    bending.values = links && Object.fromEntries(Object.entries(links).map(([k, nodes]) => [k, nodes.map(value)]));
    bending.most = most;
  }

  // settings

  setColour(k) {
    this.colour = this.colours[k];
    if (!this.mode) this.#tint(this.clock.shown);
    this.#refresh();
  }

  setFactor(factor) {
    const before = this.bending.factor;
    this.bending.factor = Math.max(factor, 0);
    if (this.mode) {
      // a mode has no size of its own: what is exaggerated more is drawn larger
      this.reach *= this.bending.factor / before;
      this.#draw();
    } else this.reach = (REACH * this.view.scene.size * this.bending.factor) / this.given.factor;
    this.#refresh();
  }

  setRigid(on) {
    this.rigid = on;
    this.#refresh();
  }

  setHeavy(on) {
    this.heavy = on;
    if (this.curves) this.#follow(this.clock.shown);
    this.#refresh();
  }

  setColored(on) {
    this.bending.colored = on;
    this.view.dress();
    this.#refresh();
  }

  #refresh() {
    this.view.pose(this.view.q);
    this.#write();
  }

  #write() {
    const { bending, mode, colour } = this, times = number(bending.factor).replace(/\.0+$/, "");
    this.slider.value = Math.log10(Math.max(bending.factor, 1));
    this.said.textContent = this.slider.ariaValueText = `\u00d7 ${times}`;
    const said = mode ? `mode ${mode.k + 1}, ${number(mode.frequency)} Hz, shown ${(mode.frequency / SWINGS).toFixed(0)} times slower` : `bent ${times} times as much as it is`;
    if (this.note.textContent !== said) this.note.textContent = said;
    this.scale.hidden = !bending.colored;
    const most = mode ? "most" : `${number(colour.most)} ${colour.unit}`, words = [mode ? "swings by 0" : `${colour.name} 0`, most].join("|");
    if (this.words !== words) this.scale.replaceChildren(words.split("|")[0], make("i", { class: "amounts" }), most);
    this.words = words;
  }
}
