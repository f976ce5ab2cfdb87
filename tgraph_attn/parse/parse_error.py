"""What every parser raises for text that it cannot read."""

from typing import Any


class ParseError(ValueError):
    """Text that cannot be parsed, with the place where that shows.

    Args:
        message: What was expected, what came, what to do.
        line: The line, from 1.
        column: The character in that line, from 1.

    Examples:
        >>> from tgraph_attn.parse import ParseError, parse_json
        >>> try:
        ...     parse_json('{"a": 1,')
        ... except ParseError as error:
        ...     print(error.line, error.column)
        1 9
    """

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.message = message
        self.line = line
        self.column = column

    @classmethod
    def at(cls, message: str, text: str, position: int) -> "ParseError":
        """Return the error for a position in text, counted in characters from 0.

        A line ends at a line feed, a carriage return, or both together.
        """
        lines = text[:position].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return cls(message, len(lines), len(lines[-1]) + 1)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.line, self.column)
