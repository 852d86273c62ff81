// The program: the line that runs is marked, lines are coloured by their verdict, a click plays the moves of a line.

export class Listing {
  constructor(holder, lines, clock) {
    Object.assign(this, { holder, clock, now: null });
    this.spans = [];
    for (const { line, spans, verdict } of lines) {
      const row = document.getElementById(`line${line}`);
      if (!row) continue;
      for (const [from, to] of spans) this.spans.push({ from, to, row });
      if (verdict) row.classList.add(verdict);
      if (spans.length) this.#playable(row, line, spans);
    }
    this.spans.sort((a, b) => a.from - b.from);
    if (lines.length) clock.listen((t) => this.mark(t));
  }

  #playable(row, line, spans) {
    const code = row.querySelector("code");
    Object.assign(code, { tabIndex: 0, role: "button", title: "play this line" });
    code.setAttribute("aria-label", `play line ${line}: ${code.textContent.trim()}`);
    const play = () => {
      // the next time this line runs, from the first again after the last
      const [from, to] = spans.find(([start]) => start > this.clock.time + 1e-6) ?? spans[0];
      this.clock.pause();
      this.clock.set(from);
      this.clock.play(to);
    };
    row.classList.add("playable");
    row.addEventListener("click", () => getSelection().isCollapsed && play());
    code.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      play();
    });
  }

  mark(t) {
    const row = this.spans.findLast(({ from, to }) => from <= t + 1e-9 && t <= to + 1e-9)?.row ?? null;
    if (row === this.now) return;
    this.now?.classList.remove("now");
    this.now?.removeAttribute("aria-current");
    row?.classList.add("now");
    row?.setAttribute("aria-current", "true");
    this.now = row;
    if (row) this.reveal(row);
  }

  /** Scrolls the listing, never the page. */
  reveal(row) {
    const { holder } = this, top = row.offsetTop; // the listing is what rows are placed in
    if (top < holder.scrollTop || top + row.offsetHeight > holder.scrollTop + holder.clientHeight)
      holder.scrollTop = top - 0.4 * holder.clientHeight;
  }
}
