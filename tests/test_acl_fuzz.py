"""Random calls of each operator's aclnn functions, under AddressSanitizer; C++ of its own says what must come of them.

`OPWRIGHT_FUZZ_CALLS=10000 python -m pytest tests/test_acl_fuzz.py` makes as many calls of each, in some minutes.
"""

import os
from pathlib import Path

import pytest
from acl_programs import built, run_program

from opwright.loading import list_operators

PROGRAMS = Path(__file__).parent / "data" / "acl"
CALLS = os.environ.get("OPWRIGHT_FUZZ_CALLS", "300")
OPERATORS = {
    "MaskedCausalConv1dBackward": "masked_causal_conv1d_backward",
    "NsaCompressGrad": "nsa_compress_grad",
    "MoeTokenUnpermuteWithRoutingMapGrad": "moe_token_unpermute_with_routing_map_grad",
}

pytestmark = pytest.mark.xdist_group("acl")


@pytest.mark.parametrize("operator", OPERATORS)
def test_random_calls(operator: str, tmp_path: Path) -> None:
    source = PROGRAMS / f"fuzz_{OPERATORS[operator]}.cpp"
    out = run_program(source, built((operator,), "address"), tmp_path, (CALLS, "3"), "address")
    assert out.startswith(f"{CALLS} calls are right")


def test_every_operator_of_the_library_has_random_calls() -> None:
    assert OPERATORS.keys() == set(list_operators())
