// The studio: chooses an arm, shows it on the left, and on the right one of its tabs. `window.torsor` tells tests what is shown.

import { make } from "../making.js";
import { closeAlong } from "../closing.js";
import { isDark, themeChanged } from "../theme.js";
import { ArmTab } from "./arm_tab.js";
import { EquationsTab } from "./equations_tab.js";
import { Line } from "./line.js";
import { ProgramTab } from "./program_tab.js";
import { showRecipe } from "./recipe.js";
import { ScenarioTab } from "./scenario_tab.js";
import { Stagehand } from "./stagehand.js";

const errors = [];
addEventListener("error", ({ message }) => errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason?.stack ?? reason)));

const at = (id) => document.getElementById(id);
const fail = (problem) => (at("failure").textContent = problem ? problem.message : "");

const line = new Line((text) => (at("connection").textContent = text));
const stage = new Stagehand(line, fail);

async function chooseArm(name) {
  fail(null);
  try {
    const about = await line.ask("about", { arm: name });
    await show(about);
  } catch (problem) {
    fail(problem);
  }
}

async function show(about) {
  at("arm-choice").value = about.arm;
  await stage.open(about);
  for (const tab of tabs) tab.opened();
  showRecipe(about);
}

async function upload(file) {
  const answer = await fetch("/api/upload", { method: "POST", body: JSON.stringify({ name: file.name, text: await file.text() }) });
  const told = await answer.json();
  if (!answer.ok) return fail(new Error(told.error.text));
  fail(null);
  if (![...at("arm-choice").options].some(({ value }) => value === told.arm)) at("arm-choice").append(make("option", { value: told.arm }, told.arm));
  await show(told);
}

const tabs = [];

function addTabs(start) {
  const nav = document.querySelector("nav"), given = { line, stage, fail, start, chooseArm };
  tabs.push(new ArmTab(given), new ProgramTab(given), new ScenarioTab(given), new EquationsTab(given));
  const buttons = tabs.map((tab, k) => make("button", { type: "button", role: "tab", id: `tab-${k}`, "aria-controls": `panel-${k}`, onclick: () => open(k) }, tab.title));
  const open = (chosen) => tabs.forEach((tab, k) => {
    tab.element.hidden = k !== chosen;
    buttons[k].ariaSelected = String(k === chosen);
    buttons[k].tabIndex = k === chosen ? 0 : -1;
  });
  nav.append(...buttons);
  nav.addEventListener("keydown", ({ key }) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key], now = buttons.indexOf(document.activeElement);
    if (!by || now < 0) return;
    const next = (now + by + buttons.length) % buttons.length;
    open(next);
    buttons[next].focus();
  });
  tabs.forEach((tab, k) => Object.assign(tab.element, { id: `panel-${k}`, role: "tabpanel" }).setAttribute("aria-labelledby", `tab-${k}`));
  at("tabs").append(...tabs.map(({ element }) => element));
  open(start.program ? 1 : start.scenario ? 2 : 0);
}

const torsor = { errors, line, stage, tabs };
Object.defineProperty(torsor, "frames", { get: () => stage.view?.frames ?? 0 });
Object.defineProperty(torsor, "state", { get: () => tabs[0]?.state });
Object.assign(torsor, {
  poses: () => stage.view.poses(),
  q: () => [...stage.view.q],
  setQ: (q) => {
    const closed = closeAlong(stage.view.tree, stage.view.q, q);
    if (closed) stage.pose(closed);
    return closed !== null;
  },
  time: () => stage.clock?.time ?? 0,
  setTime: (t) => stage.clock?.set(t),
  play: () => stage.clock?.play(),
  pause: () => stage.clock?.pause(),
});
torsor.ready = (async () => {
  const start = await (await fetch("/api/start")).json();
  at("arm-choice").append(...start.arms.map(({ name, from }) => make("option", { value: name }, from === "library" ? name : `${name} (${from})`)));
  at("arm-choice").addEventListener("change", () => chooseArm(at("arm-choice").value));
  at("arm-file").addEventListener("change", () => at("arm-file").files[0] && upload(at("arm-file").files[0]).catch(fail));
  at("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    themeChanged();
  });
  addTabs(start);
  await chooseArm(start.arm);
})();
torsor.ready.catch((problem) => errors.push(String(problem?.stack ?? problem)));
window.torsor = torsor;
