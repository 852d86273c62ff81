// Where the links of a scene are: transforms are 16 numbers, row by row.

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply(a, b) {
  const c = new Array(16);
  for (let i = 0; i < 16; i += 4)
    for (let j = 0; j < 4; j++) c[i + j] = a[i] * b[j] + a[i + 1] * b[4 + j] + a[i + 2] * b[8 + j] + a[i + 3] * b[12 + j];
  return c;
}

/** The inverse of a rigid transform. */
export function inverse(T) {
  const turned = [T[0], T[4], T[8], T[1], T[5], T[9], T[2], T[6], T[10]];
  const at = (i) => -(turned[i] * T[3] + turned[i + 1] * T[7] + turned[i + 2] * T[11]);
  return [turned[0], turned[1], turned[2], at(0), turned[3], turned[4], turned[5], at(3), turned[6], turned[7], turned[8], at(6), 0, 0, 0, 1];
}

export const origin = (T) => [T[3], T[7], T[11]];
export const column = (T, k) => [T[k], T[4 + k], T[8 + k]];
export const turn = (T, v) => [0, 4, 8].map((i) => T[i] * v[0] + T[i + 1] * v[1] + T[i + 2] * v[2]);
export const place = (T, p) => [0, 4, 8].map((i) => T[i] * p[0] + T[i + 1] * p[1] + T[i + 2] * p[2] + T[i + 3]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** What a joint does at position q: turns about its axis, slides along it, or both. */
export function motion({ kind, axis, pitch }, q) {
  if (kind === "fixed") return IDENTITY;
  const [x, y, z] = axis;
  if (kind === "prismatic") return [1, 0, 0, x * q, 0, 1, 0, y * q, 0, 0, 1, z * q, 0, 0, 0, 1];
  const c = Math.cos(q), s = Math.sin(q), v = 1 - c, along = kind === "screw" ? pitch * q : 0;
  return [
    c + x * x * v, x * y * v - z * s, x * z * v + y * s, x * along,
    y * x * v + z * s, c + y * y * v, y * z * v - x * s, y * along,
    z * x * v - y * s, z * y * v + x * s, c + z * z * v, z * along,
    0, 0, 0, 1,
  ];
}

/** The links of a scene with parents before children, which files need not have. */
export function parentsFirst(links) {
  const order = [], seen = new Set([-1]);
  const visit = (k) => {
    if (seen.has(k)) return;
    seen.add(k);
    visit(links[k].parent);
    order.push(k);
  };
  links.forEach((_, k) => visit(k));
  return order;
}

export const position = (link, q) => (link.joint < 0 ? link.offset ?? 0 : (link.factor ?? 1) * q[link.joint] + (link.offset ?? 0));

/** Tree of a scene, ready to be posed. */
export class Tree {
  constructor(scene) {
    this.scene = scene;
    this.order = parentsFirst(scene.links);
  }

  /** T_base_link of all links, in their order: parent . before . motion . after. */
  poses(q) {
    const { links } = this.scene, found = new Array(links.length);
    for (const k of this.order) {
      const link = links[k], carried = link.parent < 0 ? link.before : multiply(found[link.parent], link.before);
      found[k] = multiply(multiply(carried, motion(link, position(link, q))), link.after);
    }
    return found;
  }

  /** A frame that rides on a link, in base axes. */
  frame({ link, placement }, poses) {
    return link < 0 ? placement : multiply(poses[link], placement);
  }

  /** Axis and a point of it, in base axes, of the joint that carries link k. */
  axis(k, poses) {
    const { axis, after } = this.scene.links[k], T = multiply(poses[k], inverse(after));
    return { direction: turn(T, axis), point: origin(T) };
  }

  /** How a point moves with the tree joints, and how its link turns: 6 rows (v, omega) of as many columns. */
  jacobian({ link, placement }, poses) {
    const { links, joints } = this.scene, at = origin(this.frame({ link, placement }, poses));
    const rows = Array.from({ length: 6 }, () => new Array(joints.length).fill(0));
    for (let k = link; k >= 0; k = links[k].parent) {
      const { kind, joint, factor = 1, pitch } = links[k];
      if (kind === "fixed" || joint < 0) continue;
      const { direction, point } = this.axis(k, poses);
      const turns = kind === "prismatic" ? [0, 0, 0] : direction, slides = kind === "prismatic" ? 1 : kind === "screw" ? pitch : 0;
      const swing = cross(turns, minus(at, point));
      for (let i = 0; i < 3; i++) {
        rows[i][joint] += factor * (swing[i] + slides * direction[i]);
        rows[3 + i][joint] += factor * turns[i];
      }
    }
    return rows;
  }
}

/** Eigenvalues and eigenvectors (columns) of a symmetric 3 x 3 matrix, by Jacobi's rotations. */
export function eigen3(given) {
  const A = given.map((row) => [...row]), V = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; sweep++) {
    const off = A[0][1] ** 2 + A[0][2] ** 2 + A[1][2] ** 2;
    if (off < 1e-30 * (A[0][0] ** 2 + A[1][1] ** 2 + A[2][2] ** 2) || off === 0) break;
    for (const [p, r] of [[0, 1], [0, 2], [1, 2]]) {
      if (A[p][r] === 0) continue;
      const theta = (A[r][r] - A[p][p]) / (2 * A[p][r]);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1)), c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < 3; k++) [A[k][p], A[k][r]] = [c * A[k][p] - s * A[k][r], s * A[k][p] + c * A[k][r]];
      for (let k = 0; k < 3; k++) [A[p][k], A[r][k]] = [c * A[p][k] - s * A[r][k], s * A[p][k] + c * A[r][k]];
      for (let k = 0; k < 3; k++) [V[k][p], V[k][r]] = [c * V[k][p] - s * V[k][r], s * V[k][p] + c * V[k][r]];
    }
  }
  return { values: [A[0][0], A[1][1], A[2][2]], vectors: V };
}
