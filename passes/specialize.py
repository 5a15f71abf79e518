"""specialize: choose one dtype column and say which optional tensors are given.

Before, with `specialize{column=1 present=mask}`:

    %W = spec.dim "W" = [3]
    %w = spec.input "w" : !spec.tensor<[W, H], T>
    %mask = spec.input "mask" optional : !spec.tensor<[B], i1>
    %bias = spec.input "bias" optional : !spec.tensor<[H], T>
    spec.columns ["T"] [[f16], [bf16]]
    ...  %b = spec.read %bias[%h] absent %zero : f32

After: T is bf16, dims with constant definitions are numbers, `mask` is an ordinary input, `bias` is gone and its reads
are `%zero`. The operator takes the variant's name, `@op_bf16_mask`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr, i1
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialect.diagnostics import Diagnostic
from ..dialect.index_expr import Const
from ..dialect.index_map import IndexMapAttr
from ..dialect.spec import (
    ColumnsOp,
    ComputeOp,
    DimOp,
    DTypeVar,
    GivenOp,
    InputOp,
    OperatorOp,
    OutputOp,
    PositionsOp,
    ReadOp,
    RequireOp,
    ScanOp,
    TensorType,
)
from ..dialect.spec.equations import EQUATION, equations, left_sides
from ..dialect.spec.front_end import drop_front_end
from ..dialect.spec.signature import Signature, dim_labels
from .absent_positions import replace_absent
from .constants import constant
from .fold_conditions import fold_conditions
from .spec_rewrite import find_operator
from .spec_scope import IndexValue, Scope
from .spec_substitute import substitute_indices


@dataclass(frozen=True)
class Choice:
    """What the pass decides before it changes anything.

    Attributes:
        dtypes: element type of each dtype variable.
        sizes: the number each constant dim is; 0 for a dim that only absent inputs name.
        absent: optional inputs that are not given.
    """

    dtypes: dict[str, Attribute]
    sizes: dict[str, int]
    absent: frozenset[str]


@dataclass(frozen=True)
class SpecializePass(ModulePass):
    """Specialize the operator to a column, the given optional inputs, and the boolean attributes that are true."""

    name = "specialize"

    column: int = 0
    present: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operator = find_operator(op)
        if operator is None:
            return
        choice = self.choose(operator)
        drop_front_end(operator)
        operator.attributes[EQUATION] = StringAttr("\n".join(equations(operator)))
        _name_locations(operator)
        _drop_absent(operator, choice)
        _set_switches(operator, self.present)
        _fold_dims(operator, choice)
        _retype(operator, choice)
        fold_conditions(operator)
        drop_empty(operator)
        operator.sym_name = StringAttr(variant_name(operator.sym_name.data, choice, self.present))

    def choose(self, operator: OperatorOp) -> Choice:
        """Return the choice, or raise for a column or an input that does not exist."""
        signature = Signature.of(operator)
        optional = [op.label.data for op in signature.inputs if op.may_be_absent]
        switches = [op.label.data for op in signature.attrs if op.result.type == i1]
        if unknown := [name for name in self.present if name not in (*optional, *switches)]:
            known = ", ".join(sorted((*optional, *switches))) or "none"
            text = f"'{unknown[0]}' is no optional input and no boolean attribute; there are: {known}"
            raise Diagnostic("OPW320", text, operator)
        absent = frozenset(optional) - set(self.present)
        return Choice(self._dtypes(operator), _sizes(signature, absent), absent)

    def _dtypes(self, operator: OperatorOp) -> dict[str, Attribute]:
        columns = next((op for op in operator.body.block.ops if isinstance(op, ColumnsOp)), None)
        if columns is None:
            return {}
        count = len(columns.columns)
        if not 0 <= self.column < count:
            raise Diagnostic("OPW321", f"column {self.column} does not exist; the operator has {count}", columns)
        labels = [label.data for label in columns.labels]
        return dict(zip(labels, columns.columns.data[self.column], strict=True))


def _sizes(signature: Signature, absent: frozenset[str]) -> dict[str, int]:
    """Return the sizes that are known: constant definitions, and 0 for a dim that absent inputs alone name.

    A call that brings its outputs tells their dims.
    """
    given = [op.result.type for op in signature.inputs if op.label.data not in absent]
    named = {label for tensor in (*given, *(op.type for op in signature.outputs)) for label in dim_labels(tensor)}
    sizes: dict[str, int] = {}
    for dim in signature.dims:
        size = constant_dim(dim)
        if size is not None or (dim.definition is None and dim.label.data not in named):
            sizes[dim.label.data] = size or 0
    return sizes


def constant_dim(dim: DimOp) -> int | None:
    """Return the number a dim is defined as, or None."""
    match dim.definition:
        case IndexMapAttr(data=(Const(value),)):
            return value
        case _:
            return None


def variant_name(operator: str, choice: Choice, present: tuple[str, ...]) -> str:
    """Return the snake-case name of the operator with its dtypes and given inputs."""
    dtypes = list(dict.fromkeys(str(dtype) for dtype in choice.dtypes.values()))
    return "_".join([snake_case(operator), *dtypes, *(snake_case(name) for name in sorted(present))])


def snake_case(name: str) -> str:
    """Return `name` in lower case with '_' where a capital starts a word."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _name_locations(operator: OperatorOp) -> None:
    """Write the left side of its equation into the location of each operation, from where emitters take their comments.

    Values of a body are named by the tensor they read, so that emitted code does not depend on how a spec was written.
    """
    sides = left_sides(operator)
    for defining in operator.body.block.ops:
        for op in defining.walk() if defining in sides else ():
            op.location = NameLoc(StringAttr(sides.get(op, sides[defining])), op.location)
            if op is not defining:
                for result in op.results:
                    result.name_hint = _tensor_name(op) if isinstance(op, ReadOp) else None


def _tensor_name(read: ReadOp) -> str | None:
    source = read.tensor.owner
    return source.label.data if isinstance(source, InputOp) else read.tensor.name_hint


def _drop_absent(operator: OperatorOp, choice: Choice) -> None:
    for read in [op for op in operator.body.walk() if isinstance(op, ReadOp) and op.absent is not None]:
        source = read.tensor.owner
        gone = isinstance(source, InputOp) and source.label.data in choice.absent
        assert read.absent is not None
        if gone:
            Rewriter.replace_op(read, [], [read.absent])
        else:
            kept = ReadOp(read.tensor, read.indices, read.operands_, read.result.type, read.outside)
            _replace(read, kept)
    for op in [op for op in operator.body.block.ops if isinstance(op, PositionsOp)]:
        if isinstance(op.tensor.owner, InputOp) and op.tensor.owner.label.data in choice.absent:
            replace_absent(op)
    for op in [op for op in operator.body.block.ops if isinstance(op, GivenOp)]:
        assert isinstance(op.tensor.owner, InputOp)
        given = op.tensor.owner.label.data not in choice.absent
        Rewriter.replace_op(op, [], [constant(Builder(InsertPoint.before(op)), i1, given, op)])
    for op in Signature.of(operator).inputs:
        if op.label.data in choice.absent:
            Rewriter.erase_op(op)
        elif op.optional is not None:
            _make_ordinary(op)


def _set_switches(operator: OperatorOp, true: Sequence[str]) -> None:
    """Replace each boolean attribute by its value."""
    for op in [op for op in Signature.of(operator).attrs if op.result.type == i1]:
        holds = op.label.data in true
        Rewriter.replace_op(op, [], [constant(Builder(InsertPoint.before(op)), i1, holds, op)])


def _make_ordinary(op: InputOp) -> None:
    """Make an optional input an ordinary one; where it has a default, the host passes that."""
    op.optional = None
    op.default = None
    op.operands = []


def _replace(old: ReadOp, new: ReadOp) -> None:
    new.location = old.location
    new.result.name_hint = old.result.name_hint
    Rewriter.replace_op(old, new)


def _fold_dims(operator: OperatorOp, choice: Choice) -> None:
    dims = [op for op in operator.body.block.ops if isinstance(op, DimOp) and op.label.data in choice.sizes]
    scope = Scope(indices={dim.result: IndexValue.of(choice.sizes[dim.label.data]) for dim in dims})
    substitute_indices(operator.body.block, scope)
    for dim in dims:
        Rewriter.erase_op(dim)


def drop_empty(operator: OperatorOp) -> None:
    """Erase outputs that surely have no element, unless all have none; then what nothing uses any more."""
    outputs = [op for op in operator.body.block.ops if isinstance(op, OutputOp)]
    empty = [op for op in outputs if isinstance(op.tensor.type, TensorType) and 0 in op.tensor.type.dims]
    for op in empty if len(empty) < len(outputs) else []:
        Rewriter.erase_op(op)
    for op in reversed(list(operator.body.block.ops)):
        if isinstance(op, ComputeOp | PositionsOp | ScanOp) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _retype(operator: OperatorOp, choice: Choice) -> None:
    for op in list(operator.body.walk()):
        if isinstance(op, ColumnsOp) or (isinstance(op, RequireOp) and not op.operands_):
            Rewriter.erase_op(op)
            continue
        for result in list(op.results):
            if isinstance(result.type, TensorType):
                Rewriter.replace_value_with_new_type(result, _specialized(result.type, choice))


def _specialized(old: TensorType, choice: Choice) -> TensorType:
    element = old.element_type
    if isinstance(element, DTypeVar):
        element = choice.dtypes[element.label.data]
    return TensorType.of([choice.sizes.get(d, d) if isinstance(d, str) else d for d in old.dims], element)
