"""The order of a batch kernel's instructions, for processors of 16 registers.

Cycle by cycle the instruction with the longest way to the end comes next, less the later it stands in the program; when
as many values are held as there are registers, one that holds no more. LLVM puts each few lines in order and then looks
for registers: what it has to lay aside costs more than the waiting it saved.
"""

from __future__ import annotations

from heapq import heappop, heappush

from torsor.emit.avx_graph import LOADS, MADE, STORES, AvxGraph

LATENCY = {"fma": 4, "fms": 4, "fnma": 4, "mul": 3, "add": 3, "sub": 3, "div": 13, "sqrt": 20, "even": 8, "odd": 8}
PORT = {**dict.fromkeys(("fma", "fms", "fnma", "mul"), "multiply"), **dict.fromkeys(("add", "sub"), "add")}
PORT |= dict.fromkeys(LOADS, "rows")
A_CYCLE = 5  # instructions, of which at most so many at each kind of port
AT_A_PORT = 2
ROWS_APART = 2  # cycles: pairs of rows, four loads each, are spread among the arithmetic, which else waits for them
HELD = 14  # values, beyond which none is added if it can be helped: the rest are operands on their way
# A value is waited for somewhat longer than it takes: what waits in the processor takes up one of its few places for
# what waits (a model of Zen 4 with 32 to 64 of them ranks orders as they measure). A cycle more on the way to the end
# counts as so many places in the program: five of a short one, where other settings are within 3 % on Zen 4, and one of
# a long one, which has enough to do while it waits, so that what it lays aside counts for more. On Zen 5 one takes of
# the time that five takes: of 28 kernels of up to 1,000 nodes 0.96 to 1.06, of 13 of 1,050 to 2,300 nodes 0.90 to 1.0
# (one 1.06), of those of chains of 16 to 64 joints 0.71 to 0.95.
WAITED = 1.25
WAY, WAY_OF_LONG, LONG = 5, 1, 1000


def in_order(graph: AvxGraph) -> list[int]:
    """Numbers of nodes, without constants and without what nobody wants."""
    nodes = graph.nodes
    wanted = _wanted(graph)
    along = WAY if len(nodes) <= LONG else WAY_OF_LONG
    needed = {k: [a for a in dict.fromkeys(nodes[k].args) if nodes[a].op != "const"] for k in wanted}
    gates = [k for k in wanted if nodes[k].op == "leave"]
    for k in wanted:
        if nodes[k].op in STORES:  # what is left for the scalar kernel has not been touched
            needed[k] += gates
    users: dict[int, list[int]] = {k: [] for k in wanted}
    for k in wanted:
        for a in needed[k]:
            users[a].append(k)
    takes = {k: LATENCY.get(nodes[k].op, 1) for k in wanted}
    way: dict[int, int] = {}
    for k in reversed(wanted):
        way[k] = takes[k] + max((way[u] for u in users[k]), default=0)
    # results are stored as they come: they are first
    results = {k for k in wanted if nodes[k].op == "leave" or all(nodes[u].op in STORES for u in users[k])}
    place = {k: k for k in wanted}
    for k in reversed(wanted):  # inputs stand first in the program, and come when the first who wants them does
        if nodes[k].op in LOADS or (needed[k] and all(nodes[a].op in LOADS for a in needed[k])):
            place[k] = min(place[u] for u in users[k])
    ranked = sorted(wanted, key=lambda k: (k not in results, place[k] - along * way[k], k))
    rank = {k: at for at, k in enumerate(ranked)}
    port = {k: PORT.get(nodes[k].op, "") for k in wanted}

    missing = {k: len(needed[k]) for k in wanted}
    left = {k: len(users[k]) for k in wanted}  # who waits for it
    grows = {k: (nodes[k].op in MADE) - sum(left[a] == 1 and nodes[a].op in MADE for a in needed[k]) for k in wanted}
    loads = sum(nodes[k].op in LOADS for k in wanted)
    done_at: dict[int, float] = {}
    waiting: list[tuple[float, int]] = [(0.0, k) for k in wanted if not missing[k]]
    ready: set[int] = set()
    order: list[int] = []
    held, now = 0, 0

    def next_one(free: dict[str, int]) -> int | None:
        first, best = None, None
        for k in ready:
            # a store comes after all loads, since an output may be an input
            if not free[port[k]] or (loads and nodes[k].op in STORES):
                continue
            if first is None or rank[k] < rank[first]:
                first = k
            if best is None or (grows[k], rank[k]) < (grows[best], rank[best]):
                best = k
        if first is None or best is None or held < HELD or first in results:
            return first
        if grows[best] <= 0:
            return best
        return None if any(grows[k] <= 0 for _, k in waiting) else first

    while len(order) < len(wanted):
        while waiting and waiting[0][0] <= now:
            ready.add(heappop(waiting)[1])
        free = {"multiply": AT_A_PORT, "add": AT_A_PORT, "rows": now % ROWS_APART == 0, "": A_CYCLE}
        for _ in range(A_CYCLE):
            best = next_one(free)
            if best is None:
                break
            ready.remove(best)
            order.append(best)
            held += grows[best]
            op = nodes[best].op
            loads -= op in LOADS
            free[port[best]] -= 1
            done_at[best] = now + WAITED * takes[best]
            for a in needed[best]:
                left[a] -= 1
                if left[a] == 1 and nodes[a].op in MADE:
                    last = next(u for u in users[a] if u not in done_at)
                    grows[last] -= 1
            for u in users[best]:
                missing[u] -= 1
                if not missing[u]:
                    at = max(done_at[a] for a in needed[u])
                    if at <= now:
                        ready.add(u)
                    else:
                        heappush(waiting, (at, u))
        now += 1
    return order


def _wanted(graph: AvxGraph) -> list[int]:
    """What leads to a store or decides whether to leave, as it stands in the program."""
    found: set[int] = set()
    pending = [k for k, node in enumerate(graph.nodes) if node.op in STORES or node.op == "leave"]
    while pending:
        k = pending.pop()
        if k not in found and graph.nodes[k].op != "const":
            found.add(k)
            pending += graph.nodes[k].args
    return sorted(found)
