"""Names: dims, parameters, outputs, and what determines each dim."""

from collections.abc import Iterator

from xdsl.ir import Operation

from ...diagnostics import Diagnostic
from ..attrs import TensorType
from ..equations import EQUATION
from ..ops import ComputeOp, GivenOp, InputOp, OperatorOp, PositionsOp, ScanOp
from ..signature import Signature, dim_labels
from .places import verify_operator_place


def verify(operator: OperatorOp) -> None:
    """Verify all names of an operator."""
    signature = Signature.of(operator)
    verify_operator_place(operator)
    _verify_identifier(operator.sym_name.data, operator)
    _verify_unique_operator(operator)
    verify_unique(signature)
    _verify_outputs(signature, operator)
    _verify_known_dims(operator, signature)
    _verify_bound_dims(signature, specialized=EQUATION in operator.attributes)
    _verify_given(operator)


def tensor_types(operator: OperatorOp) -> Iterator[tuple[Operation, TensorType]]:
    """Yield every tensor type of the operator with the operation that introduces it."""
    for op in operator.body.walk():
        for result in op.results:
            if isinstance(result.type, TensorType):
                yield op, result.type


def _verify_unique_operator(operator: OperatorOp) -> None:
    parent = operator.parent
    for other in parent.ops if parent is not None else ():
        if other is operator:
            return
        if isinstance(other, OperatorOp) and other.sym_name == operator.sym_name:
            raise Diagnostic("OPW114", f"operator @{operator.sym_name.data} is defined twice", operator)


def _verify_identifier(name: str, op: Operation) -> None:
    """Refuse a name that could not stand in emitted code and in the name of a file."""
    if not (name.isascii() and name.isidentifier()):
        hint = "start with a letter or _, then letters, digits and _"
        raise Diagnostic("OPW142", f"'{name}' is no identifier; emitted code and files are named by it", op, hint)


def verify_unique(signature: Signature) -> None:
    """Refuse a name that is declared twice (OPW102) or is no identifier (OPW142)."""
    seen: set[str] = set()
    for label, op in signature.labels():
        _verify_identifier(label, op)
        if label in seen:
            raise Diagnostic("OPW102", f"parameter '{label}' is declared twice", op)
        seen.add(label)
    dims: set[str] = set()
    for dim in signature.dims:
        _verify_identifier(dim.label.data, dim)
        if dim.label.data in seen:
            raise Diagnostic("OPW102", f"'{dim.label.data}' is declared twice: as a dim and as a parameter", dim)
        if dim.label.data in dims:
            raise Diagnostic("OPW102", f"dim {dim.label.data} is declared twice", dim)
        dims.add(dim.label.data)
    for columns in signature.columns[1:]:
        raise Diagnostic(
            "OPW102",
            "dtype variables are declared in two places",
            columns,
            "declare them together: spec.dtypes, in MLIR spec.columns",
        )


def _verify_outputs(signature: Signature, operator: OperatorOp) -> None:
    if not signature.outputs:
        raise Diagnostic("OPW116", f"operator @{operator.sym_name.data} has no output", operator)
    for op in signature.outputs:
        if not isinstance(op.tensor.owner, ComputeOp | PositionsOp | ScanOp):
            text = f"output '{op.label.data}' is not the result of a compute or a scan"
            raise Diagnostic("OPW115", text, op, "compute a copy of it")


def _verify_known_dims(operator: OperatorOp, signature: Signature) -> None:
    known = [dim.label.data for dim in signature.dims]
    for op, tensor in tensor_types(operator):
        for label in dim_labels(tensor):
            if label not in known:
                hint = f"known dims: {', '.join(known)}" if known else f'declare it: %{label} = spec.dim "{label}"'
                raise Diagnostic("OPW101", f"dim {label} is unknown", op, hint)


def _verify_given(operator: OperatorOp) -> None:
    for op in operator.body.block.ops:
        if isinstance(op, GivenOp) and not (isinstance(op.tensor.owner, InputOp) and op.tensor.owner.may_be_absent):
            raise Diagnostic("OPW140", "spec.given asks for a tensor that is always there", op, "ask for optional ones")


def _verify_bound_dims(signature: Signature, *, specialized: bool) -> None:
    """Refuse a dim whose size nothing gives: neither a definition nor a tensor parameter.

    Where an operator is specialized to calls without some input, outputs may be alone in telling a size.
    """
    bound = {label for op in signature.inputs for label in dim_labels(op.result.type)}
    if specialized:
        bound |= {label for op in signature.outputs for label in dim_labels(op.type)}
    free = {dim.label.data for dim in signature.dims if dim.definition is None} - bound
    for op in signature.outputs:
        for label in dim_labels(op.type):
            if label in free:
                text = f"dim {label} of output '{op.label.data}' does not follow from inputs or attributes"
                raise Diagnostic("OPW113", text, op, f'define it: spec.dim "{label}" = [...]')
    for dim in signature.dims:
        if dim.label.data in free:
            hint = "name it in the shape of an input, or define it"
            raise Diagnostic("OPW112", f"dim {dim.label.data} has no size: no input names it", dim, hint)
