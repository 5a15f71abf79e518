"""The stages that share the sizes of an operator between them: one keeps what it can on chip, one is for large sizes.

The first keeps the rows that its loops name one by one, and all lanes of a row where a result combines those. The
second runs where that does not fit, or where rows are wider than an instruction repeats over: rows come when they are
wanted, those of sums from the result and back, and lanes come in strips of one row. Both give the same bits.
"""

from dataclasses import replace

from ..dialect.index_expr import refs
from ..dialect.spec import ReadOp
from .chips import Chip
from .lane_chunks import most_lanes
from .ragged_plan import RaggedPlan, plain_dim
from .ragged_sums import is_inner


def forms_of(plan: RaggedPlan, chip: Chip) -> tuple[RaggedPlan, ...]:
    """Return the plan alone, or the plans of both stages."""
    whole_lanes = plan.combines_lanes and plan.lane_chunk is None
    strips = whole_lanes and not any(s.has_lanes for s in plan.sums)
    single = whole_lanes and plan.row is not None
    streams = any(map(plan.streams, plan.sums)) or _keeps_scalars(plan)
    if not chip.staged or not (strips or single or streams):
        return (plan,)
    limit = most_lanes(chip) if whole_lanes and plan.row is not None else None
    kept = replace(plan, gate=plan.label, limit=limit)
    return kept, replace(kept, label=f"{plan.label}_large", large=True, strips=strips, single=single)


def _keeps_scalars(plan: RaggedPlan) -> bool:
    """Return whether scalars of the rows are read at places that move inside an item, so that all of them are kept."""
    compute = plan.compute
    reads = [op for op in compute.body.walk() if isinstance(op, ReadOp) and plain_dim(compute, op, -1) == plan.row]
    moving = (is_inner(compute, op.operands_[n]) for op in reads for e in op.indices.data[:-1] for n in refs(e))
    return plan.row is not None and any(moving)
