"""What verification found, as plain data."""

from dataclasses import dataclass, field

from ..backends import Engine


@dataclass(frozen=True)
class Failure:
    """One thing that does not hold: in which case, on which engine, and the command that shows it again."""

    operator: str
    case: int
    target: str
    backend: str
    text: str
    command: str


@dataclass
class Row:
    """One line of the table: an engine and a dtype column, over all cases so far.

    Attributes:
        mean_error, max_error: the largest of the cases' mean and largest relative errors.
        excepted: how many elements pass only because they are exactly the definition (accuracy.py).
        bit_equal: in how many cases the bits were those of the other backends of the target, at each number of cores
            and threads.
        strict: how many strict runs held, one a variant and seed.
        compared: the other backends of the target that the bits were compared with.
    """

    operator: str
    dtypes: str
    target: str
    backend: str
    cases: int = 0
    mean_error: float = 0.0
    max_error: float = 0.0
    excepted: int = 0
    bit_equal: int = 0
    compared: tuple[str, ...] = ()
    cores: tuple[int, ...] = ()
    threads: tuple[int, ...] = ()
    strict: int = 0
    failures: int = 0

    @property
    def passed(self) -> bool:
        """Whether every case held."""
        return self.failures == 0


@dataclass
class Report:
    """All rows, and all failures in the order in which they came up.

    `repeated` tells in how many cases of an operator several points name one place, `reached` how many of its variants
    the cases are for, and how many there are.
    """

    rows: list[Row] = field(default_factory=list[Row])
    repeated: dict[str, int] = field(default_factory=dict[str, int])
    reached: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    failures: list[Failure] = field(default_factory=list[Failure])

    def row(self, operator: str, dtypes: str, engine: Engine) -> Row:
        """Return the row of an engine and a dtype column, new where there is none."""
        key = (operator, dtypes, engine.target, engine.backend)
        for row in self.rows:
            if (row.operator, row.dtypes, row.target, row.backend) == key:
                return row
        self.rows.append(Row(*key))
        return self.rows[-1]
