"""The variants of an operator: one kernel for each dtype column and each choice of the optional tensors."""

from dataclasses import dataclass
from itertools import chain, combinations

from .dialect.spec.ops import OperatorOp
from .dialect.spec.signature import Signature


@dataclass(frozen=True)
class Variant:
    """The number of a dtype column, and the names of the optional tensors that are given."""

    column: int
    present: frozenset[str]

    def name(self, operator: OperatorOp) -> str:
        """Return a name for files: dtypes of the column, then optional tensors given, as in `bf16_maskOptional`."""
        signature = Signature.of(operator)
        dtypes = dict.fromkeys(str(t) for t in signature.dtype_columns[self.column].values())
        given = [name for name in optional_inputs(operator) if name in self.present]
        return "_".join((*dtypes, *given)) or "all"


def optional_inputs(operator: OperatorOp) -> list[str]:
    """Return the names of the tensors that a call may leave out."""
    return [op.label.data for op in Signature.of(operator).inputs if op.optional is not None]


def presences(operator: OperatorOp) -> list[frozenset[str]]:
    """Return each choice of the optional tensors: none first, all last."""
    optional = optional_inputs(operator)
    choices = chain.from_iterable(combinations(optional, count) for count in range(len(optional) + 1))
    return [frozenset(choice) for choice in choices]


def all_variants(operator: OperatorOp) -> list[Variant]:
    """Return every variant, columns in the order of the spec."""
    columns = range(len(Signature.of(operator).dtype_columns))
    return [Variant(column, present) for column in columns for present in presences(operator)]
