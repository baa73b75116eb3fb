"""Errors of a graph, given as pairs (cause, effect); an undirected edge is listed in both directions."""

from itertools import combinations


def judge(edges, is_dag, truth):
    """SHD and SHD of classes. An answer that is no DAG counts as an equivalence class, or a part of one."""
    if is_dag and has_cycle(edges):
        raise ValueError("the answer has a cycle")
    return shd(edges, truth), shd_of_classes(class_of(edges) if is_dag else edges, class_of(truth))


def shd(edges, truth):
    """Pairs of variables whose edge is wrong: made up, missing or reversed. One without a direction is right where there is a link."""
    made_up = {frozenset(edge) for edge in edges} - {frozenset(edge) for edge in truth}
    return len(made_up) + len(truth - edges)


def shd_of_classes(edges, others):
    """Pairs of variables that one class links and the other does not, or not the same way."""
    return len({frozenset(edge) for edge in edges ^ others})


def has_cycle(edges):
    rest = set(edges)
    while inner := {(a, b) for a, b in rest if any(a == end for _, end in rest)}:
        if inner == rest:
            return True
        rest = inner
    return False


def class_of(dag):
    """The edges of a DAG's equivalence class, both ways where its members differ (Meek 1995)."""
    is_linked = lambda a, b: (a, b) in dag or (b, a) in dag
    is_open = lambda a, b: is_linked(a, b) and not {(a, b), (b, a)} & fixed
    fixed = {edge for one, other in combinations(dag, 2) if one[1] == other[1] and not is_linked(one[0], other[0]) for edge in (one, other)}

    def is_forced(a, b):
        into_b = [c for c, end in fixed if end == b]
        return (
            any(end == a and not is_linked(c, b) for c, end in fixed)
            or any((a, c) in fixed for c in into_b)
            or any(is_open(a, c) and is_open(a, d) and not is_linked(c, d) for c, d in combinations(into_b, 2))
        )

    while forced := {edge for edge in dag - fixed if is_forced(*edge)}:
        fixed |= forced
    return dag | {(b, a) for a, b in dag - fixed}
