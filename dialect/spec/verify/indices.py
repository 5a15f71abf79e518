"""Index expressions: what they are made of, their number, and the ranges they run over."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...diagnostics import Diagnostic, in_source
from ...index_expr import Binary, Const, IndexExpr, Ref, refs
from ...index_map import IndexMapAttr
from ..attrs import TensorType, is_integer, tensor_type
from ..nests import Nest
from ..ops import (
    ComputeOp,
    DimOp,
    IndexOp,
    InputOp,
    OperatorOp,
    PlacesOp,
    ReadOp,
    RequireOp,
    SearchOp,
    WhenOp,
    WriteOp,
)
from .symbols import Symbols


def verify_symbols(operator: OperatorOp, symbols: Symbols) -> None:
    """Verify the index expressions at the level of the operator."""
    for op in operator.body.block.ops:
        match op:
            case DimOp(definition=definition) if definition is not None:
                _verify_single(op, definition)
                _verify_map(op, definition, op.operands_, symbols)
            case InputOp(default=default) if default is not None:
                _verify_map(op, default, op.operands_, symbols)
            case RequireOp() | PlacesOp():
                _verify_constraint(op, symbols)
            case WhenOp():
                for inner in op.body.block.ops:
                    _verify_constraint(inner, symbols)
            case IndexOp():
                _verify_single(op, op.indices)
                _verify_map(op, op.indices, op.operands_, symbols)
            case _:
                pass


def _verify_constraint(op: Operation, symbols: Symbols) -> None:
    match op:
        case RequireOp():
            _verify_require(op, symbols)
        case PlacesOp():
            _verify_single(op, op.below)
            _verify_map(op, op.below, op.operands_, symbols)
        case _:
            pass


def _verify_require(op: RequireOp, symbols: Symbols) -> None:
    if len(op.lhs.data) != len(op.rhs.data):
        text = f"spec.require compares {len(op.lhs.data)} expressions with {len(op.rhs.data)}"
        raise Diagnostic("OPW111", text, op)
    for side in (op.lhs, op.rhs):
        _verify_operands(op, side, op.operands_, symbols)


def verify(compute: ComputeOp, symbols: Symbols) -> None:
    """Verify the index expressions of a compute."""
    for op in compute.walk():
        match op:
            case Nest():
                _verify_bounds(op, symbols)
            case ReadOp():
                _verify_rank(op, tensor_type(op.tensor))
                _verify_map(op, op.indices, op.operands_, symbols)
                if op.outside is None:
                    _verify_ranges(op, tensor_type(op.tensor))
            case WriteOp():
                _verify_target(op, compute)
                _verify_map(op, op.indices, op.operands_, symbols)
            case SearchOp():
                _verify_search(op, tensor_type(op.tensor))
            case IndexOp():
                _verify_single(op, op.indices)
                _verify_map(op, op.indices, op.operands_, symbols)
            case _:
                pass


def _verify_search(op: SearchOp, tensor: TensorType) -> None:
    if tensor.rank != 1 or not is_integer(tensor.element_type):
        text = f"spec.search looks into {tensor.element_type} of rank {tensor.rank}"
        raise Diagnostic("OPW104", text, op, "it takes a list: rank 1, of integers")


def _verify_target(op: WriteOp, compute: ComputeOp) -> None:
    if op.number.data >= len(compute.results_):
        text = f"spec.write names result {op.number.data}, the compute has {len(compute.results_)}"
        raise Diagnostic("OPW124", text, op, "results count from 0")
    target = tensor_type(compute.results_[op.number.data])
    _verify_rank(op, target)
    _verify_ranges(op, target)


def _verify_single(op: Operation, index_map: IndexMapAttr) -> None:
    if len(index_map.data) != 1:
        raise Diagnostic("OPW111", f"'{op.name}' takes one index expression, not {len(index_map.data)}", op)


def _verify_rank(op: ReadOp | WriteOp, tensor: TensorType) -> None:
    found = len(op.indices.data)
    if found != tensor.rank:
        verb = "read" if isinstance(op, ReadOp) else "written"
        text = f"{_tensor_name(op)} has rank {tensor.rank}, {verb} with {found} indices"
        dims = ", ".join(str(dim) for dim in tensor.dims)
        raise Diagnostic("OPW104", text, op, f"give one index for each of its dims [{dims}]")


def _tensor_name(op: ReadOp | WriteOp) -> str:
    if isinstance(op, WriteOp):
        return f"result {op.number.data}"
    return f"'%{op.tensor.name_hint}'" if op.tensor.name_hint else "the tensor"


def _verify_map(op: Operation, index_map: IndexMapAttr, operands: Sequence[SSAValue], symbols: Symbols) -> None:
    _verify_operands(op, index_map, operands, symbols)
    for expr in index_map.data:
        _verify_expr(op, expr, operands, symbols)


def _verify_operands(op: Operation, index_map: IndexMapAttr, operands: Sequence[SSAValue], symbols: Symbols) -> None:
    if index_map.operand_count > len(operands):
        text = f"'{op.name}' uses operand d{index_map.operand_count - 1} of {len(operands)}"
        raise Diagnostic("OPW111", text, op)
    for expr in index_map.data:
        for position in sorted(refs(expr)):
            _verify_operand(op, operands[position], symbols)


def _verify_operand(op: Operation, value: SSAValue, symbols: Symbols) -> None:
    if isinstance(value, BlockArgument) or symbols.is_symbol(value):
        return
    if isinstance(value.owner, IndexOp | SearchOp | arith.SelectOp | arith.MaxSIOp | arith.MinSIOp):
        return
    if isinstance(value.owner, ReadOp) and isinstance(value.type, IndexType):
        return
    name = f"%{value.name_hint}" if value.name_hint else "an operand"
    source = value.owner.name if isinstance(value.owner, Operation) else "a block"
    text = f"{name} cannot place elements: it is the result of '{source}'"
    hint = "an index is made of loop variables, dims, attributes, elements of integer tensors, and + - * // % of them"
    raise Diagnostic("OPW106", text, op, hint)


def _verify_expr(op: Operation, expr: IndexExpr, operands: Sequence[SSAValue], symbols: Symbols) -> None:
    if not isinstance(expr, Binary):
        return
    _verify_expr(op, expr.lhs, operands, symbols)
    _verify_expr(op, expr.rhs, operands, symbols)
    varies = [_varies(side, operands, symbols) for side in (expr.lhs, expr.rhs)]
    if expr.kind == "*" and all(varies):
        hint = "one factor must be a dim, an attribute or a constant"
        raise Diagnostic("OPW107", "an index expression multiplies two values that vary in the nest", op, hint)
    if expr.kind in ("+", "-", "*"):
        return
    if varies[1]:
        hint = "divide by a dim, an attribute or a constant"
        raise Diagnostic("OPW108", f"{expr.kind} by a value that varies in the nest", op, hint)
    if not symbols.divides(expr.rhs, operands):
        names = [operands[p].name_hint or "?" for p in sorted(refs(expr.rhs))]
        told = " ".join(f"%{name}" for name in names) or "a constant"
        raise Diagnostic("OPW109", f"{expr.kind} by {told}, which may be 0 or less", op, _require_positive(op, names))


def _require_positive(op: Operation, names: Sequence[str]) -> str:
    """Return the advice to demand that the values of a divisor are at least 1."""
    if not names:
        return "the divisor must be at least 1"
    conditions = ", ".join(f"{name} >= 1" for name in names)
    lhs, rhs = ", ".join(f"%{name}" for name in names), ", ".join("1" for _ in names)
    return in_source(
        op,
        python=f"add spec.require({conditions}, code=...)",
        mlir=f"add spec.require [{lhs}] >= [{rhs}] code ...",
    )


def _varies(expr: IndexExpr, operands: Sequence[SSAValue], symbols: Symbols) -> bool:
    return any(not symbols.is_symbol(operands[p]) for p in refs(expr))


def _verify_bounds(nest: Nest, symbols: Symbols) -> None:
    count = len(nest.dims)
    if len(nest.lower) != count or len(nest.upper) != count:
        text = f"'{nest.name}' has {count} dims, {len(nest.lower)} lower and {len(nest.upper)} upper bounds"
        raise Diagnostic("OPW111", text, nest)
    for number, (lower, upper) in enumerate(zip(nest.lower, nest.upper, strict=True)):
        for bound in (lower, upper):
            _verify_earlier(nest, number, bound)
            _verify_map(nest, bound, nest.bound_values, symbols)


def _verify_earlier(nest: Nest, number: int, bound: IndexMapAttr) -> None:
    if not bound.data:
        raise Diagnostic("OPW111", f"dim {number} of '{nest.name}' has an empty bound", nest)
    for expr in bound.data:
        for position in refs(expr):
            if number <= position < len(nest.dims):
                own, other = (nest.dims[n].name_hint or f"dim {n}" for n in (number, position))
                what = "itself" if position == number else f"the later dim %{other}"
                raise Diagnostic("OPW110", f"the range of %{own} depends on {what}", nest, "outer dims come first")


def _verify_ranges(op: ReadOp | WriteOp, tensor: TensorType) -> None:
    """Refuse a plain loop variable that runs over another dim than the one it indexes."""
    for number, (expr, dim) in enumerate(zip(op.indices.data, tensor.dims, strict=True)):
        if not isinstance(expr, Ref) or not isinstance(variable := op.operands_[expr.position], BlockArgument):
            continue
        extent = _extent(variable)
        if extent is not None and _leaves(extent, dim, op):
            text = f"index {number} of {_tensor_name(op)} runs to {_extent_name(extent)}, its dim is {dim}"
            form = in_source(op, python=".outside(value)", mlir="else %v")
            hint = f"a read may say what stands beyond the tensor: {form}" if isinstance(op, ReadOp) else ""
            raise Diagnostic("OPW105", text, op, hint)


def _extent(variable: BlockArgument) -> SSAValue | int | None:
    """Return the end of the range of a loop variable where it is one symbol or one number."""
    nest = variable.owner.parent_op()
    if not isinstance(nest, Nest) or len(exprs := nest.upper.data[variable.index].data) != 1:
        return None
    match exprs[0]:
        case Const(value):
            return value
        case Ref(position):
            return nest.bound_values[position]
        case _:
            return None


def _leaves(extent: SSAValue | int, dim: str | int, op: ReadOp | WriteOp) -> bool:
    """Return whether a range is known to leave a dim for some sizes."""
    if isinstance(extent, int):
        return isinstance(dim, int) and extent > dim
    if not isinstance(extent.owner, DimOp) or extent.owner.definition is not None or isinstance(dim, int):
        return False
    return extent.owner.label.data != dim and _is_free(dim, op)


def _is_free(label: str, op: Operation) -> bool:
    operator = op.parent_op()
    while operator is not None and not isinstance(operator, OperatorOp):
        operator = operator.parent_op()
    dims = operator.body.block.ops if operator is not None else ()
    return any(isinstance(d, DimOp) and d.label.data == label and d.definition is None for d in dims)


def _extent_name(extent: SSAValue | int) -> str:
    if isinstance(extent, int):
        return str(extent)
    return extent.owner.label.data if isinstance(extent.owner, DimOp) else extent.name_hint or "?"
