"""One program of a data set."""

from typing import NamedTuple


class Program(NamedTuple):
    """One program.

    Attributes:
        label: The name of its class.
        name: Its name within the class.
        source: Its file.
    """

    label: str
    name: str
    source: bytes

    @property
    def origin(self) -> str:
        """Class and name, such as "1/10"."""
        return f"{self.label}/{self.name}"


def in_order(programs: list[Program]) -> list[Program]:
    """Return the programs by class, then by name; names that are numbers come by these."""
    return sorted(programs, key=lambda program: (_key(program.label), _key(program.name)))


def _key(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdigit() else -1, name)
