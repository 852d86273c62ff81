// What the plots show: each as its title, and its curves for the joints that are chosen.

import { shown } from "../making.js";

/** A row of the history from row k of a frame; the last one has the posture, the tool and the headroom. */
export function rowOf(frame, k) {
  const { signals, tree, headroom, tool } = frame, row = {}, last = k === signals.time.length - 1;
  const put = (name, values) => values.forEach((value, i) => (row[`${name} ${i}`] = value));
  put("tree", (tree ?? signals.q)[k]);
  for (const name of ["q", "qd", "external", "threshold", "measured", "model", "residual", "share"]) put(name, signals[name][k]);
  const loads = signals.share[k].filter((value) => value != null);
  row.load = loads.length ? Math.max(...loads) : null;
  if (headroom) Object.assign(row, { used: headroom.used, reached: headroom.reached });
  if (last) [3, 7, 11].forEach((index, axis) => (row[`tool ${axis}`] = tool[index]));
  return row;
}

const units = (list) => [...new Set(list)].join(", ");
const scaled = (name, factor = 1) => (history, rows) => {
  const values = history.slice(name, rows);
  return factor === 1 ? values : values.map((value) => (value == null ? null : factor * value));
};

/** The curve of one thing: `ink` says which colour of the series; `pale` ones lie broad beneath the others. */
const curve = (label, ink, values, more = {}) => ({ label, ink, values, ...more });

const joints = (about, chosen) => about.joints.map((joint, k) => ({ ...joint, k, scale: shown[joint.unit] })).filter(({ k }) => chosen(k));
const motors = (about, chosen) =>
  about.motors.map((motor, k) => ({ ...motor, k })).filter(({ k }) => about.motors.length !== about.joints.length || chosen(k));

function positions(about, chosen) {
  const kept = joints(about, chosen), only = kept.length === 1 && about.scene.joints.find(({ name }) => name === kept[0].name);
  const limit = (value) => (only && value != null ? kept[0].scale.factor * value : null);
  return { unit: units(kept.map(({ scale }) => scale.unit.trim())), limits: [limit(only.lower), limit(only.upper)],
    curves: kept.map(({ name, k, scale }) => curve(name, k, scaled(`q ${k}`, scale.factor))) };
}

function speeds(about, chosen) {
  const kept = joints(about, chosen), most = kept.length === 1 && kept[0].speed != null ? kept[0].speed * kept[0].scale.factor : null;
  return { unit: units(kept.map(({ scale }) => `${scale.unit.trim()}/s`)), limits: [most && -most, most],
    curves: kept.map(({ name, k, scale }) => curve(name, k, scaled(`qd ${k}`, scale.factor))) };
}

function torques(about, chosen) {
  const kept = motors(about, chosen), pale = Boolean(about.torques);
  return { unit: units(kept.map(({ unit }) => unit)), curves: [
    ...kept.map(({ name, k }) => curve(`${name} model`, k, scaled(`model ${k}`), { pale })),
    ...(pale ? kept.map(({ name, k }) => curve(`${name} measured`, k, scaled(`measured ${k}`))) : []),
  ] };
}

const residuals = (about, chosen) => {
  const kept = motors(about, chosen);
  return { unit: units(kept.map(({ unit }) => unit)), curves: kept.map(({ name, k }) => curve(name, k, scaled(`residual ${k}`))) };
};

/** One joint in its unit within its band; several as shares of their thresholds. */
function outside(about, chosen) {
  const kept = joints(about, chosen);
  if (kept.length === 1) {
    const [{ name, k, unit }] = kept, edge = (sign) => curve("threshold", null, scaled(`threshold ${k}`, sign), { edge: true });
    return { unit: unit === "m" ? "N" : "N m", band: true, curves: [edge(1), edge(-1), curve(name, k, scaled(`external ${k}`))] };
  }
  const share = (k) => (history, rows) => {
    const limit = history.slice(`threshold ${k}`, rows);
    return history.slice(`external ${k}`, rows).map((value, i) => (value == null || !limit[i] ? null : (100 * value) / limit[i]));
  };
  return { unit: "% of the threshold", limits: [-100, 100], least: [-110, 110], curves: kept.map(({ name, k }) => curve(name, k, share(k))) };
}

const loads = (about, chosen) => ({ unit: "% of what is there", limits: [null, 100], least: [0, 40],
  curves: motors(about, chosen).map(({ name, k }) => curve(name, k, scaled(`share ${k}`, 100))) });

const most = (name) => (history, rows) => history.slice(name, rows).map((value) => (value == null ? null : Math.min(100 * value, 200)));
const headroom = () => ({ unit: "% of what is achievable", limits: [null, 100], least: [0, 40],
  curves: [curve("reached", 1, most("reached"), { pale: true }), curve("in use", 0, most("used"))] });

export const STRIPS = [
  { key: "outside", title: "Torque from outside", note: "by the momentum observer, within its threshold", of: outside, needs: ({ torques }) => torques },
  { key: "torques", title: "Torques", note: "broad: the model", of: torques },
  { key: "residual", title: "Measured minus model", of: residuals, needs: ({ torques }) => torques },
  { key: "load", title: "Load", of: loads },
  { key: "headroom", title: "Acceleration in use", note: "broad: what is reached of what is asked for", of: headroom, needs: (about, frame) => frame?.headroom },
  { key: "positions", title: "Positions", of: positions },
  { key: "speeds", title: "Speeds", of: speeds },
];
