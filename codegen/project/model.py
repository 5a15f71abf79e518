"""What a project is printed from: plain data, so that kernels can be emitted in processes of their own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.dialects.builtin import ModuleOp

from ...dialect.tile.kernel import find_kernel, find_tiling, kernel_arguments
from ...passes.chips import Chip
from ...passes.verify_ascendc import verify_limits
from ..aclnn.interface import Interface
from ..aclnn.source import KernelEntry
from ..ascendc.host import function_text
from ..ascendc.kernel import KernelText
from ..ascendc.names import pascal
from ..ascendc.tiling import TilingData
from .example import ExampleCall

TILING_FUNCTION = "ComputeTiling"
"""The name of every tiling function; each stands in a namespace of its own."""


@dataclass(frozen=True)
class Piece:
    """What one architecture runs for one variant.

    Attributes:
        symbol: the name of the kernel, which no other variant has.
        struct: the name of its tiling data.
        comment: its name and equations, as lines of comment.
        kernel: the namespace with its stages and the function Run.
        tensors: names of the parameters that Run takes, in order.
        task_type: which cores it takes, as CANN calls it.
        fields: the fields of the tiling data that it uses.
        tiling: the tiling function, behind what it uses in an unnamed namespace.
        sizes: names of the sizes and attributes that the tiling function takes, then that of the number of cores.
    """

    symbol: str
    struct: str
    comment: tuple[str, ...]
    kernel: str
    tensors: tuple[str, ...]
    task_type: str
    fields: tuple[str, ...]
    tiling: str
    sizes: tuple[str, ...]

    @staticmethod
    def of(module: ModuleOp, chip: Chip, struct: str = "") -> "Piece":
        """Emit a lowered module; `struct` is the name of the tiling data, the kernel's own where it is not given.

        Raises:
            Diagnostic: OPW360-389 for what breaks a limit, OPW420-449 for what has no form in Ascend C.
        """
        verify_limits(module, chip)
        data = TilingData.of(module, struct, TILING_FUNCTION)
        kernel, symbol = KernelText.of(module, data), find_kernel(module).sym_name.data
        return Piece(
            symbol,
            data.name,
            tuple(kernel.comment()),
            kernel.parts(pascal(symbol)),
            tuple(tensor.name for tensor in kernel.tensors),
            kernel.task_type,
            data.fields,
            function_text(module, data, chip.preferred_row_bytes),
            tuple(argument.name for argument in kernel_arguments(find_tiling(module))),
        )

    @property
    def space(self) -> str:
        """Return the name of its namespaces."""
        return pascal(self.symbol)

    @property
    def launcher(self) -> str:
        """Return the name of the host function of a direct launch."""
        return f"{self.space}Launch"

    @property
    def key(self) -> str:
        """Return the name of its tiling key."""
        return self.symbol.upper()


@dataclass(frozen=True)
class Service:
    """One choice that a call makes, and the variant that serves it.

    Attributes:
        column: the number of the dtype column.
        given: names of the optional inputs that are given, with lists that have a default.
        switches: names of the boolean attributes that are true.
        variant: the place of its variant among all.
    """

    column: int
    given: frozenset[str]
    switches: frozenset[str]
    variant: int


@dataclass(frozen=True)
class Row:
    """One kind of call, and the place of the variant that serves it.

    Attributes:
        variant: its place among the pieces.
        inputs: the dtype of each input as ACL names it, "" where it is not given.
        outputs: the dtype of each output.
        switches: the value of each boolean attribute.
    """

    variant: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    switches: tuple[bool, ...]


def rows_of(interface: Interface, services: Iterable[Service]) -> tuple[Row, ...]:
    """Return a row for each choice and each dtype that a tensor may have instead of its own; the first one counts."""
    flags = [attribute.name for attribute in interface.attributes if attribute.kind == "bool"]
    found: dict[object, Row] = {}
    for service in services:
        given = (not tensor.optional or tensor.name in service.given for tensor in interface.inputs)
        choices = [t.dtypes[service.column] if g else ("",) for t, g in zip(interface.inputs, given, strict=True)]
        outputs = tuple(tensor.dtypes[service.column][0] for tensor in interface.outputs)
        switches = tuple(name in service.switches for name in flags)
        for inputs in product(*choices):
            found.setdefault((inputs, outputs, switches), Row(service.variant, inputs, outputs, switches))
    return tuple(found.values())


def outputs_matter(rows: Sequence[Row]) -> bool:
    """Return whether rows differ in the dtypes of outputs alone."""
    return len({(row.inputs, row.switches) for row in rows}) < len(rows)


def dtype_columns(interface: Interface) -> tuple[tuple[str, ...], ...]:
    """Return the dtypes of inputs and outputs together that a call may have, where it gives all of them."""
    tensors = interface.tensors
    columns = range(len(tensors[0].dtypes))
    return tuple(dict.fromkeys(c for n in columns for c in product(*(tensor.dtypes[n] for tensor in tensors))))


@dataclass(frozen=True)
class Architecture:
    """Chips that run the same kernels: names of all of them, facts from one.

    Attributes:
        chip: one of the chips.
        targets: names of all.
        pieces: one a variant, in the order of the tiling keys.
    """

    chip: Chip
    targets: tuple[str, ...]
    pieces: tuple[Piece, ...]

    @property
    def folder(self) -> str:
        """Return the name of its folders and namespaces."""
        return f"dav_{self.chip.npu_arch}"

    @property
    def compiler_name(self) -> str:
        """Return what CANN's compiler calls it."""
        return f"dav-{self.chip.npu_arch}"


@dataclass(frozen=True)
class ProjectOperator:
    """One operator of a project.

    Attributes:
        interface: parameters and constraints.
        equations: what it computes.
        architectures: the kernels; at least one.
        rows: which variant serves which call.
        sides: the kernel that computes both sides of constraints on lists, None where there are none.
        texts: its C text by its symbol.
        example: the arguments of the example program; None where no small ones are allowed.
    """

    interface: Interface
    equations: tuple[str, ...]
    architectures: tuple[Architecture, ...]
    rows: tuple[Row, ...]
    sides: KernelEntry | None
    texts: Mapping[str, str]
    example: ExampleCall | None

    @property
    def snake(self) -> str:
        """Return its name in names of files, which is that of its kernel's entry too."""
        return self.interface.snake

    @property
    def struct(self) -> str:
        """Return the name of its tiling data."""
        return struct_name(self.interface.name)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Return the variants as the first architecture has them: names and keys are those of all."""
        return self.architectures[0].pieces

    @property
    def fields(self) -> tuple[str, ...]:
        """Return all fields of the tiling data: those that any kernel uses, in the order of their first use."""
        every = (piece.fields for architecture in self.architectures for piece in architecture.pieces)
        return tuple(dict.fromkeys(field for fields in every for field in fields))

    @property
    def comment(self) -> str:
        """Return name and equations as comment."""
        return comment(self.interface.name, self.equations)


def struct_name(operator: str) -> str:
    """Return the name of an operator's tiling data."""
    return f"{operator}TilingData"


def comment(first: str, lines: Sequence[str]) -> str:
    """Return a headline and indented lines as comment."""
    return "\n".join((f"// {first}", *(f"//     {line}".rstrip() for line in lines))) + "\n"
