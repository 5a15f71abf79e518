"""Which loop bodies of a stage become methods of their own, and which values become members for them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialect.ascendc import BufferType, EventType, QueueType, StageOp
from ..cfamily.control import is_one
from .names import CamelNames, pascal
from .printer import Method

LONG = 24
"""A loop body of more operations is a method."""

MOST_PARAMETERS = 8
"""A loop body that needs more values stays where it is."""


@dataclass(frozen=True)
class StageMethods:
    """The methods of one stage's class beside Init and Process.

    Attributes:
        methods: the loops whose bodies are methods, outer ones first.
        members: values of the stage's body that methods use.
    """

    methods: Mapping[scf.ForOp, Method]
    members: tuple[SSAValue, ...]


def plan_methods(stage: StageOp) -> StageMethods:
    """Choose the loops of a stage whose bodies are long, and collect what they use from outside."""
    names, methods = CamelNames({"Init", "Process"}), dict[scf.ForOp, Method]()
    members: dict[SSAValue, None] = {}
    for loop in _long_loops(stage.body.block):
        outside = _outside(loop)
        own = [value for value in outside if value.owner is not stage.body.block and not _stands_in(value, stage)]
        if len(own) >= MOST_PARAMETERS:
            continue
        methods[loop] = Method(names.fresh(_name(loop)), (loop.body.block.args[0], *own))
        members.update(dict.fromkeys(value for value in outside if value not in own))
    return StageMethods(methods, tuple(members))


def _long_loops(block: Block) -> Iterator[scf.ForOp]:
    for op in block.ops:
        if isinstance(op, scf.ForOp) and not op.results and _weight(op.body.block) > LONG:
            yield op
        for region in op.regions:
            for inner in region.blocks:
                yield from _long_loops(inner)


def _weight(block: Block) -> int:
    return sum(not isinstance(op, arith.ConstantOp | scf.YieldOp) for op in block.walk())


def _name(loop: scf.ForOp) -> str:
    return f"Process{pascal(loop.body.block.args[0].name_hint or 'item')}" if is_one(loop.step) else "ProcessTile"


def _outside(loop: scf.ForOp) -> list[SSAValue]:
    """Return the values that a loop's body uses from outside and that have no name everywhere in the class."""
    found: dict[SSAValue, None] = {}
    for op in loop.body.block.walk():
        for value in op.operands:
            if not _is_free(value) and not _inside(value, loop):
                found[value] = None
    return list(found)


def _is_free(value: SSAValue) -> bool:
    """Return whether a value has a name everywhere in the class."""
    if isinstance(value.type, QueueType | BufferType | EventType) or isinstance(value.owner, arith.ConstantOp):
        return True
    argument = isinstance(value, BlockArgument) and not isinstance(value.block.parent_op(), scf.ForOp | StageOp)
    return argument or (isinstance(value.type, MemRefType) and isinstance(value, BlockArgument))


def _inside(value: SSAValue, op: Operation) -> bool:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    return block is not None and op.is_ancestor(block)


def _stands_in(value: SSAValue, stage: StageOp) -> bool:
    """Return whether a value is defined in the stage's body itself, not in a loop."""
    return isinstance(value.owner, Operation) and value.owner.parent_block() is stage.body.block
