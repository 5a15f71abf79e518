"""What the reference interpreter refuses while it runs, at the line of the spec."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import f32

from opwright.codegen.reference import evaluate
from opwright.dialect.diagnostics import Diagnostic
from opwright.dialect.spec.ops import ComputeOp
from opwright.loading import load

SPEC = """\
spec.operator @Rows {{
  %N = spec.dim "N"
  %P = spec.attr "P" default 1 : index
  spec.require [%P] >= [1] code 561002
  %x = spec.input "x" : !spec.tensor<[N], f32>
  %ids = spec.input "ids" : !spec.tensor<[N], i32>
  %low = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %y = spec.compute (%i: 0 to %N) -> !spec.tensor<[N], f32> {{
    %id = spec.read %ids[%i] : index
    %inside = arith.cmpi sge, %id, %low : index
    {line}
  }}
  spec.output "y" %y : !spec.tensor<[N], f32>
}}
"""
LINE = 12
X = np.arange(4, dtype=np.float32)


def run(tmp_path: Path, line: str, ids: list[int], **attrs: int) -> np.ndarray[Any, Any]:
    path = tmp_path / "rows.mlir"
    path.write_text(SPEC.format(line=line), encoding="utf-8")
    return evaluate(load(path).op, {"x": X, "ids": np.array(ids, np.int32)}, attrs)["y"]


GATHER = "%a = spec.read %x[%id] : f32 spec.write %a to 0[%i]"
GATHER_ELSE = "%a = spec.read %x[%id] else %zero : f32 spec.write %a to 0[%i]"
SHIFT = "%a = spec.read %x[%i + 1] : f32 spec.write %a to 0[%i]"
SCATTER = "%a = spec.read %x[%i] : f32 spec.write %a to 0[%id] unique"
SCATTER_IF = "%a = spec.read %x[%i] : f32 spec.write %a to 0[%id] unique if %inside"
DIVIDE = "%a = spec.read %x[%i floordiv %P] : f32 spec.write %a to 0[%i]"

REFUSED = [
    (GATHER, [0, 1, 4, 2], "OPW220", "index 0 is 4, outside 0 to 3 of its dim"),
    (GATHER, [0, -1, 1, 2], "OPW220", "index 0 is -1, outside 0 to 3 of its dim"),
    (SHIFT, [0, 1, 2, 3], "OPW220", "index 0 is 4, outside 0 to 3 of its dim"),
    (SCATTER, [0, 1, 4, 2], "OPW221", "index 0 is 4, outside 0 to 3 of its dim"),
    (SCATTER_IF, [0, 1, 4, -2], "OPW221", "index 0 is 4, outside 0 to 3 of its dim"),
]


@pytest.mark.parametrize(("line", "ids", "code", "text"), REFUSED)
def test_out_of_range(tmp_path: Path, line: str, ids: list[int], code: str, text: str) -> None:
    with pytest.raises(Diagnostic) as caught:
        run(tmp_path, line, ids)
    assert (caught.value.code, caught.value.message) == (code, text)
    assert caught.value.location is not None
    assert caught.value.location.line == LINE


ACCEPTED = [
    (GATHER, [3, 3, 0, 1], [3, 3, 0, 1]),
    (GATHER_ELSE, [3, 4, -1, 1], [3, 0, 0, 1]),
    (SCATTER, [2, 0, 3, 1], [1, 3, 0, 2]),
    (SCATTER_IF, [2, -1, -7, 0], [3, 0, 0, 0]),
    (DIVIDE, [0, 0, 0, 0], [0, 0, 1, 1]),
]


@pytest.mark.parametrize(("line", "ids", "expected"), ACCEPTED)
def test_in_range(tmp_path: Path, line: str, ids: list[int], expected: list[float]) -> None:
    assert run(tmp_path, line, ids, P=2).tolist() == expected


def test_division_by_0(tmp_path: Path) -> None:
    """The constraint P >= 1 is the document's; a call that breaks it is refused here."""
    with pytest.raises(Diagnostic) as caught:
        run(tmp_path, DIVIDE, [0, 0, 0, 0], P=0)
    assert (caught.value.code, caught.value.message) == ("OPW222", "'spec.read' divides by 0")


def test_operation_without_meaning(tmp_path: Path) -> None:
    path = tmp_path / "rows.mlir"
    path.write_text(SPEC.format(line=GATHER), encoding="utf-8")
    op = load(path).op
    compute = next(inner for inner in op.body.block.ops if isinstance(inner, ComputeOp))
    first = compute.body.block.first_op
    assert first is not None
    compute.body.block.insert_op_before(test.TestOp(result_types=[f32]), first)
    with pytest.raises(Diagnostic) as caught:
        evaluate(op, {"x": X, "ids": np.zeros(4, np.int32)})
    assert (caught.value.code, caught.value.message) == ("OPW223", "the reference interpreter cannot run 'test.op'")
