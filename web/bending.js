// The arm as it bends: links moved by what joints and links give way, those that bend drawn through their nodes, all of it
// as small and linear as torsor computes it, exaggerated by a factor. See torsor/scene/drawn_bends.py.

import * as THREE from "three";
import { cross, origin, place, turn } from "./kinematics.js";
import { between } from "./packing.js";
import { ringed } from "./shapes.js";
import { amountColor } from "./theme.js";

const plus = (a, b, scale = 1) => [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
const NOWHERE = { v: [0, 0, 0], w: [0, 0, 0] }; // a small motion of space: p moves by v + w x p
export const moved = ({ v, w }, p) => plus(v, cross(w, p));

export class Bending {
  constructor(view, given) {
    Object.assign(this, { view, given, factor: given.factor, x: new Array(given.coordinates).fill(0), colored: true, values: null, most: given.colours[0].most });
    this.skins = given.links.flatMap(({ beam }, k) => (beam ? [new Skin(view, k, beam)] : []));
    view.bending = this;
    this.dress();
  }

  /** How small coordinates x move each link, in base axes. */
  motions(poses, x) {
    const found = [], { links } = this.given;
    for (const k of this.view.tree.order) {
      const { carrier, steps } = links[k];
      let { v, w } = carrier < 0 ? NOWHERE : found[carrier];
      for (const { coordinate, on, at, moves } of steps) {
        const size = x[coordinate];
        if (!size) continue;
        const T = on === "link" ? poses[k] : carrier < 0 ? null : poses[carrier];
        const point = T ? place(T, at) : at, [slide, spin] = [moves.slice(0, 3), moves.slice(3)].map((each) => (T ? turn(T, each) : each));
        w = plus(w, spin, size);
        v = plus(v, plus(slide, cross(spin, point), -1), size);
      }
      found[k] = { v, w };
    }
    return found;
  }

  /** Where the links are drawn: T_base_link of each, moved as far as the factor says. Links that bend are bent. */
  placed(poses) {
    const { factor } = this, motions = this.motions(poses, this.x);
    const drawn = poses.map((T, k) => {
      const { v, w } = motions[k], p = origin(T), to = plus(p, moved({ v, w }, p), factor);
      const columns = [0, 1, 2].map((i) => {
        const axis = [T[i], T[4 + i], T[8 + i]];
        return plus(axis, cross(w, axis), factor);
      });
      return new THREE.Matrix4().makeBasis(...columns.map((each) => new THREE.Vector3(...each))).setPosition(...to);
    });
    this.skins.forEach((skin) => skin.bend(this, poses[skin.link], motions[skin.link], drawn[skin.link]));
    return drawn;
  }

  dress() {
    this.skins.forEach((skin) => skin.dress(this.colored));
  }

  /** Nodes of the links that bend, as they are drawn: by name of the link, in base axes. */
  nodes() {
    return Object.fromEntries(this.skins.map(({ link, drawn }) => [this.view.scene.links[link].name, drawn]));
  }
}

/** A link that bends: every vertex of its shapes goes along with the place of the beam that it is nearest to. */
class Skin {
  constructor(view, link, beam) {
    Object.assign(this, { link, beam, modes: beam.shapes[0].length / 6 });
    this.meshes = view.links[link].children.filter((mesh) => mesh.isMesh && mesh.userData.shape).map((mesh) => this.#rigged(mesh, view));
  }

  #rigged(mesh, view) {
    const { shape } = mesh.userData, geometry = ringed(shape, view.meshes).applyMatrix4(mesh.matrix);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.identity();
    mesh.frustumCulled = false;
    mesh.geometry = geometry;
    const { position, normal } = geometry.attributes, count = position.count;
    geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * count).fill(1), 3));
    const rig = { mesh, rest: position.array.slice(), upright: normal.array.slice(), nodes: new Uint16Array(2 * count), share: new Float32Array(count), away: new Float32Array(3 * count) };
    for (let k = 0; k < count; k++) this.#nearest(rig, k);
    return rig;
  }

  /** The place of the beam that is nearest to a vertex, and how the vertex lies beside it. */
  #nearest(rig, k) {
    const p = [rig.rest[3 * k], rig.rest[3 * k + 1], rig.rest[3 * k + 2]], { nodes, elements } = this.beam;
    let least = Infinity;
    for (const [a, b] of elements) {
      const along = plus(nodes[b], nodes[a], -1), off = plus(p, nodes[a], -1), long = along[0] ** 2 + along[1] ** 2 + along[2] ** 2;
      const share = Math.min(Math.max((off[0] * along[0] + off[1] * along[1] + off[2] * along[2]) / long, 0), 1);
      const beside = plus(off, along, -share), far = beside[0] ** 2 + beside[1] ** 2 + beside[2] ** 2;
      if (far >= least - 1e-12) continue;
      least = far;
      rig.nodes.set([a, b], 2 * k);
      rig.share[k] = share;
      rig.away.set(beside, 3 * k);
    }
  }

  /** What the link's own shapes displace and turn each node by, in the axes of the link. */
  #bent(x) {
    const { modes, beam: { first, shapes } } = this;
    return shapes.map((each) => Array.from({ length: 6 }, (_, i) => {
      let sum = 0;
      for (let m = 0; m < modes; m++) sum += each[modes * i + m] * x[first + m];
      return sum;
    }));
  }

  bend({ x, factor, values, most, colored, unit = 1e3 }, T, motion, drawn) {
    const own = this.#bent(x), { nodes } = this.beam;
    const small = nodes.map((node, k) => plus(moved(motion, place(T, node)), turn(T, own[k].slice(0, 3))));
    this.drawn = nodes.map((node, k) => plus(place(T, node), small[k], factor));
    const told = values?.[this.link] ?? small.map((each) => unit * Math.hypot(...each));
    const colors = colored && told.map((value) => new THREE.Color().setRGB(...amountColor(value / (most || 1)), THREE.SRGBColorSpace));
    // the link's group is moved already, and stretched a little by it, being linear: what bends is written in its axes
    const R = new THREE.Matrix4().set(...T).setPosition(0, 0, 0), back = drawn.clone().setPosition(0, 0, 0).invert().multiply(R).toArray();
    const into = ([a, b, c]) => [back[0] * a + back[4] * b + back[8] * c, back[1] * a + back[5] * b + back[9] * c, back[2] * a + back[6] * b + back[10] * c];
    const shift = own.map((each) => into(each.slice(0, 3).map((v) => factor * v))), spin = own.map((each) => each.slice(3).map((v) => factor * v));
    for (const rig of this.meshes) this.#move(rig, shift, spin, into, colors);
  }

  #move({ mesh, rest, upright, nodes, share, away }, shift, spin, into, colors) {
    const { position, normal, color } = mesh.geometry.attributes;
    for (let k = 0; k < share.length; k++) {
      const a = nodes[2 * k], b = nodes[2 * k + 1], s = share[k], i = 3 * k;
      const mix = (all) => [0, 1, 2].map((c) => all[a][c] + s * (all[b][c] - all[a][c]));
      const w = mix(spin), u = mix(shift), beside = into(cross(w, [away[i], away[i + 1], away[i + 2]]));
      const n = [upright[i], upright[i + 1], upright[i + 2]], leaning = cross(w, n);
      for (let c = 0; c < 3; c++) {
        position.array[i + c] = rest[i + c] + u[c] + beside[c];
        normal.array[i + c] = n[c] + leaning[c];
      }
      if (!colors) continue;
      const [one, other] = [colors[a], colors[b]];
      color.array[i] = one.r + s * (other.r - one.r);
      color.array[i + 1] = one.g + s * (other.g - one.g);
      color.array[i + 2] = one.b + s * (other.b - one.b);
    }
    position.needsUpdate = normal.needsUpdate = color.needsUpdate = true;
  }

  /** Tubes carry the colour; joints and tools keep their own. */
  dress(colored) {
    for (const { mesh } of this.meshes) {
      if (mesh.userData.shape.role !== "link" && mesh.userData.shape.role !== "visual") continue;
      if (!colored) continue;
      mesh.material = mesh.material.clone();
      mesh.material.vertexColors = true;
      mesh.material.color.set("#ffffff");
    }
  }
}

/** Coordinates over time: what swings, and what hangs besides. */
export class SwingCurves {
  constructor(time, swing, weight) {
    Object.assign(this, { time, swing, weight });
  }

  at(t, heavy) {
    const x = between(this.time, this.swing, t), more = heavy ? between(this.time, this.weight, t) : null;
    return more ? x.map((value, k) => value + more[k]) : x;
  }
}
