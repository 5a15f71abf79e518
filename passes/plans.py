"""The forms of stages that the pass tile builds."""

from collections.abc import Iterable, Sequence

from ..dialect.spec import ComputeOp, OperatorOp, PositionsOp, ScanOp
from .chips import Chip
from .naming import unique
from .positions_plan import PositionsPlan
from .ragged_forms import forms_of
from .ragged_plan import RaggedPlan
from .ragged_sums import is_ragged
from .running_plan import RunningPlan
from .scatter_plan import OwnerPlan, ZeroPlan
from .serial_plan import Serial, SerialPlan, is_serial
from .stage_plan import StagePlan

Plan = StagePlan | RaggedPlan | RunningPlan | PositionsPlan | SerialPlan | OwnerPlan | ZeroPlan
"""A stage of regular tiles, one that follows data, one of running sums, one that lists places, one of a single core,
or one beside a scattered write."""


def stage_plans(operator: OperatorOp, chip: Chip) -> list[Plan]:
    """Return the plan of each stage, in order; labels are the names of what its operations compute, made unique."""
    plans: list[Plan] = []
    for number, ops in enumerate(_groups(operator)):
        hints = [next((r.name_hint for r in op.results if r.name_hint), None) for op in ops]
        name = "_".join(hint for hint in hints if hint) or f"stage{number}"
        label = unique(name, {plan.label for plan in plans})
        plan = _plan(ops, label, chip)
        if isinstance(plan, RaggedPlan):
            plans += _around(plan, chip)
        else:
            plans.append(plan)
    return plans


def _around(plan: RaggedPlan, chip: Chip) -> list[Plan]:
    """Return a plan with the stages that its scattered writes need before and behind it."""
    before: list[Plan] = []
    behind: list[Plan] = []
    for scatter in plan.scatters:
        name = scatter.result.name_hint or plan.label
        if scatter.has_owners:
            before.append(OwnerPlan(scatter, plan.point_dims, f"{name}_owner"))
        zero = ZeroPlan(scatter, f"{name}_zero" if scatter.is_point else f"{name}_rest")
        (before if scatter.is_point else behind).append(zero)
    return [*before, *forms_of(plan, chip), *behind]


def _plan(ops: Sequence[Serial | PositionsOp], label: str, chip: Chip) -> Plan:
    first = ops[0]
    if isinstance(first, PositionsOp):
        return PositionsPlan.analyze(first, label, chip)
    if isinstance(first, ScanOp) or is_serial(first):
        return SerialPlan.analyze([op for op in ops if isinstance(op, Serial)], label)
    running = RunningPlan.analyze(first, label)
    if running is not None:
        return running
    return RaggedPlan.analyze(first, label, chip) if is_ragged(first) else StagePlan.analyze(first, label, chip)


def _groups(operator: OperatorOp) -> Iterable[Sequence[Serial | PositionsOp]]:
    """Yield the operations of each stage: neighbouring serial ones together, others alone."""
    together: list[Serial] = []
    for op in operator.body.block.ops:
        if not isinstance(op, ComputeOp | PositionsOp | ScanOp):
            continue
        if not isinstance(op, PositionsOp) and is_serial(op):
            together.append(op)
            continue
        if together:
            yield together
            together = []
        yield [op]
    if together:
        yield together
