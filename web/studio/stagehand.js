// The arm on the left: chosen, posed by sliders, dragged by its tool, moved by whatever was computed.

import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { Clock } from "../clock.js";
import { make } from "../making.js";
import { matrixOf } from "../shapes.js";
import { addTrail, followClock, openView } from "../stage.js";

const at = (id) => document.getElementById(id);

export class Stagehand {
  constructor(line, onFailure) {
    Object.assign(this, { line, onFailure, view: null, about: null, clock: null, dragging: false });
    this.onPose = new Set();
    this.onOpen = new Set();
    this.reach = line.latest("reach", (answer) => this.#reached(answer), onFailure);
    for (const [id, mode] of [["drag-move", "translate"], ["drag-turn", "rotate"]])
      at(id).addEventListener("click", () => this.handle(this.mode === mode ? null : mode));
  }

  /** Shows an arm, at home or where it was left. */
  async open(about, q = null) {
    this.clock?.pause();
    const holder = at("arm"), old = this.view;
    old?.close();
    old?.renderer.forceContextLoss();
    holder.replaceChildren();
    at("transport").replaceChildren();
    this.gizmo?.dispose();
    Object.assign(this, { about, gizmo: null, clock: null });
    this.view = await openView(holder, about.scene);
    if (!this.view) return;
    this.view.followers.add(() => this.#posed());
    if (this.mode) this.handle(this.mode);
    this.pose(q ?? about.scene.joints.map(({ home }) => home));
    this.onOpen.forEach((heard) => heard(this.view));
  }

  pose(q) {
    this.view?.pose(q);
  }

  /** The free joints of a posture: what a user moves. */
  free(q = this.view.q) {
    return q.filter((_, k) => this.about.scene.joints[k].free);
  }

  get toolPose() {
    return this.view.tree.frame(this.about.scene.tool, this.view.poses_);
  }

  #posed() {
    if (!this.dragging) this.#follow();
    this.onPose.forEach((heard) => heard(this.free()));
  }

  // dragging

  handle(mode) {
    this.mode = mode;
    at("drag-move").ariaPressed = String(mode === "translate");
    at("drag-turn").ariaPressed = String(mode === "rotate");
    if (!this.view) return;
    if (!this.gizmo) this.#gizmo();
    this.gizmo.enabled = mode !== null;
    this.gizmo.getHelper().visible = mode !== null;
    if (mode) this.gizmo.setMode(mode);
    this.#follow();
    this.view.render();
    if (mode) this.drag(this.toolPose, true);
    else at("branches").replaceChildren();
  }

  #gizmo() {
    const { view } = this;
    this.tip = new THREE.Object3D();
    view.base.add(this.tip);
    this.gizmo = new TransformControls(view.camera, view.renderer.domElement);
    this.gizmo.setSpace("local");
    this.gizmo.setSize(0.8);
    this.gizmo.attach(this.tip);
    view.world.add(this.gizmo.getHelper());
    this.gizmo.addEventListener("change", () => view.render());
    this.gizmo.addEventListener("dragging-changed", ({ value }) => {
      this.dragging = value;
      view.controls.enabled = !value;
      if (!value) this.drag(this.#tipPose(), true);
    });
    this.gizmo.addEventListener("objectChange", () => this.drag(this.#tipPose(), false));
  }

  #tipPose() {
    this.tip.updateMatrix();
    return this.tip.matrix.clone().transpose().toArray();
  }

  /** The handle goes where the tool is. */
  #follow() {
    if (!this.tip) return;
    matrixOf(this.toolPose).decompose(this.tip.position, this.tip.quaternion, this.tip.scale);
  }

  /** Asks for the posture that puts the tool there; with every branch once the hand rests. */
  drag(pose, branches, branch = null) {
    this.clock?.pause();
    this.asked = { arm: this.about.arm, pose, near: this.free(), branch, branches };
    this.reach(this.asked);
  }

  #reached(answer) {
    this.last = answer;
    at("reach").textContent = answer.text;
    this.pose(answer.tree);
    this.onAnswer?.(answer);
    if (!this.asked.branches) return;
    const chips = answer.branches.map(({ name, inside, singular, now }) =>
      make("button", { type: "button", disabled: !inside, "aria-pressed": String(now),
        title: [inside ? "" : "out of limits", singular && `${singular} singular`].filter(Boolean).join(", "),
        onclick: () => this.drag(answer.pose.flat(), true, name) }, name));
    at("branches").replaceChildren(...chips);
  }

  // motion

  /** Plays a motion on an empty stage; what the page draws of it comes along. Null where there is no view. */
  async play({ motions, paths = [], marks = [], end }, reveal = () => {}) {
    await this.open(this.about, this.view && [...this.view.q]);
    if (!this.view || !motions.length) return null;
    const holder = at("arm"), clock = (this.clock = new Clock(end));
    followClock(this.view, motions, clock, holder);
    if (paths.length) addTrail(this.view, paths, marks, clock, holder, reveal);
    const play = make("button", { type: "button", class: "play", onclick: () => clock.toggle() });
    const scrub = make("input", { type: "range", min: 0, max: end, step: "any", value: 0, "aria-label": "time", oninput: () => clock.set(+scrub.value) });
    const said = make("output", { class: "time" });
    clock.changes.add(() => {
      play.textContent = clock.playing ? "\u275a\u275a" : "\u25b6";
      play.ariaLabel = clock.playing ? "pause" : "play";
    });
    clock.adjust({});
    clock.listen((t) => {
      scrub.value = t;
      said.textContent = `${t.toFixed(2)} / ${end.toFixed(2)} s`;
    });
    at("transport").replaceChildren(play, scrub, said);
    return clock;
  }
}
