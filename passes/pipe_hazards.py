"""Where instructions of one pipe must wait for each other: read after write, write after read, write after write.

The state that is carried through a stage is the list of what the pipe may still be doing to on-chip tensors since the
last barrier. An instruction that meets a conflicting entry gets a barrier in front of it, which empties the list. Loops
are planned for what their own body needs, from one iteration to the next included; what stands before a loop gets its
barrier in front of the loop, where it runs once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..dialect.ascendc import BarrierOp, GetOp
from ..dialect.diagnostics import Diagnostic
from .index_facts import Facts
from .index_forms import Linear
from .ub_access import Access, accesses


@dataclass(frozen=True)
class Touch:
    """What the pipe may still do to a tensor.

    Attributes:
        tensor: the tensor.
        writes: whether it changes it.
        low: the first row; None where it may be any.
        high: the row behind the last; None where it may be any.
        earlier: loops of which an earlier iteration did it.
    """

    tensor: SSAValue
    writes: bool
    low: Linear | None = None
    high: Linear | None = None
    earlier: frozenset[scf.ForOp] = frozenset()

    def values(self) -> set[SSAValue]:
        """Return the values that the rows depend on."""
        return {value for form in (self.low, self.high) if form is not None for value, _ in form.terms}


State = frozenset[Touch]
EMPTY: State = frozenset()


@dataclass
class HazardPlan:
    """Finds in front of which operations of a stage one pipe needs a barrier.

    Attributes:
        facts: what is known of index values.
        pipe: the pipe.
        queued_only: leave out plain buffers, which flags order.
        before: the operations that get a barrier, with the tensor of the conflict.
        known: what operations do, once it was worked out.
    """

    facts: Facts
    pipe: str
    queued_only: bool = False
    before: dict[Operation, SSAValue] = field(default_factory=dict[Operation, SSAValue])
    known: dict[Operation, list[Touch]] = field(default_factory=dict[Operation, list[Touch]])

    def block(self, block: Block, state: State) -> State:
        """Plan the operations of a block and return the state behind it."""
        for op in block.ops:
            state = self.operation(op, state)
        return state

    def operation(self, op: Operation, state: State) -> State:
        """Plan one operation and return the state behind it."""
        match op:
            case BarrierOp() if op.pipe.data in (self.pipe, "ALL"):
                return EMPTY
            case scf.ForOp():
                return self._loop(op, state)
            case scf.IfOp():
                return self._branch(op, state)
            case _ if op.regions:
                raise Diagnostic("OPW378", f"'{op.name}' in a stage has no form on this chip", op)
            case _:
                return self._instruction(op, state)

    def _instruction(self, op: Operation, state: State) -> State:
        touches = self.touches(op)
        conflict = self._conflict(state, touches)
        if conflict is not None:
            self.before[op] = conflict
            state = EMPTY
        return state.union(touches)

    def touches(self, op: Operation) -> list[Touch]:
        """Return what an operation does in this pipe."""
        if op not in self.known:
            uses = (use for use in accesses(op) if use.pipe == self.pipe and self._counts(use.tensor))
            self.known[op] = [self._touch(use) for use in uses]
        return self.known[op]

    def _counts(self, tensor: SSAValue) -> bool:
        return not (self.queued_only and isinstance(tensor.owner, GetOp))

    def _touch(self, use: Access) -> Touch:
        if use.more:
            return Touch(use.tensor, use.writes)
        low = self.facts.form(use.row)
        return Touch(use.tensor, use.writes, low, low.plus(1 if use.rows is None else self.facts.form(use.rows)))

    def _conflict(self, state: Iterable[Touch], touches: Sequence[Touch]) -> SSAValue | None:
        return next((new.tensor for new in touches for old in state if self._meet(old, new)), None)

    def _meet(self, old: Touch, new: Touch) -> bool:
        if old.tensor is not new.tensor or not (old.writes or new.writes):
            return False
        if old.low is None or old.high is None or new.low is None or new.high is None:
            return True
        old_low, old_high = self._moved_back(old.low, old.earlier), self._moved_back(old.high, old.earlier)
        gaps = (new.low.plus(old_high, -1), old_low.plus(new.high, -1))
        return not any(self.facts.at_least(gap, 0) for gap in gaps)

    def _moved_back(self, form: Linear, loops: Iterable[scf.ForOp]) -> Linear:
        """Return a row of an earlier iteration: each loop's variable is a step or more behind what it is now."""
        for loop in loops:
            variable = loop.body.block.args[0]
            behind = self.facts.form(loop.step).plus(Linear.of(self.facts.natural(loop)))
            form = form.plus(behind, -form.coefficient(variable))
        return form

    # Branches

    def _branch(self, op: scf.IfOp, state: State) -> State:
        inside, inside_end = self._branch_plan(op, state)
        ahead, ahead_end = self._branch_plan(op, EMPTY)
        cost_ahead = (1 + max(map(len, ahead)), 1 + sum(map(len, ahead)))
        if state and cost_ahead < (max(map(len, inside)), sum(map(len, inside))):
            self.before[op] = _first(inside)
            inside, inside_end = ahead, ahead_end
        for plan in inside:
            self.before.update(plan)
        return inside_end

    def _branch_plan(self, op: scf.IfOp, state: State) -> tuple[list[dict[Operation, SSAValue]], State]:
        plans: list[dict[Operation, SSAValue]] = []
        end: State = EMPTY if op.false_region.blocks else state
        for region in op.regions:
            plan = self._fresh()
            if region.blocks:
                end |= plan.block(region.block, state)
            plans.append(plan.before)
        return plans, end

    def _fresh(self) -> "HazardPlan":
        return HazardPlan(self.facts, self.pipe, self.queued_only, known=self.known)

    # Loops

    def _loop(self, op: scf.ForOp, state: State) -> State:
        alone, alone_end = self._body_plan(op, EMPTY)
        plan, end = self._body_plan(op, state)
        if len(plan.before) > len(alone.before):
            self.before[op] = _first([plan.before])
            state, plan, end = EMPTY, alone, alone_end
        self.before.update(plan.before)
        runs = self.facts.at_least(self.facts.form(op.ub).plus(self.facts.form(op.lb), -1), 1)
        return frozenset(self._leave(op, t) for t in end if not _inside(t.tensor, op)) | (EMPTY if runs else state)

    def _body_plan(self, op: scf.ForOp, state: State) -> tuple["HazardPlan", State]:
        """Plan the body for the first iteration and for all others; return the plan and the state behind the body."""
        while True:
            plan = self._fresh()
            end = plan.block(op.body.block, state)
            carried = frozenset(self._next(op, t) for t in end if not _inside(t.tensor, op))
            if carried <= state:
                return plan, end
            state |= carried

    def _next(self, op: scf.ForOp, touch: Touch) -> Touch:
        """Return a touch as later iterations see it: of an earlier one."""
        variable = op.body.block.args[0]
        if any(_inside(value, op) and value is not variable for value in touch.values()):
            return Touch(touch.tensor, touch.writes)
        return replace(touch, earlier=touch.earlier | {op}) if variable in touch.values() else touch

    def _leave(self, op: scf.ForOp, touch: Touch) -> Touch:
        """Return a touch as what follows the loop sees it: of all iterations."""
        if touch.low is None or touch.high is None:
            return touch
        first, last = self.facts.form(op.lb), self.facts.form(op.ub).plus(-1)
        low, high = _widened(touch.low, op, first, last), _widened(touch.high, op, last, first)
        wide = Touch(touch.tensor, touch.writes, low, high, touch.earlier - {op})
        return Touch(touch.tensor, touch.writes) if any(_inside(v, op) for v in wide.values()) else wide


def _widened(form: Linear, op: scf.ForOp, rising: Linear, falling: Linear) -> Linear:
    """Return a bound over all iterations: at one end of the loop where it rises with the variable, else the other."""
    variable = op.body.block.args[0]
    coefficient = form.coefficient(variable)
    return form.replace(variable, coefficient, rising if coefficient > 0 else falling) if coefficient else form


def _first(plans: Iterable[dict[Operation, SSAValue]]) -> SSAValue:
    """Return the tensor of the first conflict."""
    return next(tensor for plan in plans for tensor in plan.values())


def _inside(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is defined in the regions of an operation."""
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
    return block is not None and op.is_ancestor(block)
