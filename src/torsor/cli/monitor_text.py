"""A stream that was watched, on a terminal: one line while it lasts, tables at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torsor.cli.printing import number, numbers, print_facts, print_table, print_title

if TYPE_CHECKING:
    from torsor.monitoring.frames import MonitorFrame
    from torsor.monitoring.monitoring import Monitor
    from torsor.monitoring.watching import Watched

MOST_FLAGS = 20


def status(frame: MonitorFrame, monitor: Monitor) -> str:
    """What is now."""
    rate, parts = monitor.clock.rate, [f"{frame.time:.2f} s"]
    if rate is not None:
        parts.append(f"{rate:.0f} Hz")
    if frame.latency is not None:
        parts.append(f"{1e3 * frame.latency:.0f} ms late")
    if frame.headroom is not None:
        parts.append(f"{100 * min(frame.headroom.used, 9.99):.0f} % of the acceleration that is achievable")
    parts += [f"{flag.kind} {flag.where}" for flag in frame.active[:3]]
    return ", ".join(parts)


def print_watched(done: Watched) -> None:
    monitor, clock = done.monitor, done.monitor.clock
    print_facts(_facts(done))
    largest = monitor.largest
    if largest is not None:
        machine = monitor.machine
        unit = {name: ("N" if kind == "prismatic" else "N m") for name, kind in _kinds(done)}
        rows = [
            (name, f"{number(float(size))} {unit[name]}" if size == size else "-")
            for name, size in zip(machine.joints, largest.external, strict=True)
        ]
        if monitor.side is not None:
            print_table("Largest torque from outside, by the momentum observer", ["joint", *numbers("torque")], rows)
        who = "motor" if machine.at_motors else "joint"
        sizes = zip(machine.motors, largest.residual, largest.share, machine.units, strict=True)
        print_table(
            "Largest difference to the model, and load as a share of what is there",
            [who, *numbers("measured - model", "load %")],
            [(name, _sized(r, unit), _percent(share)) for name, r, share, unit in sizes],
        )
    flags = monitor.book.flags
    print_table(
        "Flags",
        [*numbers("from s", "to s"), "what", "where", *numbers("at most", "above"), ""],
        [
            (f"{f.time:.3f}", "-" if f.until is None else f"{f.until:.3f}", f.kind, f.where, number(f.size),
             number(f.limit), f.unit)
            for f in flags[:MOST_FLAGS]
        ],
    )  # fmt: skip
    if (left := len(flags) + monitor.book.left_out - MOST_FLAGS) > 0:
        print_facts([(f"and {left} more", "--json has the first thousand")])
    if done.reader.told:
        print_title("Malformed")
        print_facts(("", text) for text in done.reader.told)
    if clock.samples == 0:
        print_facts([("", "no sample came")])


def _facts(done: Watched) -> list[tuple[str, str]]:
    monitor, clock = done.monitor, done.monitor.clock
    facts = [("stream", f"{monitor.arm.name}, {done.ended}, {len(monitor.book.flags)} flags")]
    rate = "" if clock.rate is None else f", {clock.rate:.4g} Hz"
    facts.append(("samples", f"{clock.samples} in {clock.span:.3f} s{rate}"))
    counted = {"lost": clock.lost, "late": clock.late, "out of order": clock.out_of_order}
    counted |= {"malformed": done.reader.malformed, "gaps": clock.restarts, "not looked at": done.overrun}
    facts.append(("trouble", ", ".join(f"{many} {word}" for word, many in counted.items() if many) or "none"))
    if done.latency is not None:
        median, worst = (1e3 * each for each in done.latency)
        facts.append(("latency", f"{median:.1f} ms from arrival to frame, {worst:.1f} ms at most"))
    if monitor.delay:
        facts.append(("speeds", f"from positions, {1e3 * monitor.delay:.0f} ms late"))
    if clock.samples and monitor.side is None:
        facts.append(("torques", "none in the stream: loads are those of the model"))
    if (payload := monitor.payload) is not None:
        facts.append(("payload", f"{payload} beside the model's"))
    if done.record is not None:
        facts.append(("record", done.record.problem or f"{done.record.path}, {done.record.lines} lines"))
    return facts


def document(done: Watched) -> dict[str, Any]:
    """The same as plain values."""
    monitor, clock, largest = done.monitor, done.monitor.clock, done.monitor.largest
    return {
        "robot": monitor.arm.name,
        "ended": done.ended,
        "samples": clock.samples,
        "span": clock.span,
        "rate": clock.rate,
        "lost": clock.lost,
        "late": clock.late,
        "out_of_order": clock.out_of_order,
        "malformed": done.reader.malformed,
        "told": done.reader.told,
        "gaps": clock.restarts,
        "not_looked_at": done.overrun,
        "frames": done.frames,
        "latency": None if done.latency is None else dict(zip(("median", "worst"), done.latency, strict=True)),
        "delay": monitor.delay,
        "torques": monitor.side,
        "joints": monitor.machine.joints,
        "motors": monitor.machine.motors,
        "largest": largest,
        "payload": monitor.payload,
        "flags": monitor.book.flags,
        "flags_left_out": monitor.book.left_out,
        "record": None if done.record is None else str(done.record.path),
        "record_problem": None if done.record is None else done.record.problem,
    }


def _kinds(done: Watched) -> list[tuple[str, str]]:
    machine = done.monitor.machine
    links = machine.model.links_on(machine.joints)
    return [(link.joint.name, link.joint.kind) for link in links]


def _sized(value: float, unit: str) -> str:
    return f"{number(float(value))} {unit}" if value == value else "-"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}" if share == share else "-"
