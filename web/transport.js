// The bar under the arm: play, pause, speed, loop, scrub, step; and the keys that do the same.

import { make } from "./making.js";

const FRAME = 1 / 25; // s, one step of the arrow keys

export function addTransport(holder, clock) {
  const play = make("button", { type: "button", class: "play", onclick: () => clock.toggle() });
  const scrub = make("input", { type: "range", min: 0, max: clock.end, step: "any", value: 0, "aria-label": "time", oninput: () => clock.set(+scrub.value) });
  const said = make("output", { class: "time", "aria-live": "off" });
  const speeds = [0.1, 0.25, 0.5, 1, 2, 5].map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}\u00d7`));
  const speed = make("select", { "aria-label": "speed", onchange: () => clock.adjust({ speed: +speed.value }) }, ...speeds);
  const loop = make("button", { type: "button", title: "again and again", "aria-label": "loop", onclick: () => clock.adjust({ loop: !clock.loop }) }, "\u27f2");
  const step = (by, name, sign) =>
    make("button", { type: "button", title: name, "aria-label": name, onclick: () => stepBy(clock, by) }, sign);
  holder.append(play, step(-FRAME, "one frame back", "\u2039"), step(FRAME, "one frame on", "\u203a"), scrub, said, speed, loop);

  const refresh = () => {
    play.textContent = clock.playing ? "\u275a\u275a" : "\u25b6";
    play.ariaLabel = play.title = clock.playing ? "pause" : "play";
    loop.ariaPressed = String(clock.loop);
    speed.value = clock.speed;
  };
  clock.changes.add(refresh);
  refresh();
  const digits = clock.end > 100 ? 1 : 2;
  clock.listen((t) => {
    scrub.value = t;
    said.textContent = `${t.toFixed(digits)} / ${clock.end.toFixed(digits)} s`;
    scrub.ariaValueText = `${t.toFixed(2)} seconds`;
  });
  addEventListener("keydown", (event) => onKey(event, clock));
}

function stepBy(clock, by) {
  clock.pause();
  clock.set(clock.time + by);
}

/** Space plays, arrows step, home and end go there, unless a control that has the focus needs the key itself. */
function onKey(event, clock) {
  const busy = event.target.closest("input:not([type=range]), select, textarea, [contenteditable]");
  if (busy || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const slides = event.target.matches("input[type=range]");
  const pressed = event.target.closest("button, summary, a, [role=button]");
  const keys = {
    " ": () => !pressed && clock.toggle(),
    ArrowLeft: () => !slides && stepBy(clock, -FRAME * (event.shiftKey ? 10 : 1)),
    ArrowRight: () => !slides && stepBy(clock, FRAME * (event.shiftKey ? 10 : 1)),
    Home: () => !slides && stepBy(clock, -Infinity),
    End: () => !slides && stepBy(clock, Infinity),
  };
  if (event.key in keys && keys[event.key]() !== false) event.preventDefault();
}
