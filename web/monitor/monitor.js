// The page of torsor monitor: the arm as it is now, what it is asked for, what is flagged. `window.torsor` tells tests what is shown.

import { make } from "../making.js";
import { openView } from "../stage.js";
import { Reconnecting } from "../reconnecting.js";
import { isDark, themeChanged } from "../theme.js";
import { addControls } from "./controls.js";
import { condition, Facts } from "./facts.js";
import { FlagList } from "./flags.js";
import { History } from "./history.js";
import { Latency } from "./latency.js";
import { Playhead } from "./playhead.js";
import { rowOf } from "./signals.js";
import { Strips } from "./strips.js";
import { ToolTrail } from "./tool_trail.js";

const errors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason?.stack ?? reason)));

const at = (id) => document.getElementById(id);
const STATED = 250; // ms between two looks at the numbers

const history = new History(), playhead = new Playhead(history), latency = new Latency();
const flags = new FlagList(at("flags"), at("announced"), playhead);
const facts = new Facts(at("facts"));
const strips = new Strips(at("plots"), { history, playhead, flags });
const refreshControls = addControls(at("controls"), playhead, (wide) => {
  strips.wide = wide;
  strips.drawAll();
});
const seen = { connected: false, ended: null, framed: false, at: 0, about: null, state: null, frame: null };
let view = null, trail = null, asked = false, opened;

// what comes

const line = new Reconnecting("/api/frames", {
  opened: () => (seen.connected = true),
  lost: () => {
    seen.connected = false;
    tell();
  },
  heard: (message) => {
    line.send(String(message.number)); // it came: the next one may
    hear(message);
  },
});

function hear({ about, frame, flags: raised, state, ended }) {
  if (about) learn(about);
  if (state) seen.state = state;
  if (frame) take(frame);
  flags.hear(raised);
  if (ended !== undefined) {
    seen.ended = ended;
    line.end();
    tell();
  }
}

/** Also when more is known of the stream, and of another stream after the server came back. */
function learn(about) {
  const known = seen.about;
  seen.about = about;
  at("robot").textContent = about.robot;
  at("source").textContent = about.source;
  document.title = `${about.robot}, live`;
  strips.open(about, seen.frame);
  if (known) return;
  opened = (async () => {
    view = await openView(at("arm"), about.scene);
    if (!view) return;
    at("arm").append(make("div", { class: "key", title: "where the tool has been, coloured by the load of the motor nearest to its limit" }, "motor load 0", make("i", { class: "loads" }), "100 %"));
    trail = new ToolTrail(view, history);
    if (history.time.length) pose();
    view.look("corner");
  })();
  seen.first?.(opened);
}

function take(frame) {
  if (frame.time < history.last) flags.clear();
  frame.signals.time.forEach((time, k) => history.add(time, rowOf(frame, k)));
  history.trim(playhead.stopped === null ? Infinity : playhead.time - strips.wide);
  const first = !seen.framed, learned = !seen.frame?.headroom && frame.headroom;
  Object.assign(seen, { frame, framed: true, at: performance.now() });
  if (learned) strips.open(seen.about, frame);
  if (playhead.live) pose();
  if (first) view?.look("corner");
  draw(frame.arrived);
}

// what is drawn

function pose() {
  const k = history.near(playhead.time);
  if (k < 0 || !view) return;
  const q = view.scene.joints.map((_, i) => history.at(`tree ${i}`, k));
  if (q.every((value) => value !== null)) view.pose(q);
  trail.follow(history.time[k], !playhead.live);
}

/** The arm asks for its frame itself, before; so that what follows here comes after it, in the same frame. */
function draw(arrived) {
  if (arrived != null) seen.arrived = Math.min(seen.arrived ?? Infinity, arrived);
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (playhead.live) strips.draw();
    if (seen.arrived != null && playhead.live) latency.take(seen.arrived);
    seen.arrived = null;
  });
}

playhead.listeners.add(() => {
  pose();
  strips.drawAll();
  tell();
});

/** The numbers, and what is the matter. */
function tell() {
  const since = (performance.now() - seen.at) / 1000, [look, text, more = ""] = condition({ ...seen, since, playhead });
  const status = at("status");
  document.body.dataset.state = look;
  if (status.textContent !== text) status.textContent = text;
  at("since").textContent = more;
  facts.show({ ...seen, latency: latency.figures() });
  refreshControls();
  const up = flags.up(playhead.time), alarms = [...new Set(up.map(({ kind, where }) => `${kind}: ${where}`))];
  const shown = alarms.slice(0, 4).concat(alarms.length > 4 ? [`and ${alarms.length - 4} more`] : []);
  if (at("alarms").dataset.shown !== shown.join()) {
    at("alarms").dataset.shown = shown.join();
    at("alarms").replaceChildren(...shown.map((text) => make("span", {}, text)));
  }
}
setInterval(tell, STATED);

at("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  themeChanged();
});

const torsor = { errors, line, history, playhead, strips, flags, seen };
Object.defineProperty(torsor, "frames", { get: () => view?.frames ?? 0 });
Object.assign(torsor, {
  latency: () => latency.figures(),
  poses: () => view.poses(),
  q: () => [...view.q],
  time: () => playhead.time,
  setTime: (time) => playhead.stop(time),
  play: () => playhead.goLive(),
  pause: () => playhead.stop(),
  ready: new Promise((resolve) => (seen.first = resolve)),
});
Object.defineProperty(torsor, "view", { get: () => view });
torsor.ready.catch((problem) => errors.push(String(problem?.stack ?? problem)));
window.torsor = torsor;
