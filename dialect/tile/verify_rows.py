"""Rules of the row instructions."""

from xdsl.dialects.builtin import AnyFloat, IntegerType, i8
from xdsl.ir import Attribute, SSAValue

from ..diagnostics import Diagnostic
from .choices import SelectOp
from .divisors import constant, divisor
from .lane_rows import FOLD, ByRowOp, FoldOp, SplatOp, TreeOp
from .rows import AccumulateOp, CastOp, RowsOp
from .selection import BITS_WIDTH, CompressOp, IotaOp, NonzeroOp
from .verify import named, type_of, verify_buffer

TREE_WIDTHS = tuple(1 << n for n in range(1, FOLD.bit_length()))
"""Numbers of partial results that a balanced tree combines."""

FLOAT_ONLY = ("exp", "log", "sqrt", "rsqrt", "recip", "div", "floor", "ceil", "rint", "trunc")
"""Functions that integers do not have."""

MOVES_LANES = (CompressOp, FoldOp, NonzeroOp, SplatOp, TreeOp)
"""Row instructions whose elements do not land where they are read."""


def verify_rows(op: RowsOp) -> None:
    """Verify a row instruction; OPW310, OPW311, OPW312, OPW315, OPW318."""
    _verify_form(op)
    for step in op.steps.get_values():
        if step not in (0, 1):
            text = f"a source of '{op.name}' has step {step}"
            raise Diagnostic("OPW311", text, op, "step 1 reads a row for each row, step 0 the start row for all")
    if isinstance(op, SplatOp) and op.steps.get_values()[0] != 1:
        raise Diagnostic("OPW311", f"the source of '{op.name}' has step 0", op, "its elements are all in one row")
    if isinstance(op, TreeOp) and constant(op.width) not in TREE_WIDTHS:
        hint = "give a constant, the number of partial results"
        raise Diagnostic("OPW310", f"the width of '{op.name}' is no power of two from 2 to {FOLD}", op, hint)
    if isinstance(op, NonzeroOp) and divisor(op.width) % BITS_WIDTH:
        hint = f"round it up to a multiple of {BITS_WIDTH}: the bits of a row fill whole blocks"
        raise Diagnostic("OPW310", f"the width of '{op.name}' is not known to be a multiple of {BITS_WIDTH}", op, hint)
    for buffer in (*op.sources, op.target):
        verify_buffer(op, buffer)
    _verify_types(op)
    _verify_apart(op)
    _verify_overlap(op)


def _verify_form(op: RowsOp) -> None:
    if op.kind.data not in op.KINDS:
        text = f"'{op.name}' has the unknown kind '{op.kind.data}'"
        raise Diagnostic("OPW310", text, op, f"kinds: {', '.join(op.KINDS) or 'none'}")
    counts = (len(op.sources), len(op.source_rows), len(op.steps))
    if counts != (op.SOURCES,) * 3 or len(op.scalars) != op.SCALARS:
        text = f"'{op.name}' has {counts[0]} buffers, {counts[1]} rows, {counts[2]} steps, {len(op.scalars)} scalars"
        raise Diagnostic("OPW310", text, op, f"it takes {op.SOURCES} buffers and {op.SCALARS} scalars as sources")


def _verify_types(op: RowsOp) -> None:
    target = type_of(op.target).element_type
    if (op.kind.data in FLOAT_ONLY or isinstance(op, SelectOp)) and not isinstance(target, AnyFloat):
        raise Diagnostic("OPW312", f"'{op.name}' \"{op.kind.data}\" works on floats, not on {target}", op)
    if isinstance(op, CastOp):
        _verify_cast(op, type_of(op.sources[0]).element_type, target)
        return
    if isinstance(op, IotaOp | NonzeroOp | CompressOp):
        _verify_selection(op, target)
        return
    for value in (*op.sources, *op.scalars):
        element = type_of(value).element_type if value in op.sources else value.type
        if element != target:
            text = f"'{op.name}' reads {element} and writes {target}"
            raise Diagnostic("OPW312", text, op, "all element types are equal; tile.cast converts")


def _verify_selection(op: IotaOp | NonzeroOp | CompressOp, target: Attribute) -> None:
    """Verify what selects lanes: numbers are integers, bits lie in bytes, what is moved keeps its type."""
    sources = [type_of(source).element_type for source in op.sources]
    match op:
        case IotaOp():
            legal = isinstance(target, IntegerType)
        case NonzeroOp():
            legal = target == i8
        case _:
            legal = sources == [target, i8]
    if not legal:
        text = f"'{op.name}' does not take ({', '.join(map(str, sources))}) to {target}"
        raise Diagnostic("OPW312", text, op, "lanes are numbered in integers, bits lie in i8")


def _verify_cast(op: CastOp, source: Attribute, target: Attribute) -> None:
    """Verify a conversion: to a wider type, between integers and floats, or of a float to a narrower one."""
    match source, target:
        case IntegerType(), IntegerType():
            legal = source.width.data < target.width.data
        case IntegerType(), _:
            legal = isinstance(target, AnyFloat)
        case _, IntegerType():
            legal = isinstance(source, AnyFloat)
        case _:
            legal = _floats(source, target)
    if not legal:
        text = f"tile.cast does not convert {source} to {target}"
        raise Diagnostic("OPW312", text, op, "it widens, narrows floats, and converts between integers and floats")


def _floats(source: Attribute, target: Attribute) -> bool:
    if not (isinstance(source, AnyFloat) and isinstance(target, AnyFloat)):
        return False
    return source.bitwidth != target.bitwidth


def _verify_apart(op: RowsOp) -> None:
    """Verify that lanes that move do not meet: their source is another buffer than the target."""
    sources = op.sources if isinstance(op, MOVES_LANES) else op.sources[1:] if isinstance(op, ByRowOp) else ()
    if op.target in sources:
        text = f"'{op.name}' reads lanes of {named(op.target)} that it writes"
        raise Diagnostic("OPW318", text, op, "give it a buffer of its own as target")
    if isinstance(op, ByRowOp) and op.sources[0] is op.target and not _is_in_place(op):
        text = f"'{op.name}' reads rows of {named(op.target)} that it writes"
        raise Diagnostic("OPW318", text, op, "the first source is the target at the same start row, or another buffer")


def _is_in_place(op: RowsOp) -> bool:
    """Return whether the first source is read where the target is written."""
    _, row, step = op.source_list[0]
    start = constant(row)
    return step == 1 and (row is op.row or (start is not None and start == constant(op.row)))


def _verify_overlap(op: RowsOp) -> None:
    """Verify where a source and the target are known to share rows: then the rows and the step are the same."""
    for buffer, row, step in op.source_list:
        if buffer is op.target and _meets(op, row, step):
            text = f"'{op.name}' reads rows of {named(buffer)} that it writes"
            hint = "a source overlaps the target only with the same start row and step 1"
            raise Diagnostic("OPW318", text, op, hint)


def _meets(op: RowsOp, row: SSAValue, step: int) -> bool:
    first, target, rows = constant(row), constant(op.row), constant(op.rows)
    same = row is op.row or (first is not None and first == target)
    if same and step == 1:
        return False
    if rows is None or first is None or target is None:
        return same and rows != 1
    many = 1 if isinstance(op, AccumulateOp) else rows
    read, written = range(first, first + (rows if step else 1)), range(target, target + many)
    return read.start < written.stop and written.start < read.stop and rows > 0 and not (same and rows == 1)
