// Shapes of a scene as meshes of three.js.

import * as THREE from "three";
import { inflate } from "./packing.js";

// Clean and quiet, so that what is drawn over the arm stands out; the style sheet's blue for what turns.
const LOOKS = {
  light: { link: "#f1f3f6", joint: "#5f7f9f", visual: "#e3e7eb", tool: "#00795c", payload: "#a07000", base: "#8c97a3", cell: "#d9c8a9" },
  dark: { link: "#dfe4ea", joint: "#5f8fbf", visual: "#ccd3da", tool: "#4fd0a8", payload: "#e8c15a", base: "#7d8894", cell: "#8a7a5c" },
};

export class Looks {
  constructor(dark) {
    this.dark = dark;
    this.made = new Map();
  }

  /** One material for each colour and opacity, whoever asks. */
  of({ role, color, opacity = 1 }, { ghost = false } = {}) { // a ghost is elsewhere; a "rigid" one is the arm unbent
    const shade = color ?? LOOKS[this.dark ? "dark" : "light"][role] ?? LOOKS.light.link;
    const key = `${shade}|${opacity}|${role}|${ghost}`;
    if (!this.made.has(key)) this.made.set(key, this.#make(shade, role, ghost ? (ghost === "rigid" ? 0.26 : 0.28) * opacity : opacity, ghost));
    return this.made.get(key);
  }

  #make(shade, role, opacity, ghost) {
    if (ghost === "rigid") return evenTone(this.dark ? [0.72, 0.77, 0.82] : [0.2, 0.25, 0.3], opacity);
    const polished = role === "joint";
    return new THREE.MeshStandardMaterial({
      color: ghost ? (this.dark ? "#ff9a52" : "#c24e00") : shade,
      roughness: polished ? 0.35 : 0.5,
      metalness: polished ? 0.12 : 0.0,
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity >= 1,
      polygonOffset: Boolean(ghost), // where it lies on the arm it is behind it, and does not flicker
      polygonOffsetFactor: 4,
      polygonOffsetUnits: 8,
      side: role === "visual" ? THREE.DoubleSide : THREE.FrontSide,
    });
  }
}

/** One even tone, however often it covers itself: of what is drawn there the strongest counts. */
const evenTone = (color, opacity) =>
  new THREE.MeshBasicMaterial({
    color: new THREE.Color().setRGB(...color.map((x) => x * opacity), THREE.SRGBColorSpace), opacity, depthWrite: false, depthTest: false, toneMapped: false,
    blending: THREE.CustomBlending, blendEquation: THREE.MaxEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
  });

/** A flat colour, over everything else unless told. */
export const plain = (color, opacity = 1, over = true) =>
  new THREE.MeshBasicMaterial({ color, transparent: opacity < 1 || over, opacity, depthTest: !over });

export const matrixOf = (T) => new THREE.Matrix4().set(...T);

const AROUND = 24; // corners of what is round
const ROUGH = 8; // of its shadow
const RINGS = 14; // between the ends of what bends

/** Round at both ends, and thinner at the second where that has another radius; with rings between where it shall bend. */
export function capsuleBetween(a, b, r, thin = r, around = AROUND, rings = 0) {
  const from = new THREE.Vector3(...a), way = new THREE.Vector3(...b).sub(from), length = way.length(), outline = [];
  const tilt = Math.asin(Math.min((r - thin) / Math.max(length, 1e-9), 1)); // where the cone touches both balls
  const arc = (at, radius, first, last) => {
    const count = Math.ceil(around / 5);
    for (let k = 0; k <= count; k++) {
      const angle = first + ((last - first) * k) / count;
      outline.push(new THREE.Vector2(Math.max(radius * Math.cos(angle), 0), at + radius * Math.sin(angle)));
    }
  };
  arc(0, r, -Math.PI / 2, tilt);
  const first = outline.at(-1), last = new THREE.Vector2(thin * Math.cos(tilt), length + thin * Math.sin(tilt));
  for (let k = 1; k <= rings; k++) outline.push(first.clone().lerp(last, k / (rings + 1)));
  arc(length, thin, tilt, Math.PI / 2);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), length > 1e-9 ? way.divideScalar(length) : new THREE.Vector3(0, 1, 0));
  return new THREE.LatheGeometry(outline, around).applyMatrix4(new THREE.Matrix4().compose(from, turn, new THREE.Vector3(1, 1, 1)));
}

/** A cylinder along z with its edge taken off, as turned parts have: a ring of corners at both ends of each face. */
function turned(r, length, around) {
  const edge = Math.min(0.08 * r, 0.12 * length), half = 0.5 * length;
  const outline = [[0, -half], [r - edge, -half], [r, -half + edge], [r, half - edge], [r - edge, half], [0, half]];
  const places = [], normals = [], corners = [];
  for (let k = 1; k < outline.length; k++) {
    const [[r0, z0], [r1, z1]] = [outline[k - 1], outline[k]], long = Math.hypot(r1 - r0, z1 - z0), first = places.length / 3;
    for (let i = 0; i <= around; i++) {
      const c = Math.cos((2 * Math.PI * i) / around), s = Math.sin((2 * Math.PI * i) / around);
      places.push(r0 * c, r0 * s, z0, r1 * c, r1 * s, z1);
      for (let end = 0; end < 2; end++) normals.push(((z1 - z0) / long) * c, ((z1 - z0) / long) * s, (r0 - r1) / long);
      const at = first + 2 * i;
      if (i < around) corners.push(at, at + 2, at + 1, at + 1, at + 2, at + 3);
    }
  }
  const geometry = new THREE.BufferGeometry().setIndex(corners);
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  return geometry;
}

function geometryOf(shape, meshes, around = AROUND) {
  switch (shape.kind) {
    case "capsule": return capsuleBetween(shape.a, shape.b, shape.r, shape.thin, around);
    case "cylinder": return turned(shape.r, shape.length, around);
    case "box": return new THREE.BoxGeometry(...shape.size);
    case "sphere": return new THREE.SphereGeometry(shape.r, around, around / 2);
    case "mesh": return meshes[shape.mesh];
    default: throw new Error(`no shape ${shape.kind}`);
  }
}

export function drawn(shape, meshes, material) {
  const mesh = new THREE.Mesh(geometryOf(shape, meshes), material);
  mesh.castShadow = mesh.receiveShadow = (shape.opacity ?? 1) >= 1;
  if (shape.T) {
    const scale = shape.scale ? new THREE.Matrix4().makeScale(...shape.scale) : new THREE.Matrix4();
    mesh.matrixAutoUpdate = false;
    mesh.matrix.multiplyMatrices(matrixOf(shape.T), scale);
  }
  mesh.userData.shape = shape;
  return mesh;
}

/** The same with corners all along, of its own: it shall bend. */
export const ringed = (shape, meshes) =>
  shape.kind === "capsule" ? capsuleBetween(shape.a, shape.b, shape.r, shape.thin, AROUND, RINGS) : geometryOf(shape, meshes).clone();

/** The same with few triangles, for its shadow. */
export const roughly = (shape, meshes) => geometryOf(shape, meshes, ROUGH);

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

/** Which vertices stand at the same place: a number for each. */
function spots(places) {
  const known = new Map(), found = new Uint32Array(places.length / 3);
  for (let k = 0; k < found.length; k++) {
    const key = `${Math.round(1e6 * places[3 * k])},${Math.round(1e6 * places[3 * k + 1])},${Math.round(1e6 * places[3 * k + 2])}`;
    if (!known.has(key)) known.set(key, known.size);
    found[k] = known.get(key);
  }
  return found;
}

/** A geometry whose normals are averaged over faces that meet smoothly, and left apart over edges. */
function sharp(places, corners) {
  const count = corners.length / 3, normals = new Float32Array(corners.length), areas = new Float32Array(corners.length);
  const spot = spots(places), meeting = [];
  const a = new THREE.Vector3(), u = new THREE.Vector3(), v = new THREE.Vector3();
  for (let f = 0; f < count; f++) {
    a.fromArray(places, 3 * corners[3 * f]);
    u.fromArray(places, 3 * corners[3 * f + 1]).sub(a);
    v.fromArray(places, 3 * corners[3 * f + 2]).sub(a);
    u.cross(v).toArray(areas, 3 * f);
    u.normalize().toArray(normals, 3 * f);
    for (let k = 0; k < 3; k++) (meeting[spot[corners[3 * f + k]]] ??= []).push(f);
  }
  const flat = new Float32Array(9 * count), smooth = new Float32Array(9 * count);
  for (let f = 0; f < count; f++) {
    u.fromArray(normals, 3 * f);
    for (let k = 0; k < 3; k++) {
      const corner = corners[3 * f + k];
      a.set(0, 0, 0);
      for (const other of meeting[spot[corner]])
        if (u.dot(v.fromArray(normals, 3 * other)) >= SHARP) a.add(v.fromArray(areas, 3 * other));
      a.normalize().toArray(smooth, 9 * f + 3 * k);
      for (let i = 0; i < 3; i++) flat[9 * f + 3 * k + i] = places[3 * corner + i];
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(flat, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(smooth, 3));
  return geometry;
}
