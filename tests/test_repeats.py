"""Places that several points name are told: by `run` for its arrays, by `verify` for how many of its cases."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from test_owners import PLACES, SPEC

from opwright.cli import main
from opwright.codegen.binding import Arrays, bind, bound_arrays
from opwright.codegen.reference import Repeat, repeated_places
from opwright.loading import load

MOE = "MoeTokenUnpermuteWithRoutingMapGrad"
TOKENS, EXPERTS, WIDTH = 6, 3, 4


def moe_arrays(tokens: list[int]) -> dict[str, np.ndarray]:
    """Return a padded call: two slots an expert, whose tokens are given."""
    slots = len(tokens)
    return {
        "unpermutedTokensGrad": np.ones((TOKENS, WIDTH), np.float32),
        "outIndex": np.arange(slots, dtype=np.int32),
        "permuteTokenId": np.array(tokens, np.int32),
        "routingMapOptional": np.ones((TOKENS, EXPERTS), np.int8),
        "permutedTokensOptional": np.ones((slots, WIDTH), np.float32),
        "probsOptional": np.ones((TOKENS, EXPERTS), np.float32),
    }


def repeats(spec: str, arrays: Arrays, attrs: Mapping[str, bool] | None = None) -> list[Repeat]:
    op = load(spec).op
    binding = bind(op, arrays, attrs or {})
    return repeated_places(op, binding, bound_arrays(op, binding, arrays))


def test_a_place_tells_its_first_and_its_last_point(tmp_path: Path) -> None:
    path = tmp_path / "dots.py"
    path.write_text(SPEC)
    arrays = {"x": np.ones((6, 5), np.float32), "sized": np.zeros((5, 1), np.float32), "place": PLACES}
    (found,) = repeats(str(path), arrays)
    assert (found.output, found.place, found.points, found.count) == ("y", (0,), ((1,), (4,)), 2)
    assert str(found).endswith(
        "warning: points (1) and (4) both name place [0] of 'y': the last one counts; 2 places are named more than once"
    )


def test_places_of_two_dims_differ_if_one_does() -> None:
    assert not repeats(MOE, moe_arrays([0, 1, 1, 0, 4, 5]), {"paddedMode": True})
    (found,) = repeats(MOE, moe_arrays([0, 1, 3, 3, 4, 5]), {"paddedMode": True})
    assert (found.output, found.place, found.points) == ("probsGradOutOptional", (3, 1), ((2,), (3,)))


def test_points_that_take_no_part_name_no_place() -> None:
    arrays = moe_arrays([0, 1, 3, 3, 4, 5])
    arrays["outIndex"][3] = -1
    assert not repeats(MOE, arrays, {"paddedMode": True})


def test_run_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("in.npz", "out.npz")]
    np.savez(files[0], **moe_arrays([0, 1, 3, 3, 4, 5]))  # pyright: ignore[reportArgumentType]
    command = ["run", MOE, "--backend", "numpy", "--in", files[0], "--out", files[1], "--attr", "paddedMode=true"]
    assert main(command) == 0
    assert "warning: points (2) and (3) both name place [3, 1] of 'probsGradOutOptional'" in capsys.readouterr().err


def test_verify_counts_the_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dots.py"
    path.write_text(SPEC.replace("    m, h =", "    spec.places(place, below=V)\n    m, h ="))
    command = ["verify", str(path), "--cases", "6", "--seed", "1", "--backend", "numpy", "--target", "cpu"]
    assert main([*command, "--json"]) == 0
    count = json.loads(capsys.readouterr().out)["repeated"]["Dots"]
    assert 0 < count <= 6
    assert main(command) == 0
    assert f"In {count} of the cases of Dots, several points name one place" in capsys.readouterr().out
