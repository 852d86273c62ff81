// The bar under the arm: live, pause, step, scrub over the last minute, how much the plots show; and the keys for it.

import { make } from "../making.js";

const WINDOWS = [5, 10, 20, 60]; // s

export function addControls(holder, playhead, setWindow) {
  const { history } = playhead;
  const live = make("button", { type: "button", class: "live", onclick: () => playhead.goLive() }, make("i", { class: "dot-live" }), "Live");
  const pause = make("button", { type: "button", class: "play", onclick: () => playhead.toggle() });
  const step = (by, name, sign) => make("button", { type: "button", title: name, "aria-label": name, onclick: () => playhead.step(by) }, sign);
  const scrub = make("input", { type: "range", step: "any", min: 0, max: 1, value: 1, "aria-label": "time within the last minute", oninput: () => playhead.stop(+scrub.value) });
  const said = make("output", { class: "time", "aria-live": "off" });
  const wide = make("select", { "aria-label": "time that the plots show", onchange: () => setWindow(+wide.value) },
    ...WINDOWS.map((each) => make("option", { value: each, selected: each === 10 }, `${each} s`)));
  holder.append(live, pause, step(-1, "one row back", "\u2039"), step(1, "one row on", "\u203a"), scrub, said, wide);

  const refresh = () => {
    live.ariaPressed = String(playhead.live);
    pause.textContent = playhead.live ? "\u275a\u275a" : "\u25b6";
    pause.ariaLabel = pause.title = playhead.live ? "pause" : "go on";
    Object.assign(scrub, { min: history.first, max: history.last, value: playhead.time, ariaValueText: `${playhead.time.toFixed(2)} seconds` });
    said.textContent = `${playhead.time.toFixed(2)} s`;
  };
  playhead.listeners.add(refresh);
  refresh();
  addEventListener("keydown", (event) => onKey(event, playhead));
  return refresh;
}

/** Space stops and goes on, arrows step, end goes live, unless a control that has the focus needs the key itself. */
function onKey(event, playhead) {
  const { target, key } = event;
  if (target.closest("input, select, textarea, canvas") || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const by = event.shiftKey ? 10 : 1;
  const keys = { " ": () => !target.closest("button, summary, a") && playhead.toggle(), ArrowLeft: () => playhead.step(-by), ArrowRight: () => playhead.step(by), End: () => playhead.goLive() };
  if (key in keys && keys[key]() !== false) event.preventDefault();
}
