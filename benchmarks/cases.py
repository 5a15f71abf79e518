"""What is measured: an operator, its inputs, the same function in PyTorch, and a float64 reference.

A case names its parameters as the operator's document does. It gets PyTorch as an argument, so that this file can be
imported without it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Arrays: TypeAlias = dict[str, Array]
Torch: TypeAlias = Any
"""The torch module."""
Tensor: TypeAlias = Any
Tensors: TypeAlias = dict[str, Tensor]
TorchFunction: TypeAlias = Callable[..., Tensors]

BF16 = np.dtype(ml_dtypes.bfloat16)
F16 = np.dtype(np.float16)


@dataclass(frozen=True)
class Case:
    """One operator at one shape.

    Attributes:
        name: how the command line and the tables call it.
        operator: its name in the library.
        inputs: makes the arrays by parameter name; absent tensors are left out.
        torch_forms: from the torch module to ways of writing the function, by name; each takes the inputs as keyword
            arguments and returns the outputs by name. The fastest one after compilation is compared.
        reference: computes the outputs in float64.
        attributes: the operator's attributes, handed to its compiled kernel only.
    """

    name: str
    operator: str
    inputs: Callable[[np.random.Generator], Arrays]
    torch_forms: Callable[[Torch], Mapping[str, TorchFunction]]
    reference: Callable[[Arrays], Arrays]
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _conv1d_backward(rows: int, batch: int, width: int, dtype: np.dtype[Any], *, masked: bool) -> Case:
    def inputs(rng: np.random.Generator) -> Arrays:
        shapes = {"gradY": (rows, batch, width), "x": (rows, batch, width), "weight": (3, width)}
        arrays: Arrays = {name: rng.standard_normal(s, np.float32).astype(dtype) for name, s in shapes.items()}
        return arrays | ({"maskOptional": rng.random((batch, rows)) < 0.9} if masked else {})

    kind = f"{dtype.name}{'-mask' if masked else ''}"
    name = f"conv1d-backward-{rows}x{batch}x{width}-{kind}"
    return Case(name, "MaskedCausalConv1dBackward", inputs, _conv1d_backward_torch, _conv1d_backward_float64)


def _conv1d_backward_torch(torch: Torch) -> dict[str, TorchFunction]:
    def gradients(g: Tensor, x: Tensor, weight: Tensor) -> Tensors:
        """Use g of S rows; the arithmetic is in f32, each output is rounded once."""
        rows, dtype = x.shape[0], x.dtype
        padded = torch.nn.functional.pad(g, (0, 0, 0, 0, 0, 2))
        w, xf = weight.float(), x.float()
        g0, g1, g2 = (padded[k : rows + k].float() for k in range(3))
        grad_weight = torch.stack([(gk * xf).sum((0, 1)) for gk in (g2, g1, g0)])
        return {"gradXOut": (g0 * w[2] + g1 * w[1] + g2 * w[0]).to(dtype), "gradWeightOut": grad_weight.to(dtype)}

    def select(g: Tensor, mask: Tensor | None) -> Tensor:
        zero = torch.zeros((), dtype=g.dtype)
        return g if mask is None else torch.where(mask.t()[:, :, None], g, zero)

    def pad_16_bit(**given: Tensor) -> Tensors:
        return gradients(select(given["gradY"], given.get("maskOptional")), given["x"], given["weight"])

    def pad_f32(**given: Tensor) -> Tensors:
        return gradients(select(given["gradY"].float(), given.get("maskOptional")), given["x"], given["weight"])

    return {"pad 16 bit": pad_16_bit, "pad f32": pad_f32}


def _conv1d_backward_float64(arrays: Arrays) -> Arrays:
    g, x, w = (arrays[name].astype(np.float64) for name in ("gradY", "x", "weight"))
    rows = len(x)
    if "maskOptional" in arrays:
        g = np.where(arrays["maskOptional"].T[:, :, None], g, 0.0)
    g = np.concatenate([g, np.zeros((2, *g.shape[1:]))])
    grad_x = sum(g[k : rows + k] * w[2 - k] for k in range(3))
    grad_weight = [np.einsum("ijh,ijh->h", g[2 - k : rows + 2 - k], x) for k in range(3)]
    return {"gradXOut": np.asarray(grad_x), "gradWeightOut": np.stack(grad_weight)}


CASES: Mapping[str, Case] = {
    case.name: case
    for case in (
        _conv1d_backward(4096, 4, 768, BF16, masked=True),
        _conv1d_backward(4096, 4, 768, BF16, masked=False),
        _conv1d_backward(4096, 4, 768, F16, masked=True),
        _conv1d_backward(2048, 32, 384, BF16, masked=True),
        _conv1d_backward(1024, 2, 24576, BF16, masked=False),
    )
}
