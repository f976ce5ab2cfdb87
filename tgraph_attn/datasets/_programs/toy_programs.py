"""Short programs in C++ that a random generator writes, for some tasks."""

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial

_NAMES = ("a", "b", "c", "cnt", "data", "i", "j", "k", "m", "n", "p", "q", "res", "s", "t", "tmp")
_STEPS = ("{0}++;", "++{0};", "{0} += 1;", "{0} = {0} + 1;")

Lines = list[str]


class Writer:
    """What one program is written with: its own names and habits, the same throughout."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._names = iter(sorted(_NAMES, key=lambda _: draw.random()))
        self.declared: Lines = []
        self._streams = draw.random() < 0.5
        self._braces = draw.random() < 0.7
        self._step = self.one_of(*_STEPS)

    def one_of(self, *options: str) -> str:
        """Return one of some texts; the same for the same seed, whatever Python's version."""
        return options[int(self._draw.random() * len(options))]

    def names(self, count: int, size: str = "") -> Iterator[str]:
        """Give names that are not in use yet, and declare them."""
        for _ in range(count):
            name = next(self._names)
            self.declared.append(name + size)
            yield name

    def read(self, *places: str) -> Lines:
        """Read a number into each place."""
        return [f"cin >> {p};" if self._streams else f'scanf("%d", &{p});' for p in places]

    def show(self, value: str) -> Lines:
        """Print a number."""
        return [f"cout << {value} << endl;" if self._streams else f'printf("%d\\n", {value});']

    def step(self, name: str) -> str:
        """Add 1 to a name."""
        return self._step.format(name)

    def block(self, head: str, body: Lines) -> Lines:
        """Put some lines under a head, such as that of a loop."""
        if len(body) == 1 and not self._braces:
            return [head, f"    {body[0]}"]
        return [f"{head} {{", *(f"    {line}" for line in body), "}"]

    def loop(self, end: str, body: Callable[[str], Lines]) -> Lines:
        """Count a name of its own from 0 up to the end, by for or by while."""
        (i,) = self.names(1)
        if self._draw.random() < 0.6:
            step = self.step(i).removesuffix(";")
            return self.block(f"for ({i} = 0; {i} < {end}; {step})", body(i))
        return [f"{i} = 0;", *self.block(f"while ({i} < {end})", [*body(i), self.step(i)])]


def _sum_of_maxima(w: Writer) -> Lines:
    rows, columns, x, total, best = w.names(5)
    inner = [*w.read(x), *w.block(f"if ({x} > {best})", [f"{best} = {x};"])]
    row = [f"{best} = 0;", *w.loop(columns, lambda _: inner), f"{total} += {best};"]
    return [*w.read(rows, columns), f"{total} = 0;", *w.loop(rows, lambda _: row), *w.show(total)]


def _maximum_of_sums(w: Writer) -> Lines:
    rows, columns, x, total, best = w.names(5)
    inner = [*w.read(x), f"{total} += {x};"]
    check = w.block(f"if ({total} > {best})", [f"{best} = {total};"])
    row = [f"{total} = 0;", *w.loop(columns, lambda _: inner), *check]
    return [*w.read(rows, columns), f"{best} = 0;", *w.loop(rows, lambda _: row), *w.show(best)]


def _multiples(w: Writer, of: int) -> Lines:
    n, x, count = w.names(3)
    each = [*w.read(x), *w.block(f"if ({x} % {of} == 0)", [w.step(count)])]
    return [*w.read(n), f"{count} = 0;", *w.loop(n, lambda _: each), *w.show(count)]


def _reverse(w: Writer) -> Lines:
    (n,), (a,) = w.names(1), w.names(1, "[100]")
    fill = w.loop(n, lambda i: w.read(f"{a}[{i}]"))
    return [*w.read(n), *fill, *w.loop(n, lambda i: w.show(f"{a}[{n} - 1 - {i}]"))]


def _sort(w: Writer) -> Lines:
    (n, t), (a,) = w.names(2), w.names(1, "[100]")

    def swap(i: str) -> Lines:
        one, other = f"{a}[{i}]", f"{a}[{i} + 1]"
        return w.block(
            f"if ({one} > {other})", [f"{t} = {one};", f"{one} = {other};", f"{other} = {t};"]
        )

    fill = w.loop(n, lambda i: w.read(f"{a}[{i}]"))
    passes = w.loop(n, lambda _: w.loop(f"{n} - 1", swap))
    return [*w.read(n), *fill, *passes, *w.loop(n, lambda i: w.show(f"{a}[{i}]"))]


def _prime(w: Writer) -> Lines:
    n, d, ok = w.names(3)
    check = w.block(f"if ({n} % {d} == 0)", [f"{ok} = 0;"])
    search = w.block(f"while ({d} * {d} <= {n})", [*check, w.step(d)])
    return [*w.read(n), f"{ok} = 1;", f"{d} = 2;", *search, *w.show(ok)]


def _gcd(w: Writer) -> Lines:
    x, y, rest = w.names(3)
    body = [f"{rest} = {x} % {y};", f"{x} = {y};", f"{y} = {rest};"]
    return [*w.read(x, y), *w.block(f"while ({y} != 0)", body), *w.show(x)]


TASKS: Mapping[str, Callable[[Writer], Lines]] = {
    "gcd": _gcd,
    "maximum_of_sums": _maximum_of_sums,
    "multiples_of_3": partial(_multiples, of=3),
    "multiples_of_7": partial(_multiples, of=7),
    "prime": _prime,
    "reverse": _reverse,
    "sort": _sort,
    "sum_of_maxima": _sum_of_maxima,
}


def toy_program(task: str, seed: str) -> str:
    """Return a program that solves a task; another seed writes it in another way."""
    draw = random.Random(seed)
    writer = Writer(draw)
    body = TASKS[task](writer)
    names = sorted(writer.declared, key=lambda _: draw.random())
    together = [f"int {', '.join(names)};"]
    declared = together if draw.random() < 0.5 else [f"int {name};" for name in names]
    head = "#include <iostream>\n#include <cstdio>\nusing namespace std;\n\nint main()"
    return "\n".join([*writer.block(head, [*declared, *body, "return 0;"]), ""])
