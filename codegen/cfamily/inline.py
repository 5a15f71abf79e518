"""Which values become part of a larger expression: decided from the IR, before anything is printed.

A value is inlined where its operation has an expression form, it has exactly one use, in the same block, no name of its
own, the expression stays short, and the move changes nothing: it is pure, or it reads and no statement stands between.
Constants are always inlined. Pure operations whose results nobody needs are not printed.
"""

from collections.abc import Container
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
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
    _keep_apart(ops, plan)
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
    if isinstance(user, scf.ForOp | scf.ParallelOp) and index < 3:
        plan.fallback[result] = ("start", "end", "step")[index]
        return None
    if isinstance(user, scf.YieldOp) and len(user.operands) > 1:
        return None
    return user


def _keep_apart(ops: list[Operation], plan: Plan) -> None:
    """Give a name to what must not be part of its user.

    That is what would make an expression of more than MAX_OPERATIONS operations, and a read of memory in an operand
    that C evaluates only sometimes: the IR reads always, and a loop with a conditional read is not vectorised.
    """
    sizes: dict[Operation, int] = {}
    readers: set[Operation] = set()
    for op in ops:
        parts = [operand.owner for operand in op.operands if operand.owner in plan.inlined]
        size = 1 + sum(sizes[part] for part in {*parts} if isinstance(part, Operation))
        reads = op.has_trait(MemoryReadEffect) or any(part in readers for part in parts)
        if op in plan.inlined and (size > MAX_OPERATIONS or (reads and _is_evaluated_sometimes(op))):
            plan.inlined.discard(op)
        if reads and op in plan.inlined:
            readers.add(op)
        sizes[op] = 0 if isinstance(op, arith.ConstantOp) else size


def _is_evaluated_sometimes(op: Operation) -> bool:
    use = next(iter(op.results[0].uses), None)
    if use is None or use.index == 0:
        return False
    logical = isinstance(use.operation, arith.AndIOp | arith.OrIOp) and use.operation.results[0].type == i1
    return logical or isinstance(use.operation, arith.SelectOp)
