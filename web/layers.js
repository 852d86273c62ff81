// What can be drawn over the arm: frames, axes, their numbers, masses and ellipsoids. Each is made when first asked for.

import * as THREE from "three";
import { close, followers } from "./closing.js";
import { eigen3, multiply } from "./kinematics.js";
import { Layer, Riding } from "./layer.js";
import { make, number } from "./making.js";
import { Loads } from "./loads.js";
import { capsuleBetween, matrixOf, plain } from "./shapes.js";
import { AXES } from "./theme.js";

const DEGREES = 180 / Math.PI;

const glass = (color) =>
  new THREE.MeshStandardMaterial({ color, transparent: true, opacity: 0.32, roughness: 0.4, depthWrite: false });

/** An arrow from the origin: a shaft and a head. */
function arrow(direction, length, r, material) {
  const way = new THREE.Vector3(...direction).normalize(), tip = way.clone().multiplyScalar(length);
  const shaft = new THREE.Mesh(capsuleBetween([0, 0, 0], tip.clone().multiplyScalar(0.86).toArray(), r), material);
  const head = new THREE.Mesh(new THREE.ConeGeometry(3 * r, 0.2 * length, 16), material);
  head.position.copy(way).multiplyScalar(0.9 * length);
  head.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way);
  shaft.renderOrder = head.renderOrder = 5;
  return [shaft, head];
}

function triad(length, r) {
  return [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]].flatMap(([name, way]) => arrow(way, length, r, plain(AXES[name])));
}

class Frames extends Riding {
  static about = { key: "frames", title: "Frames", mark: AXES.x, note: "x orange, y green, z blue" };
  build() {
    const { links, frames, tool } = this.view.scene, long = 0.11 * this.size, r = 0.0028 * this.size;
    const draw = (link, placement, name) => {
      const parts = this.riding(link, ...triad(long, r));
      parts.applyMatrix4(matrixOf(placement));
      if (name) this.word(name, parts);
    };
    const here = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    draw(-1, here, "base");
    links.forEach((link, k) => draw(k, here, link.name));
    frames.forEach(({ link, placement, name }) => draw(link, placement, name));
    draw(tool.link, tool.placement, "tool");
  }
}

class JointAxes extends Riding {
  static about = { key: "axes", title: "Joint axes", mark: "#8a4a8f" };
  build() {
    const { links, joints } = this.view.scene, material = plain("#8a4a8f");
    links.forEach((link, k) => {
      if (link.kind === "fixed") return;
      const length = 0.26 * this.size, parts = this.riding(k, ...arrow(link.axis, length, 0.0022 * this.size, material));
      const back = new THREE.Mesh(capsuleBetween([0, 0, 0], link.axis.map((x) => -0.5 * length * x), 0.0022 * this.size), material);
      back.renderOrder = 5;
      parts.add(back);
      parts.applyMatrix4(matrixOf(link.after).invert());
      const tip = new THREE.Object3D();
      tip.position.set(...link.axis).multiplyScalar(length);
      parts.add(tip);
      this.word(link.joint < 0 ? link.name : joints[link.joint].name, tip);
    });
  }
}

class Numbers extends Riding {
  static about = { key: "numbers", title: "DH rows and screws", mark: "#444b54" };
  static has = ({ links }) => links.some((link) => link.dh || link.screw);
  build() {
    const vector = (v) => `(${v.map(number).join(", ")})`;
    this.view.scene.links.forEach(({ dh, screw, name }, k) => {
      const said = dh
        ? `${name}: a ${number(dh.a)} m, \u03b1 ${number(dh.alpha * DEGREES)}\u00b0, d ${number(dh.d)} m, \u03b8\u2080 ${number(dh.offset * DEGREES)}\u00b0`
        : screw && `${name}: \u03c9 ${vector(screw.omega)}, v ${vector(screw.v)}`;
      if (said) this.word(said, this.view.links[k], "beside numbers");
    });
  }
}

class Centres extends Riding {
  static about = { key: "masses", title: "Centres of mass", mark: "#a07000" };
  static has = ({ links }) => links.some((link) => link.com);
  build() {
    const { links } = this.view.scene, all = links.reduce((sum, link) => sum + (link.mass ?? 0), 0) || 1;
    links.forEach(({ com, mass }, k) => {
      if (!com || !mass) return;
      const ball = new THREE.Mesh(new THREE.SphereGeometry(0.045 * this.size * Math.cbrt(mass / all), 20, 14), plain("#a07000", 0.9));
      ball.renderOrder = 4;
      ball.position.set(...com);
      this.riding(k, ball);
      this.word(`${number(mass)} kg`, ball);
    });
  }
}

class Inertia extends Riding {
  static about = { key: "inertia", title: "Inertia ellipsoids", mark: "#b5447a", note: "of even density, with the same inertia" };
  static has = ({ links }) => links.some((link) => link.ellipsoid);
  build() {
    const material = glass("#b5447a");
    this.view.scene.links.forEach(({ com, ellipsoid }, k) => {
      if (!ellipsoid) return;
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20), material), [a, b, c, d, e, f, g, h, i] = ellipsoid.axes;
      const [x, y, z] = ellipsoid.radii.map((r) => Math.max(r, 1e-4 * this.size));
      ball.applyMatrix4(new THREE.Matrix4().set(a * x, b * y, c * z, com[0], d * x, e * y, f * z, com[1], g * x, h * y, i * z, com[2], 0, 0, 0, 1));
      this.riding(k, ball);
    });
  }
}

/** Where the tool moves easily: the ellipsoid of J J^T, of the free joints, loops staying closed. */
export function manipulability(view) {
  const { tree, scene, q, poses_ } = view;
  const J = tree.jacobian(scene.tool, poses_).slice(0, 3), moves = followers(tree, q);
  const columns = moves.map((rates) => J.map((row) => row.reduce((sum, value, k) => sum + value * rates[k], 0)));
  const JJ = [0, 1, 2].map((i) => [0, 1, 2].map((j) => columns.reduce((sum, v) => sum + v[i] * v[j], 0)));
  const { values, vectors } = eigen3(JJ);
  return { radii: values.map((value) => Math.sqrt(Math.max(value, 0))), axes: vectors };
}

class Manipulability extends Layer {
  static about = { key: "manipulability", title: "Manipulability", mark: "#0067a5", note: "where the tool moves fast for the same joint speeds" };
  build() {
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(1, 36, 24), glass("#0067a5"));
    this.ball.matrixAutoUpdate = false;
    this.group.add(this.ball);
  }
  pose() {
    const { radii, axes } = manipulability(this.view), most = Math.max(...radii, 1e-9);
    const [a, b, c] = radii.map((r) => Math.max((0.22 * this.size * r) / most, 0.002 * this.size));
    const T = this.view.tree.frame(this.view.scene.tool, this.view.poses_), [u, v, w] = axes;
    this.ball.matrix.set(u[0] * a, u[1] * b, u[2] * c, T[3], v[0] * a, v[1] * b, v[2] * c, T[7], w[0] * a, w[1] * b, w[2] * c, T[11], 0, 0, 0, 1);
  }
}

class LoopJoints extends Riding {
  static about = { key: "loops", title: "Loop joints", mark: "#00795c" };
  static has = ({ loops }) => loops.length > 0;
  build() {
    const material = plain("#00795c", 0.9);
    this.view.scene.loops.forEach(({ name, kind, first, second }) => {
      [first, second].forEach(({ link, placement }, k) => {
        const shape = kind === "ball" || kind === "distance" ? new THREE.SphereGeometry(0.02 * this.size, 20, 14) : new THREE.TorusGeometry(0.028 * this.size, 0.005 * this.size, 12, 36);
        const mark = new THREE.Mesh(shape, material);
        mark.renderOrder = 4;
        mark.applyMatrix4(matrixOf(placement));
        this.riding(link, mark);
        if (!k) this.word(`${name} (${kind})`, mark);
      });
    });
  }
}

class Assemblies extends Layer {
  static about = { key: "modes", title: "Assembly modes", mark: "#c24e00", note: "the other ways to put the loops together" };
  static has = ({ modes }) => modes.length > 0;
  build() {
    const { scene, tree } = this.view, material = new THREE.MeshStandardMaterial({ color: "#c24e00", transparent: true, opacity: 0.22, depthWrite: false });
    this.arms = scene.modes.map((mode) => {
      const arm = new THREE.Group();
      arm.add(...this.view.links.map((link) => {
        const copy = link.clone(true);
        copy.traverse((object) => {
          object.userData = {};
          object.castShadow = object.receiveShadow = false;
          if (object.isMesh) object.material = material;
        });
        return copy;
      }));
      this.group.add(arm);
      return { arm, mode, q: close(tree, mode.q) ?? mode.q };
    });
  }
  /** Each assembly goes along with the free joints, as far as its loops close. */
  pose() {
    const { scene, tree, q } = this.view;
    for (const each of this.arms) {
      const found = close(tree, each.q.map((value, k) => (scene.joints[k].free ? q[k] : value)));
      each.arm.visible = found !== null;
      if (!found) continue;
      each.q = found;
      tree.poses(found).forEach((T, k) => each.arm.children[k].matrix.copy(matrixOf(T)));
    }
  }
}

class Payload extends Riding {
  static about = { key: "payload", title: "Payload", mark: "#a07000" };
  static has = ({ payload }) => payload != null;
  build() {
    const { payload, tool } = this.view.scene;
    const ball = new THREE.Mesh(new THREE.SphereGeometry(payload.radius, 28, 20), glass("#a07000"));
    ball.applyMatrix4(matrixOf(multiply(tool.placement, [1, 0, 0, payload.com[0], 0, 1, 0, payload.com[1], 0, 0, 1, payload.com[2], 0, 0, 0, 1])));
    this.riding(tool.link, ball);
    this.word(`${number(payload.mass)} kg`, ball);
  }
}

export const LAYERS = [Frames, JointAxes, Numbers, Centres, Inertia, Manipulability, LoopJoints, Assemblies, Payload, Loads];

/** The layers that this scene has something for, with a legend that switches them. */
export function addLayers(view, holder) {
  const boxes = LAYERS.filter((kind) => !kind.has || kind.has(view.scene, view)).map((kind) => {
    const layer = new kind(view), { key, title, mark, note } = kind.about;
    layer.key = key;
    view.layers.push(layer);
    const swatch = make("i", { class: "swatch" });
    swatch.style.background = mark;
    const box = make("input", { type: "checkbox", id: `layer-${key}`, onchange: () => layer.set(box.checked) });
    layer.box = box;
    return make("label", { title: note ?? title }, box, swatch, title);
  });
  holder.append(make("details", { class: "legend" }, make("summary", {}, "Show"), make("div", {}, ...boxes)));
}
