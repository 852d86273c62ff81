// Shapes of a scene as meshes of three.js.

import * as THREE from "three";
import { inflate } from "./packing.js";

// Clean and quiet, so that what is drawn over the arm stands out; the style sheet's blue for what turns.
const LOOKS = {
  light: { link: "#d9dee4", joint: "#4d5f73", visual: "#ccd2d9", tool: "#00795c", payload: "#a07000", base: "#aeb7c1" },
  dark: { link: "#b9c1cb", joint: "#5d7fa3", visual: "#b3bbc5", tool: "#4fd0a8", payload: "#e8c15a", base: "#7d8894" },
};

export class Looks {
  constructor(dark) {
    this.dark = dark;
    this.made = new Map();
  }

  /** One material for each colour and opacity, whoever asks. */
  of({ role, color, opacity = 1 }, { ghost = false } = {}) {
    const shade = color ?? LOOKS[this.dark ? "dark" : "light"][role] ?? LOOKS.light.link;
    const key = `${shade}|${opacity}|${role}|${ghost}`;
    if (!this.made.has(key)) this.made.set(key, this.#make(shade, role, ghost ? 0.28 * opacity : opacity, ghost));
    return this.made.get(key);
  }

  #make(shade, role, opacity, ghost) {
    const polished = role === "joint";
    return new THREE.MeshStandardMaterial({
      color: ghost ? (this.dark ? "#ff9a52" : "#c24e00") : shade,
      roughness: polished ? 0.38 : 0.55,
      metalness: polished ? 0.35 : 0.05,
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity >= 1,
      side: role === "visual" ? THREE.DoubleSide : THREE.FrontSide,
    });
  }
}

export const matrixOf = (T) => new THREE.Matrix4().set(...T);

/** Turns z of three's own up direction: its capsules and cylinders stand along y, ours along z. */
const UPRIGHT = new THREE.Matrix4().makeRotationX(Math.PI / 2);

export function capsuleBetween(a, b, r) {
  const from = new THREE.Vector3(...a), way = new THREE.Vector3(...b).sub(from), length = way.length();
  const geometry = new THREE.CapsuleGeometry(r, length, 10, 28);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), length > 1e-9 ? way.clone().divideScalar(length) : new THREE.Vector3(0, 1, 0));
  return geometry.applyMatrix4(new THREE.Matrix4().compose(from.addScaledVector(way, 0.5), turn, new THREE.Vector3(1, 1, 1)));
}

/** A cylinder along z with its edge taken off, as turned parts have. */
function turned(r, length) {
  const edge = Math.min(0.08 * r, 0.12 * length), half = 0.5 * length;
  const outline = [[0, -half], [r - edge, -half], [r, -half + edge], [r, half - edge], [r - edge, half], [0, half]];
  return new THREE.LatheGeometry(outline.map(([x, y]) => new THREE.Vector2(x, y)), 40).toNonIndexed().applyMatrix4(UPRIGHT);
}

function faceted(geometry) {
  geometry.computeVertexNormals();
  return geometry;
}

export function geometryOf(shape, meshes) {
  switch (shape.kind) {
    case "capsule": return capsuleBetween(shape.a, shape.b, shape.r);
    case "cylinder": return new THREE.CylinderGeometry(shape.r, shape.r, shape.length, 40).applyMatrix4(UPRIGHT);
    case "box": return new THREE.BoxGeometry(...shape.size);
    case "sphere": return new THREE.SphereGeometry(shape.r, 32, 20);
    case "mesh": return meshes[shape.mesh];
    default: throw new Error(`no shape ${shape.kind}`);
  }
}

export function drawn(shape, meshes, material) {
  const geometry = shape.kind === "cylinder" && shape.role === "joint" ? faceted(turned(shape.r, shape.length)) : geometryOf(shape, meshes);
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = (shape.opacity ?? 1) >= 1;
  if (shape.T) {
    const scale = shape.scale ? new THREE.Matrix4().makeScale(...shape.scale) : new THREE.Matrix4();
    mesh.matrixAutoUpdate = false;
    mesh.matrix.multiplyMatrices(matrixOf(shape.T), scale);
  }
  mesh.userData.shape = shape;
  return mesh;
}

/** The meshes that a scene brings along, with edges kept sharp where faces meet steeply. */
export async function unpackMeshes(meshes) {
  return Promise.all(
    (meshes ?? []).map(async ({ low, high, vertices, triangles }) => {
      const steps = new Uint16Array(await inflate(vertices)), corners = new Uint32Array(await inflate(triangles));
      const places = new Float32Array(steps.length);
      for (let k = 0; k < steps.length; k++) places[k] = low[k % 3] + ((high[k % 3] - low[k % 3]) * steps[k]) / 65535;
      return sharp(places, corners);
    }),
  );
}

const SHARP = Math.cos((35 * Math.PI) / 180);

/** Normals averaged over faces that meet smoothly, left apart over edges. */
function sharp(places, corners) {
  const count = corners.length / 3, normals = new Float32Array(corners.length), areas = new Float32Array(corners.length);
  const at = (k) => [places[3 * k], places[3 * k + 1], places[3 * k + 2]];
  const meeting = new Map();
  for (let f = 0; f < count; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => at(corners[3 * f + k]));
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], size = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; k++) {
      areas[3 * f + k] = n[k];
      normals[3 * f + k] = n[k] / size;
      const key = at(corners[3 * f + k]).join();
      if (!meeting.has(key)) meeting.set(key, []);
      meeting.get(key).push(f);
    }
  }
  const flat = new Float32Array(9 * count), smooth = new Float32Array(9 * count);
  for (let f = 0; f < count; f++)
    for (let k = 0; k < 3; k++) {
      const place = at(corners[3 * f + k]), sum = [0, 0, 0];
      for (const other of meeting.get(place.join())) {
        const dot = normals[3 * f] * normals[3 * other] + normals[3 * f + 1] * normals[3 * other + 1] + normals[3 * f + 2] * normals[3 * other + 2];
        if (dot >= SHARP) for (let i = 0; i < 3; i++) sum[i] += areas[3 * other + i];
      }
      const size = Math.hypot(...sum) || 1;
      for (let i = 0; i < 3; i++) {
        flat[9 * f + 3 * k + i] = place[i];
        smooth[9 * f + 3 * k + i] = sum[i] / size;
      }
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(flat, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(smooth, 3));
  return geometry;
}
