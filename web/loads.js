// What joints exert on their links, and what acts on the tool, as arrows: along a motion as it was computed, else the
// weight that an arm without loops carries as it stands.

import * as THREE from "three";
import { cross, minus, origin, place, Tree, turn } from "./kinematics.js";
import { Layer } from "./layer.js";
import { make, number } from "./making.js";
import { between, unpack } from "./packing.js";
import { plain } from "./shapes.js";

const LONGEST = 0.4; // of the arm's size: the largest force or moment of all
const INK = { force: "#c24e00", moment: "#8a4a8f", tool: "#00795c" };
const size = (v) => Math.hypot(...v);
const plus = (a, b) => a.map((x, k) => x + b[k]);

/** Loads along a motion: at a time, of each joint, in base axes. */
export async function movingLoads({ links, loops, curves, wrench }, time, scene) {
  const unpacked = await Promise.all(curves.map((each) => Promise.all(each.map(unpack))));
  const largest = (first) => unpacked.reduce((most, six) => {
    for (let k = 0; k < time.length; k++) most = Math.max(most, Math.hypot(six[first][k], six[first + 1][k], six[first + 2][k]));
    return most;
  }, 0);
  const tree = new Tree(scene);
  // a joint acts at its own origin, in the axes of its link; what closes a loop at its first end, in the axes of its second
  const joints = links.map((link) => ({ name: scene.links[link].name, point: (poses) => tree.axis(link, poses).point, axes: (poses) => poses[link] }));
  const closing = scene.loops.slice(0, loops).map(({ name, first, second }) => ({
    name, point: (poses) => origin(tree.frame(first, poses)), axes: (poses) => tree.frame(second, poses) }));
  const at = (t, poses) => [...joints, ...closing].map(({ name, point, axes }, j) => {
    const six = between(time, unpacked[j], t), T = axes(poses);
    return { name, point: point(poses), force: turn(T, six.slice(0, 3)), moment: turn(T, six.slice(3)) };
  });
  return { at, wrench, most: { force: largest(0), moment: largest(3) }, now: () => 0 };
}

/** What holds the arm against its weight; null where masses are not known, or where loops share it. */
export function standingLoads(view) {
  const { scene, tree } = view, { links, loops, payload, tool, gravity } = scene;
  const moving = links.flatMap(({ kind }, k) => (kind === "fixed" ? [] : [k]));
  if (loops.length || !gravity || !moving.length || moving.some((k) => links[k].mass == null)) return null;
  const carries = (k, link) => link >= 0 && (link === k || carries(k, links[link].parent));
  const held = links.flatMap(({ mass, com }, link) => (mass ? [{ link, mass, at: (poses) => place(poses[link], com) }] : []));
  if (payload) held.push({ link: tool.link, mass: payload.mass, at: (poses) => place(tree.frame(tool, poses), payload.com) });
  const at = (_, poses) => moving.map((link) => {
    const { point } = tree.axis(link, poses), found = { name: links[link].name, point, force: [0, 0, 0], moment: [0, 0, 0] };
    for (const each of held) {
      if (!carries(link, each.link)) continue;
      const push = gravity.map((g) => -each.mass * g);
      found.force = plus(found.force, push);
      found.moment = plus(found.moment, cross(minus(each.at(poses), point), push));
    }
    return found;
  });
  const weight = held.reduce((sum, { mass }) => sum + mass, 0) * size(gravity);
  return { at, wrench: null, most: { force: weight, moment: 0.5 * weight * scene.size }, now: () => 0 };
}

/** An arrow along z with one head or two, to be put anywhere. */
class Arrow {
  constructor(heads, r, material) {
    this.r = r;
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(r, r, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
    this.heads = Array.from({ length: heads }, () => new THREE.Mesh(new THREE.ConeGeometry(2.6 * r, 6 * r, 12).rotateX(Math.PI / 2), material));
    this.object = new THREE.Group();
    this.object.add(this.shaft, ...this.heads);
    this.object.children.forEach((each) => (each.renderOrder = 6));
  }

  point(from, vector, scale) {
    const length = scale * size(vector);
    this.object.position.set(...from);
    this.object.visible = length > 3 * this.r;
    if (!this.object.visible) return;
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...vector).normalize());
    this.shaft.scale.z = length;
    this.heads.forEach((head, k) => head.position.set(0, 0, length - 5 * k * this.r));
  }
}

export class Loads extends Layer {
  static about = { key: "loads", title: "Forces in joints", mark: INK.force,
    note: "of each joint on its link: forces orange, moments violet with two heads, at the tool green" };
  static has = (_, view) => view.loads != null;

  build() {
    const { loads } = this.view, arrow = (heads, ink) => {
      const made = new Arrow(heads, 0.006 * this.size, plain(ink));
      this.group.add(made.object);
      return made;
    };
    this.arrows = loads.at(0, this.view.poses_).map(() => ({ force: arrow(1, INK.force), moment: arrow(2, INK.moment) }));
    this.tool = loads.wrench && { force: arrow(1, INK.tool), moment: arrow(2, INK.tool) };
    this.scale = { force: (LONGEST * this.size) / (loads.most.force || 1), moment: (LONGEST * this.size) / (loads.most.moment || 1) };
    // what acts on the tool is small beside what the first joints carry: it has a scale of its own
    const [push, twist] = loads.wrench ? [0, 3].map((k) => size(loads.wrench.slice(k, k + 3))) : [0, 0];
    this.scale.tool = { force: (0.5 * LONGEST * this.size) / (push || 1), moment: (0.5 * LONGEST * this.size) / (twist || 1) };
    const long = number(LONGEST * this.size), swatch = (ink) => {
      const found = make("i", { class: "swatch" });
      found.style.background = ink;
      return found;
    };
    this.told = make("p", { class: "told" }, swatch(INK.force), `force, ${long} m for ${number(loads.most.force)} N`, swatch(INK.moment),
      `moment, ${long} m for ${number(loads.most.moment)} N m`, ...(loads.wrench ? [swatch(INK.tool), `at the tool ${number(push)} N, ${number(twist)} N m`] : []));
    this.view.holder.append(this.told);
  }

  set(on) {
    super.set(on);
    if (this.told) this.told.hidden = !on;
  }

  pose() {
    const { loads, tree, poses_, scene } = this.view;
    this.drawn = loads.at(loads.now(), poses_);
    this.drawn.forEach(({ point, force, moment }, k) => {
      this.arrows[k].force.point(point, force, this.scale.force);
      this.arrows[k].moment.point(point, moment, this.scale.moment);
    });
    if (!this.tool) return;
    const at = origin(tree.frame(scene.tool, poses_));
    this.tool.force.point(at, loads.wrench.slice(0, 3), this.scale.tool.force);
    this.tool.moment.point(at, loads.wrench.slice(3), this.scale.tool.moment);
  }
}
