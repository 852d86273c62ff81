// Closes the loops of a scene: from a posture nearby, the joints that are not free move until all loops are closed.

import { column, cross, dot, minus, origin } from "./kinematics.js";

const CLOSED = 1e-13, OPEN = 1e-9; // of the arm's size: what is aimed for, and what is not closed
const STEPS = 60;

/** Equations of one loop and their derivatives: zero where frame `first` meets frame `second`. */
function equations(tree, loop, poses) {
  const A = tree.frame(loop.first, poses), B = tree.frame(loop.second, poses);
  const Ja = tree.jacobian(loop.first, poses), Jb = tree.jacobian(loop.second, poses);
  const n = tree.scene.joints.length, found = [];
  const gap = minus(origin(B), origin(A));
  const joint = (row, k) => [row[0][k], row[1][k], row[2][k]];
  const speed = (k) => minus(joint(Jb, k), joint(Ja, k));
  const spin = (J, k) => [J[3][k], J[4][k], J[5][k]];
  const add = (left, derivative) => found.push({ left, row: Array.from({ length: n }, (_, k) => derivative(k)) });
  // a component of the gap along an axis that turns with A
  const along = (axis) => add(dot(axis, gap), (k) => dot(axis, speed(k)) + dot(cross(spin(Ja, k), axis), gap));
  // an axis of A and one of B at right angles
  const square = (a, b) =>
    add(dot(a, b), (k) => dot(cross(spin(Ja, k), a), b) + dot(a, cross(spin(Jb, k), b)));
  const [xa, ya, za] = [0, 1, 2].map((k) => column(A, k)), [xb, yb, zb] = [0, 1, 2].map((k) => column(B, k));
  if (loop.kind === "distance") {
    add(0.5 * (dot(gap, gap) / loop.length - loop.length), (k) => dot(gap, speed(k)) / loop.length);
    return found;
  }
  along(xa), along(ya);
  if (loop.kind !== "slider") along(za);
  if (loop.kind === "ball") return found;
  square(xa, zb), square(ya, zb);
  if (loop.kind !== "hinge") square(xa, yb);
  return found;
}

/** Solves A x = b for symmetric positive definite A, by Cholesky's method. */
function solve(A, b) {
  const n = b.length, L = A.map((row) => [...row]), x = [...b];
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) for (let i = j; i < n; i++) L[i][j] -= L[i][k] * L[j][k];
    const pivot = Math.sqrt(Math.max(L[j][j], 1e-300));
    for (let i = j; i < n; i++) L[i][j] /= pivot;
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
  return x;
}

const residual = (tree, q) => {
  const poses = tree.poses(q);
  return tree.scene.loops.flatMap((loop) => equations(tree, loop, poses));
};
const size = (all) => Math.sqrt(all.reduce((sum, { left }) => sum + left * left, 0));

function normal(all, columns, damping) {
  const A = columns.map((i) => columns.map((j) => all.reduce((sum, { row }) => sum + row[i] * row[j], 0)));
  const most = Math.max(...A.map((row, k) => row[k]), 1e-12);
  columns.forEach((_, k) => (A[k][k] += damping * most));
  return A;
}

/**
 * Joint positions with all loops closed, from q: free joints stay where they are. Null where the loops do not close.
 * Damped Gauss-Newton: a step that makes the gap larger is taken back and tried with more damping.
 */
export function close(tree, q) {
  if (!tree.scene.loops.length) return q;
  const tolerance = CLOSED * tree.scene.size;
  const bound = tree.scene.joints.flatMap((joint, k) => (joint.free ? [] : [k]));
  let now = [...q], all = residual(tree, now), gap = size(all), damping = 1e-9;
  for (let step = 0; step < STEPS && gap > tolerance; step++) {
    const slope = bound.map((i) => all.reduce((sum, { row, left }) => sum + row[i] * left, 0));
    const by = solve(normal(all, bound, damping), slope), next = [...now];
    bound.forEach((k, i) => (next[k] -= by[i]));
    const then = residual(tree, next), left = size(then);
    if (left < gap) [now, all, gap, damping] = [next, then, left, Math.max(damping / 10, 1e-12)];
    else if ((damping *= 20) > 1e6) break;
  }
  return gap <= OPEN * tree.scene.size ? now : null;
}

/** The way from q, in steps small enough that the assembly does not change; null where the loops do not close. */
export function closeAlong(tree, q, target) {
  const far = Math.max(...tree.scene.joints.map((joint, k) => (joint.free ? Math.abs(target[k] - q[k]) / (joint.unit === "m" ? tree.scene.size : 1) : 0)), 0);
  const steps = Math.max(1, Math.ceil(far / 0.1));
  let now = q;
  for (let step = 1; step <= steps && now; step++) {
    const next = now.map((value, k) => (tree.scene.joints[k].free ? q[k] + ((target[k] - q[k]) * step) / steps : value));
    now = close(tree, next);
  }
  return now;
}

/** How all joints move with the free ones, as columns: the loops stay closed. */
export function followers(tree, q) {
  const { joints, loops } = tree.scene, free = joints.flatMap((joint, k) => (joint.free ? [k] : []));
  const bound = joints.flatMap((joint, k) => (joint.free ? [] : [k]));
  const unit = (k) => joints.map((_, i) => (i === k ? 1 : 0));
  if (!loops.length || !bound.length) return free.map(unit);
  const all = residual(tree, q), A = normal(all, bound, 1e-12);
  return free.map((k) => {
    const by = solve(A, bound.map((i) => all.reduce((sum, { row }) => sum + row[i] * row[k], 0))), rates = unit(k);
    bound.forEach((i, j) => (rates[i] = -by[j]));
    return rates;
  });
}
