// Draws the plots of a report from the numbers in #plots. All plots share one time axis: zooming one zooms all.
"use strict";
(() => {
  const given = JSON.parse(document.getElementById("plots").textContent);
  const unpack = (curve) => curve.values.map((v) => (v == null ? null : curve.from + v * curve.step));
  const time = unpack(given.time);
  const probe = document.body.appendChild(document.createElement("span"));
  const color = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  let ink = {};
  const mix = () => {
    for (const name of ["soft", "rule", "line", "given", "limit", "over", "over-soft"]) ink[name] = color(name);
  };
  mix();

  const all = [];
  const zoom = (min, max) => all.forEach((plot) => plot.setScale("x", { min, max }));
  const number = (v) => (v == null ? "" : Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 1 ? v.toFixed(2) : v.toPrecision(3));

  // behind the curves: where limits are exceeded, where moves begin, the limits themselves
  const backdrop = (panel) => (u) => {
    const { ctx } = u, { left, top, width, height } = u.bbox, ratio = devicePixelRatio;
    const x = (t) => u.valToPos(t, "x", true), y = (v) => u.valToPos(v, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.fillStyle = ink["over-soft"];
    for (const [a, b] of panel.spans) {
      const from = x(a), wide = Math.max(x(b) - from, 2 * ratio);
      ctx.fillRect(from, top, wide, height);
      ctx.fillStyle = ink.over;
      ctx.fillRect(from, top, wide, 3 * ratio);
      ctx.fillStyle = ink["over-soft"];
    }
    ctx.lineWidth = ratio;
    ctx.strokeStyle = ink.rule;
    for (const [t] of given.moves) {
      const at = Math.round(x(t)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(at, top);
      ctx.lineTo(at, top + height);
      ctx.stroke();
    }
    ctx.strokeStyle = ink.limit;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([6 * ratio, 4 * ratio]);
    for (const limit of panel.limits) {
      if (limit == null) continue;
      ctx.beginPath();
      ctx.moveTo(left, y(limit));
      ctx.lineTo(left + width, y(limit));
      ctx.stroke();
    }
    ctx.restore();
  };

  // a limit is shown where the curve comes near it, else the curve would be a line
  const range = (panel) => (u, low, high) => {
    if (low == null) [low, high] = [0, 1];
    if (panel.zero) low = Math.min(low, 0);
    const [least, most] = panel.limits;
    if (panel.unit === "%") [low, high] = [Math.min(low, -100), Math.max(high, 100)];
    else {
      const near = 0.35 * Math.max(Math.abs(low), Math.abs(high), high - low);
      if (most != null && high > most - 2 * near) high = Math.max(high, most);
      if (least != null && low < least + 2 * near) low = Math.min(low, least);
    }
    const air = 0.06 * (high - low || Math.abs(high) || 1);
    return [panel.zero && low === 0 ? 0 : low - air, high + air];
  };

  const axis = (extra) => ({
    stroke: () => ink.soft, font: "11px system-ui, sans-serif",
    grid: { stroke: () => ink.rule, width: 1 }, ticks: { show: false }, ...extra,
  });
  const look = [
    { stroke: () => ink.line, width: 1.5 },
    { stroke: () => ink.given, width: 1.2, dash: [4, 3] },
  ];

  const draw = (holder, panel) => {
    const box = holder.appendChild(document.createElement("div"));
    box.className = "plot";
    const head = box.appendChild(document.createElement("h3"));
    head.append(panel.name);
    const readout = head.appendChild(document.createElement("small"));
    const curves = panel.series.map(unpack);
    const rest = panel.series.length > 1 ? `${panel.unit}, dashed: ${panel.series[1].label}` : panel.unit;
    readout.textContent = rest;
    const plot = new uPlot({
      width: box.clientWidth, height: 170, legend: { show: false },
      cursor: { sync: { key: "time" }, y: false, drag: { x: true, y: false, setScale: false }, bind: {
        dblclick: () => () => { zoom(0, given.end); return null; },
      } },
      scales: { x: { time: false, range: (u, a, b) => [a, b] }, y: { range: range(panel) } },
      axes: [
        axis({ size: 26, gap: 3, grid: { show: false }, values: (u, at) => at.map((v, k) => (k === at.length - 1 ? `${v} s` : `${v}`)) }),
        axis({ size: 46, gap: 4, space: 26 }),
      ],
      series: [{}, ...panel.series.map((s, k) => ({ label: s.label, points: { show: false }, ...look[k] }))],
      hooks: {
        drawClear: [backdrop(panel)],
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          zoom(from, to);
        }],
        setCursor: [(u) => {
          const k = u.cursor.idx;
          readout.textContent = k == null ? rest
            : `${time[k].toFixed(2)} s: ${curves.map((c) => number(c[k])).filter((v) => v !== "").join(" / ")} ${panel.unit}`;
        }],
      },
    }, [time, ...curves], box);
    all.push(plot);
  };

  for (const group of given.groups)
    for (const panel of group.panels) draw(document.getElementById(`plots-${group.key}`), panel);
  zoom(0, given.end);

  const fit = () => all.forEach((plot) => plot.setSize({ width: plot.root.parentNode.clientWidth, height: 170 }));
  new ResizeObserver(fit).observe(document.querySelector("main"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    mix();
    all.forEach((plot) => plot.redraw());
  });
})();
