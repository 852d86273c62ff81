// The stream in numbers, and in one line what is the matter with it.

import { make, number } from "../making.js";

const SILENT = 1; // s without a frame
const TROUBLE = { lost: "lost", late: "late", out_of_order: "out of order", malformed: "malformed", gaps: "gaps", not_looked_at: "not looked at" };
const bytes = (size) => (size == null ? "?" : size < 1e6 ? `${(size / 1e3).toFixed(0)} kB` : `${(size / 1e6).toFixed(1)} MB`);
const kilograms = ({ uncertainty }) => (value) => value.toFixed(uncertainty < 0.01 ? 3 : 2); // no more digits than are known
const ms = (seconds) => `${(1000 * seconds).toFixed(seconds < 0.1 ? 1 : 0)} ms`;

export class Facts {
  constructor(holder) {
    this.values = new Map();
    this.holder = holder;
  }

  #set(name, text, bad = false, note = "") {
    let entry = this.values.get(name);
    if (!entry) {
      const value = make("dd"), under = make("small");
      this.holder.append(make("div", {}, make("dt", {}, name), value, under));
      this.values.set(name, (entry = { value, under }));
    }
    if (entry.value.textContent !== text) entry.value.textContent = text;
    if (entry.under.textContent !== note) entry.under.textContent = note;
    entry.value.classList.toggle("bad", bad);
  }

  show({ state, frame, latency, about }) {
    if (state) {
      this.#set("samples a second", state.rate == null ? "\u2013" : number(state.rate), false, `${state.samples.toLocaleString("en")} so far`);
      const trouble = Object.entries(TROUBLE).filter(([key]) => state[key]).map(([key, word]) => `${state[key]} ${word}`);
      this.#set("lost", String(state.lost), state.lost > 0, trouble.filter((text) => !text.endsWith(" lost")).join(", ") || "nothing late");
    }
    this.#set("latency", latency ? ms(latency.median) : "\u2013", latency?.worst > SILENT,
      latency ? `${ms(latency.worst)} at worst, ${latency.rate.toFixed(0)} frames/s` : "from arrival to drawn");
    const head = frame?.headroom;
    if (head) this.#set("acceleration in use", head.used == null ? "all" : `${(100 * Math.min(head.used, 9.99)).toFixed(0)} %`, !(head.used < 1), `${head.first} is first`);
    const held = frame?.payload;
    if (about?.torques) this.#set("payload beside the model's", held ? `${held.mass >= 0 ? "+" : "\u2212"}${kilograms(held)(Math.abs(held.mass))} kg` : "\u2013", false, held ? `\u00b1 ${kilograms(held)(held.uncertainty)} kg` : "not known yet");
    if (state) {
      const { record } = state;
      this.#set("record", record ? bytes(record.size) : "none", Boolean(record?.problem), record ? (record.problem ?? record.name) : "nothing is kept");
    }
  }
}

/** What is the matter: a word for its look, and what to say. */
export function condition({ connected, ended, framed, since, playhead, state }) {
  if (ended != null) return ["over", `The stream has ended (${ended}). The last minute stays here.`];
  if (!connected) return ["bad", "Not connected; trying again."];
  if (!framed) return ["waiting", state?.malformed ? `Waiting for samples; ${state.malformed} lines were malformed: ${state.told?.[0] ?? ""}` : "Waiting for samples."];
  if (since > SILENT) return ["bad", "No samples come", ` since ${since.toFixed(0)} s.`];
  if (!playhead.live) return ["stopped", `Stopped at ${playhead.time.toFixed(2)} s; the stream goes on.`];
  return ["live", "Live."];
}
