"""Which values become part of a larger expression: decided from the IR, before anything is printed.

A value is inlined where its operation has an expression form, it has exactly one use, in the same block, no name of its
own, the expression stays short, and the move changes nothing: it is pure, or it reads and no statement stands between.
Constants are always inlined. Pure operations whose results nobody needs are not printed.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import MemoryReadEffect

MAX_OPERATIONS = 6
"""The most operations of one expression."""


@dataclass
class Plan:
    """The decision for one block.

    Attributes:
        inlined: operations whose result is part of its user.
        dead: operations that are not printed.
        fallback: names for values without one, by what they are used for.
    """

    inlined: set[Operation] = field(default_factory=set[Operation])
    dead: set[Operation] = field(default_factory=set[Operation])
    fallback: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])


def plan_block(block: Block, expressions: Container[type[Operation]]) -> Plan:
    """Decide for each operation of a block; `expressions` are the classes that have an expression form."""
    ops = list(block.ops)
    plan = Plan()
    roots: dict[Operation, int] = {}
    statements = _statements_before(ops, expressions)
    for place in range(len(ops) - 1, -1, -1):
        op = ops[place]
        roots[op] = place
        if type(op) not in expressions:
            continue
        if all(use.operation in plan.dead for result in op.results for use in result.uses):
            plan.dead.add(op)
        elif isinstance(op, arith.ConstantOp):
            plan.inlined.add(op)
        elif (user := _single_user(op, plan)) is not None and user in roots:
            root = roots[user]
            if not op.has_trait(MemoryReadEffect) or statements[place] == statements[root]:
                plan.inlined.add(op)
                roots[op] = root
    _limit_size(ops, plan)
    return plan


def _statements_before(ops: list[Operation], expressions: Container[type[Operation]]) -> list[int]:
    counts, count = list[int](), 0
    for op in ops:
        counts.append(count)
        count += type(op) not in expressions
    return counts


def _single_user(op: Operation, plan: Plan) -> Operation | None:
    """Return the operation of the only use that is printed, if the value may be part of it."""
    result = op.results[0]
    uses = [use for use in result.uses if use.operation not in plan.dead]
    if len(uses) != 1 or result.name_hint is not None:
        return None
    user, index = uses[0].operation, uses[0].index
    if isinstance(user, scf.ForOp | scf.ParallelOp):
        if index < 3:
            plan.fallback[result] = ("start", "end", "step")[index]
        return None
    if isinstance(user, scf.YieldOp) and len(user.operands) > 1:
        return None
    return user


def _limit_size(ops: list[Operation], plan: Plan) -> None:
    """Give a name to what would make an expression of more than MAX_OPERATIONS operations."""
    sizes: dict[Operation, int] = {}
    for op in ops:
        parts = {operand.owner for operand in op.operands if operand.owner in plan.inlined}
        size = 1 + sum(_size(part, sizes) for part in parts)
        if size > MAX_OPERATIONS and op in plan.inlined:
            plan.inlined.discard(op)
            size = 0
        sizes[op] = size


def _size(part: object, sizes: Mapping[Operation, int]) -> int:
    return sizes.get(part, 0) if isinstance(part, Operation) and not isinstance(part, arith.ConstantOp) else 0
