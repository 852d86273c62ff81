"""A report as one HTML file without scripts or outside parts: tables, and line plots drawn as SVG."""

from html import escape

import numpy as np

from torsor.model.files import write_text

STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1a1a1a, #e8e8e8); --faint: light-dark(#8a8a8a, #8f8f8f);
  --grid: light-dark(#e3e3e3, #3a3a3a); --line: light-dark(#1f5fa8, #7db4f0); --yes: light-dark(#1b7a3d, #5fcf86);
  --no: light-dark(#b3261e, #ff8a80); --page: light-dark(#fff, #161616); }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 64rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.verdict { font-weight: 600; font-size: 1.1rem; } .pass { color: var(--yes); } .fail { color: var(--no); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } th { font-weight: 600; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 1rem; }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--faint); }
svg .title { font-weight: 600; font-size: 12px; fill: var(--ink); }
"""


def table(title, head, rows):
    """A heading and a table; all cells are plain text."""
    line = lambda tag, row: "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in row) + "</tr>"  # noqa: E731
    body = "".join(line("td", row) for row in rows)
    return f'<h2>{escape(title)}</h2><div class="wide"><table>{line("th", head)}{body}</table></div>'


def ticks(low, high, count=5):
    """Round numbers that cover low to high.

    >>> ticks(-3.0, 42.0)
    [0.0, 10.0, 20.0, 30.0, 40.0]
    """
    rough = (high - low) / count or 1.0
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    return [float(k * step) for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def panel(title, x, y, width=320, height=180):
    """One curve y(x) with its axes, as SVG. The y axis always shows zero, so that sizes can be compared."""
    left, right, top, bottom = 52, 8, 24, 22
    y_low, y_high = min(0.0, float(y.min())), max(0.0, float(y.max()))
    y_high = y_high if y_high > y_low else y_low + 1.0
    to_x = lambda v: left + (v - x[0]) / (x[-1] - x[0]) * (width - left - right)  # noqa: E731
    to_y = lambda v: top + (y_high - v) / (y_high - y_low) * (height - top - bottom)  # noqa: E731
    parts = [f'<text class="title" x="{left}" y="14">{escape(title)}</text>']
    for v in ticks(y_low, y_high):
        color = "var(--faint)" if v == 0.0 else "var(--grid)"
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{to_y(v):.1f}" y2="{to_y(v):.1f}" stroke="{color}"/>')
        parts.append(f'<text x="{left - 6}" y="{to_y(v) + 4:.1f}" text-anchor="end">{v:g}</text>')
    low = height - 6
    parts += [f'<text x="{to_x(v):.1f}" y="{low}" text-anchor="middle">{v:g} s</text>' for v in ticks(x[0], x[-1])]
    points = " ".join(f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in zip(x, y, strict=True))
    parts.append(f'<polyline points="{points}" fill="none" stroke="var(--line)" stroke-width="2"/>')
    label = escape(f"{title}: from {y.min():.3g} to {y.max():.3g}")
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def page(path, title, verdict, passed, sections, panels):
    """Writes the report."""
    write_text(
        path,
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f'<h1>{escape(title)}</h1><p class="verdict {"pass" if passed else "fail"}">{escape(verdict)}</p>'
        f'<h2>Joint torques over the move</h2><div class="plots">{"".join(panels)}</div>'
        f"{''.join(sections)}</body></html>\n",
    )
