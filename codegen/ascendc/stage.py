"""One stage of a kernel as a class: Init reserves memory, Process computes, and methods hold what is long."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...dialect.ascendc import (
    BufferOp,
    CopyInOp,
    EventOp,
    GetOp,
    QueueOp,
    ReserveOp,
    StageOp,
)
from ...dialect.index_expr import Binary, Const, IndexExpr, Ref
from ...dialect.tile.kernel import KernelArgument
from ..cfamily import Expr, Level, infix
from ..cfamily.memory import memref_type
from ..cfamily.printer import type_key
from .methods import StageMethods, plan_methods
from .names import Spelling
from .printer import KernelPrinter, Method, role

QUEUES = {
    "VECIN": "TQue<QuePosition::VECIN, 1>",
    "VECOUT": "TQue<QuePosition::VECOUT, 1>",
    "VECBIND": "TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1>",
}


@dataclass(frozen=True)
class StageClass:
    """What is printed for one stage.

    Attributes:
        stage: the stage.
        name: the class's name.
        tensors: the tensors in global memory that the stage uses.
        numbers: the index arguments of the kernel that the stage uses.
        sizes: all index arguments by name.
    """

    stage: StageOp
    name: str
    tensors: tuple[KernelArgument, ...]
    numbers: tuple[KernelArgument, ...]
    sizes: Mapping[str, KernelArgument]

    @staticmethod
    def of(stage: StageOp, name: str, arguments: Sequence[KernelArgument]) -> "StageClass":
        """Collect what a stage uses."""
        ops = [op for op in stage.body.walk() if not isinstance(op, ReserveOp)]
        used = {value for op in ops for value in op.operands}
        sizes = {a.name: a for a in arguments if isinstance(a.type, IndexType)}
        loaded = {op.memref for op in ops if isinstance(op, memref.LoadOp | memref.StoreOp)}
        dims = {dim for a in arguments if a.value in loaded for dim in a.dims[1:]}
        tensors = tuple(a for a in arguments if isinstance(a.type, MemRefType) and a.value in used)
        numbers = tuple(a for a in sizes.values() if a.value in used or a.name in dims)
        return StageClass(stage, name, tensors, numbers, sizes)

    def emit(self, printer: KernelPrinter, spelling: Spelling) -> None:
        """Print the class."""
        plan = plan_methods(self.stage)
        printer.methods = {**plan.methods}
        printer.declared = set(plan.members)
        printer.forget_place()
        with printer.braces(f"class {self.name}", end="};"):
            members = list(self._members(printer, plan, spelling))
            printer.reopen("public:")
            self._init(printer, spelling)
            printer.line("")
            self._process(printer)
            printer.line("")
            printer.reopen("private:")
            for loop, method in plan.methods.items():
                self._method(printer, loop, method)
                printer.line("")
            for member in members:
                printer.line(member)
        printer.line("")

    # Members

    def _members(self, printer: KernelPrinter, plan: StageMethods, spelling: Spelling) -> Iterator[str]:
        """Name the members, unlike the parameters of Init, and yield their declarations."""
        for argument in (*self.tensors, *self.numbers):
            printer.names.reserve(spelling.names[argument.name])
        yield "TPipe *pipe;"
        for op in self.stage.body.block.ops:
            if isinstance(op, QueueOp | BufferOp | EventOp):
                type_name = _member_type(op)
                yield f"{type_name} {printer.define(op.results[0])};"
        for tensor in self.tensors:
            printer.globals[tensor.value] = printer.names.fresh(f"{tensor.name}_gm")
            element = printer.element_name(tensor.value, self.stage)
            yield f"GlobalTensor<{element}> {printer.globals[tensor.value]};"
        for number in self.numbers:
            name = spelling.names[number.name]
            printer.bind(number.value, Expr(name))
            yield f"int64_t {name};"
        for value in plan.members:
            yield f"{self._value_type(printer, value)} {printer.define(value, role(value))}{_array_size(value)};"

    def _value_type(self, printer: KernelPrinter, value: SSAValue) -> str:
        if isinstance(value.owner, memref.AllocaOp):
            return printer.element_name(value, self.stage)
        if isinstance(value.type, MemRefType):
            return f"LocalTensor<{printer.element_name(value, self.stage)}>"
        return printer.type_name(value.type, self.stage)

    # Init

    def _init(self, printer: KernelPrinter, spelling: Spelling) -> None:
        parameters = [f"GM_ADDR {spelling.names[tensor.name]}" for tensor in self.tensors]
        head = "__aicore__ inline void Init"
        fields = {name: Expr(f"tiling.{spelling.names[name]}") for name in self.sizes}
        with printer.scope():
            printer.wrapped(head, [*parameters, "const TilingData &tiling", "TPipe *tPipe"], "")
            with printer.braces(""):
                printer.line("pipe = tPipe;")
                for number in self.numbers:
                    printer.line(f"{printer.text(number.value)} = {fields[number.name]};")
                for tensor in self.tensors:
                    self._set_global(printer, tensor, spelling)
                members = {a.value: printer.value(a.value) for a in self.numbers}
                for name, argument in self.sizes.items():
                    printer.bind(argument.value, fields[name])
                self._reserve(printer)
                for value, expr in members.items():
                    printer.bind(value, expr)

    def _set_global(self, printer: KernelPrinter, tensor: KernelArgument, spelling: Spelling) -> None:
        sizes = [Expr(spelling.size(dim, "tiling.")) for dim in tensor.dims]
        element = printer.element_name(tensor.value, self.stage)
        pointer = f"reinterpret_cast<__gm__ {element} *>({spelling.names[tensor.name]})"
        count = product(sizes).at(Level.COMMA)
        printer.wrapped(f"{printer.globals[tensor.value]}.SetGlobalBuffer", [pointer, count], ";")
        members = {number.name: printer.value(number.value) for number in self.numbers}
        printer.extents[tensor.value] = [members.get(str(dim), Expr(str(dim))) for dim in tensor.dims]

    def _reserve(self, printer: KernelPrinter) -> None:
        """Print the InitBuffer calls, and in front of them the arithmetic their sizes need."""
        reserving = [op for op in self.stage.body.block.ops if isinstance(op, QueueOp | BufferOp | EventOp)]
        needed = _slice(reserving, self.stage.body.block)
        for op in self.stage.body.block.ops:
            if op in needed:
                text = printer.rules.expressions[type(op)](printer, op)
                if isinstance(op, arith.ConstantOp):
                    printer.bind(op.result, text)
                else:
                    name = printer.define(op.results[0])
                    printer.line(f"const {printer.type_name(op.results[0].type, op)} {name} = {text};")
            elif isinstance(op, QueueOp | BufferOp):
                times = [str(op.times.data)] if isinstance(op, QueueOp) else []
                printer.wrapped(
                    "pipe->InitBuffer", [printer.text(op.result), *times, self._byte_count(printer, op)], ";"
                )
            elif isinstance(op, EventOp):
                printer.line(f"{printer.text(op.event)} = pipe->AllocEventID<HardEvent::{op.pair}>();")

    def _byte_count(self, printer: KernelPrinter, op: ReserveOp) -> str:
        sizes = [_expression(printer, expr, op) for expr in op.sizes.data]
        element = printer.type_name(op.element_type, op)
        return product([*sizes, Expr(f"sizeof({element})")]).at(Level.COMMA)

    # Process

    def _process(self, printer: KernelPrinter) -> None:
        block = self.stage.body.block
        printer.line("__aicore__ inline void Process()")
        with printer.braces(""):
            core = block.args[0]
            if any(True for _ in core.uses):
                if core in printer.declared:
                    printer.line(f"{printer.text(core)} = GetBlockIdx();")
                else:
                    printer.line(f"const int64_t {printer.define(core, 'core')} = GetBlockIdx();")
            printer.block(block)

    def _method(self, printer: KernelPrinter, loop: scf.ForOp, method: Method) -> None:
        with printer.scope():
            parameters = [self._parameter(printer, value) for value in method.parameters]
            printer.forget_place()
            printer.wrapped(f"__aicore__ inline void {method.name}", parameters, "")
            with printer.braces(""):
                printer.block(loop.body.block)

    def _parameter(self, printer: KernelPrinter, value: SSAValue) -> str:
        type_name = self._value_type(printer, value)
        name = printer.define(value, role(value))
        if isinstance(value.owner, memref.AllocaOp):
            return f"{type_name} *{name}"
        return f"const {type_name} &{name}" if isinstance(value.type, MemRefType) else f"{type_name} {name}"


def _array_size(value: SSAValue) -> str:
    """Return what stands behind the name of a member that is a local array."""
    return f"[{prod(memref_type(value).get_shape())}]" if isinstance(value.owner, memref.AllocaOp) else ""


def _member_type(op: QueueOp | BufferOp | EventOp) -> str:
    match op:
        case QueueOp():
            return QUEUES[op.position]
        case BufferOp():
            return f"TBuf<TPosition::{'VECIN' if _is_copied_in(op) else 'VECCALC'}>"
        case _:
            return "int32_t"


def _is_copied_in(op: BufferOp) -> bool:
    tensors = [use.operation.tensor for use in op.result.uses if isinstance(use.operation, GetOp)]
    return any(isinstance(use.operation, CopyInOp) for tensor in tensors for use in tensor.uses)


def _slice(roots: Sequence[Operation], block: Block) -> set[Operation]:
    """Return the operations of a block that the roots' operands depend on."""
    found: set[Operation] = set()
    open_values = [value for root in roots for value in root.operands]
    while open_values:
        op = open_values.pop().owner
        if isinstance(op, Operation) and op not in found and op.parent_block() is block:
            found.add(op)
            open_values.extend(op.operands)
    return found


def _expression(printer: KernelPrinter, expr: IndexExpr, op: ReserveOp) -> Expr:
    """Return the index expression of a size as C++."""
    match expr:
        case Const(value):
            return Expr(str(value), literal=True)
        case Ref(position):
            return printer.value(op.operands_[position])
        case Binary("+" | "-" | "*" as kind, lhs, rhs):
            level = Level.MULTIPLY if kind == "*" else Level.ADD
            return infix(kind, level, _expression(printer, lhs, op), _expression(printer, rhs, op))
        case Binary("floordiv" | "ceildiv" | "min" | "max" as kind, lhs, rhs):
            sides = [_expression(printer, lhs, op), _expression(printer, rhs, op)]
            return printer.helper(f"{kind}_{type_key(IndexType())}", sides, op)
        case _:
            raise TypeError(f"not the size of a buffer: {expr}")


def product(factors: Sequence[Expr]) -> Expr:
    """Return a product, without factors of 1."""
    kept = [factor for factor in factors if factor.text != "1"] or [Expr("1", literal=True)]
    result = kept[0]
    for factor in kept[1:]:
        result = infix("*", Level.MULTIPLY, result, factor)
    return result
