"""A decision diagram of two tables: which pieces of their inputs lead to which class of outcome.

Built level by level with the states that are alive: what is equal from here on is one node, and pieces that lead to the
same node are one branch. The leaf `UNCHANGED` stands for all inputs on which both tables give the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from settledesk.verify.diff.joint import Joint, State
from settledesk.verify.tables.search import Box, places

NODES_MAX = 400_000
"""Branches that are followed in building the diagram."""
PATHS_MAX = 1_000
"""Paths to changed classes that are looked at."""
PATHS_COUNTED_MAX = 100_000
"""Further paths that are counted."""
INSIDE_MAX = 200_000
"""Nodes that are visited to widen boxes."""
UNCHANGED = 0


@dataclass(slots=True)
class Diagram:
    """The diagram. `leaf_of` numbers the leaves: `UNCHANGED`, or a class above it. Nodes have negative numbers."""

    joint: Joint
    leaf_of: Callable[[State], int]
    settled: Callable[[State], bool]
    """Tells early that whatever comes, the rest of a state leads to `UNCHANGED`."""
    order: list[int] = field(init=False)
    exhausted: bool = False
    root: int = field(init=False)
    _left: int = field(default_factory=lambda: NODES_MAX)
    _nodes: list[tuple[int, tuple[tuple[int, int], ...]]] = field(default_factory=list)
    _numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = field(default_factory=dict)
    _known: dict[tuple[int, State], int] = field(default_factory=dict)
    _groups: list[list[tuple[State, int]]] = field(default_factory=list)
    _visits: int = INSIDE_MAX

    def __post_init__(self) -> None:
        groups = [self._grouped(number) for number in range(len(self.joint.dimensions))]
        self.order = sorted(range(len(groups)), key=lambda number: (_spread(groups[number]), number))
        self._groups = [groups[number] for number in self.order]
        old, new = ((1 << len(subject.table.rows)) - 1 for subject in self.joint.subjects)
        self.root = self._build(0, State(old=old, new=new))

    def _grouped(self, number: int) -> list[tuple[State, int]]:
        """Return the distinct states of a dimension, each with its pieces as bits."""
        groups: dict[State, int] = {}
        for place in places(self.joint.domain[number]):
            state = self.joint.states[number][place]
            groups[state] = groups.get(state, 0) | 1 << place
        return list(groups.items())

    def _build(self, level: int, state: State) -> int:
        key = (level, state)
        known = self._known.get(key)
        if known is not None:
            return known
        if level == len(self._groups):
            made = self.leaf_of(state)
        elif self.settled(state):
            made = UNCHANGED
        else:
            made = self._branch(level, state)
        self._known[key] = made
        return made

    def _branch(self, level: int, state: State) -> int:
        self._left -= len(self._groups[level])
        if self._left < 0:
            self.exhausted = True
            return UNCHANGED
        branches: dict[int, int] = {}
        for step, bits in self._groups[level]:
            inner = self._build(level + 1, state.met(step))
            branches[inner] = branches.get(inner, 0) | bits
        if len(branches) == 1:
            return next(iter(branches))
        node = (level, tuple(sorted(branches.items())))
        if node not in self._numbers:
            self._nodes.append(node)
            self._numbers[node] = -len(self._nodes)
        return self._numbers[node]

    def changed(self) -> Iterator[tuple[int, Box]]:
        """Yield every path that leads to a changed class, as a box with its class; the boxes have nothing in common."""
        waiting: list[tuple[int, Box]] = [(self.root, self.joint.domain)]
        while waiting:
            node, box = waiting.pop()
            if node == UNCHANGED:
                continue
            if node > 0:
                yield node, box
                continue
            level, branches = self._nodes[-node - 1]
            number = self.order[level]
            waiting.extend((inner, (*box[:number], bits, *box[number + 1 :])) for inner, bits in reversed(branches))

    def widened(self, leaf: int, box: Box) -> Box:
        """Return the box made as large as it can be: all of it leads to the class still."""
        made = list(box)
        for number in range(len(made)):
            for bits in (group for _, group in self._grouped(number)):
                if bits & ~made[number] and self._visits > 0:
                    wider = [*made[:number], made[number] | bits, *made[number + 1 :]]
                    if self._inside(self.root, leaf, wider, {}):
                        made = wider
        return tuple(made)

    def _inside(self, node: int, leaf: int, box: list[int], seen: dict[int, bool]) -> bool:
        if node >= 0:
            return node == leaf
        known = seen.get(node)
        if known is None:
            self._visits -= 1
            level, branches = self._nodes[-node - 1]
            bits = box[self.order[level]]
            known = all(self._inside(inner, leaf, box, seen) for inner, own in branches if own & bits)
            seen[node] = known
        return known


def _spread(groups: list[tuple[State, int]]) -> float:
    """Return how many rows a piece leaves alive on average: the dimension that leaves fewest comes first."""
    return sum(state.old.bit_count() + state.new.bit_count() for state, _ in groups) / max(1, len(groups))
