"""What a spec promises of index values, tested by the laptop's ACL: on the stream for tensors, at once for lists."""

from pathlib import Path

import pytest
from acl_programs import built, built_for_full_calls, compile_program, output_of, run_program

PROGRAMS = Path(__file__).parent / "data" / "acl"
ROUTING = "MoeTokenUnpermuteWithRoutingMapGrad"

pytestmark = pytest.mark.xdist_group("acl")


def test_elements_of_tensors(tmp_path: Path) -> None:
    out = run_program(PROGRAMS / "places.cpp", built((ROUTING,), "address"), tmp_path, ("1",), "address")
    assert out == "places out of range are told\n"


def test_elements_of_tensors_before_an_emulated_kernel(tmp_path: Path) -> None:
    program = compile_program(PROGRAMS / "places.cpp", built_for_full_calls(ROUTING, "address"), tmp_path, "address")
    assert output_of([program], "ascendc") == "places out of range are told\n"


SPEC = """
from opwright.dialect.frontend import Spec, boolean, f32, i32, indices, operator


@operator("Take")
def take(spec: Spec) -> None:
    N, M = spec.dims("N", "M")
    strict = spec.attr("strict", boolean, default=False)
    x = spec.input("x", f32[N])
    slots = spec.list("slots", i32[M])
    spec.places(slots, below=N, when=[strict])
    spec.places(slots, below=N, unused=True, when=[~strict])
    y = spec.output("y", f32[M])
    (m,) = indices(m=M)
    y[m] = x[slots[m]].outside(0)
"""

TAKE = """
#include "SUPPORT"
#include "aclnnop/aclnn_take.h"
int main() {
    EXPECT(aclInit(nullptr) == 0);
    aclTensor *x = describe({5}, ACL_FLOAT, nullptr), *y = describe({3}, ACL_FLOAT, nullptr);
    aclTensor *wrong = describe({3}, ACL_INT32, nullptr);
    uint64_t size = 0;
    aclOpExecutor *executor = nullptr;
    const std::vector<int64_t> negative = {4, 0, -1}, large = {5, 0, -1};
    aclIntArray *some = aclCreateIntArray(negative.data(), 3), *none = aclCreateIntArray(large.data(), 3);
    EXPECT(aclnnTakeGetWorkspaceSize(x, some, false, y, &size, &executor) == 0);
    EXPECT(aclDestroyAclOpExecutor(executor) == 0);
    EXPECT(refused(aclnnTakeGetWorkspaceSize(x, some, true, y, &size, &executor), 161002,
                   "aclnnTakeGetWorkspaceSize: element [2] of 'slots' is -1; legal are 0 to 4 (1 of 3"));
    EXPECT(refused(aclnnTakeGetWorkspaceSize(x, none, false, y, &size, &executor), 161002,
                   "element [0] of 'slots' is 5; legal are 0 to 4, and negative ones for nothing (1 of 3"));
    EXPECT(refused(aclnnTakeGetWorkspaceSize(wrong, none, false, y, &size, &executor), 161002, "the dtype of 'x'"));
    std::puts("told at once");
}
"""


def test_elements_of_lists(tmp_path: Path) -> None:
    spec, source = tmp_path / "take.py", tmp_path / "program.cpp"
    spec.write_text(SPEC)
    source.write_text(TAKE.replace("SUPPORT", str(PROGRAMS / "support.h")))
    assert run_program(source, built((str(spec),), "address"), tmp_path, (), "address") == "told at once\n"
