"""What is measured: an operator, its inputs, the same function in PyTorch, and a float64 reference.

A case names its parameters as the operator's document does. It gets PyTorch as an argument, so that this file can be
imported without it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
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
Way: TypeAlias = Callable[[Tensors], tuple[Tensor, Tensor]]
TensorFunction: TypeAlias = Callable[[Tensor, Tensor, Tensor], Tensor]

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


def _compress_grad(
    rows: int, heads: int, width: int, size: int, stride: int, dtype: np.dtype[Any], *, blocks: bool
) -> Case:
    """Return gradients of a compression whose windows of `size` rows, `stride` apart, cover all rows."""
    windows = (rows - size) // stride + 1

    def inputs(rng: np.random.Generator) -> Arrays:
        shapes = {"outputGrad": (windows, heads, width), "input": (rows, heads, width), "weight": (size, heads)}
        return {name: rng.standard_normal(shape, np.float32).astype(dtype) for name, shape in shapes.items()}

    name = f"compress-grad-{rows}x{heads}x{width}-{size}-{stride}-{dtype.name}{'-blocks' if blocks else ''}"
    attributes = {"compressBlockSize": size, "compressStride": stride}
    forms = partial(_compress_grad_torch, stride=stride, blocks=blocks)
    reference = partial(_compress_grad_float64, stride=stride)
    return Case(name, "NsaCompressGrad", inputs, forms, reference, attributes)


def _compress_grad_torch(torch: Torch, stride: int, *, blocks: bool) -> dict[str, TorchFunction]:
    """Return each way of x's gradient with each way of the weight's, in f32 and in 16 bits with f32 sums.

    The definition in whole arrays: an unfolded x, and windows or rows of windows that are added where they belong. Or,
    with `blocks`, rewritten by hand for windows that overlap by whole strides: a few additions of long blocks.
    torch.nn.functional.fold is not among them: compiled, it gave wrong results and ended the process.
    """

    def form(input_grad: TensorFunction, weight_grad: TensorFunction, wide: str) -> TorchFunction:
        def gradients(**given: Tensor) -> Tensors:
            dtype, tensors = given["input"].dtype, [given[name] for name in ("outputGrad", "input", "weight")]
            dy, x, weight = (t.float() for t in tensors) if wide == "f32" else tensors
            grads = {"inputGradOut": input_grad(dy, x, weight), "weightGradOut": weight_grad(dy, x, weight)}
            return {name: grad.to(dtype) for name, grad in grads.items()}

        return gradients

    ways = (_block_ways if blocks else _whole_ways)(torch, stride)
    return {
        f"{way} + {other}, {wide}": form(input_grad, weight_grad, wide)
        for way, input_grad in ways[0].items()
        for other, weight_grad in ways[1].items()
        for wide in ("f32", "16 bit")
    }


def _whole_ways(torch: Torch, stride: int) -> tuple[Mapping[str, TensorFunction], Mapping[str, TensorFunction]]:
    """Return ways of writing the gradient of x, and that of the weight."""

    def strided_add(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        grad, count = torch.zeros(x.shape, dtype=dy.dtype), len(dy) * stride
        for r, w in enumerate(weight):
            grad[r : r + count : stride] += w[:, None] * dy
        return grad

    def index_add(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        rows = torch.arange(len(dy))[:, None] * stride + torch.arange(len(weight))
        parts = weight[None, :, :, None] * dy[:, None]
        return torch.zeros(x.shape, dtype=dy.dtype).index_add(0, rows.view(-1), parts.view(-1, *x.shape[1:]))

    def einsum(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        return torch.einsum("cndk,cnd->kn", x.unfold(0, len(weight), stride), dy)

    return {"strided add": strided_add, "index_add": index_add}, {"unfold, einsum": einsum}


def _block_ways(torch: Torch, stride: int) -> tuple[Mapping[str, TensorFunction], Mapping[str, TensorFunction]]:
    """Return ways that take `stride` rows at once; the number of rows and that of the weight are multiples of it."""

    def add(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        """Add `stride` rows of all windows at once."""
        grad, count = torch.zeros(x.shape, dtype=dy.dtype), len(dy) * stride
        for start in range(0, len(weight), stride):
            part = weight[start : start + stride, :, None] * dy[:, None]
            grad[start : start + count] += part.view(count, *x.shape[1:])
        return grad

    def gather(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        """Sum, for each block of rows, what the windows over it give."""
        overlap, count = len(weight) // stride, len(x) // stride
        padded = torch.nn.functional.pad(dy, (0, 0, 0, 0, overlap - 1, overlap - 1))[:, None]
        shifted = [padded[overlap - 1 - j : overlap - 1 - j + count] for j in range(overlap)]
        parts = weight[:, :, None].split(stride)
        products = [part.float() * rows for part, rows in zip(parts, shifted, strict=True)]
        return reduce(torch.add, products).reshape(x.shape)

    def products(dy: Tensor, x: Tensor, weight: Tensor) -> Tensor:
        """Sum, for each block of rows of the weight, the products with the rows of x under it."""
        count, row = len(dy) * stride, (stride, *x.shape[1:])
        starts = range(0, len(weight), stride)
        parts = [x[start : start + count].view(len(dy), *row).float() * dy[:, None] for start in starts]
        return torch.cat([part.sum((0, 3)) for part in parts])

    return {"add": add, "gather": gather}, {"products": products}


def _compress_grad_float64(arrays: Arrays, stride: int) -> Arrays:
    dy, x, w = (arrays[name].astype(np.float64) for name in ("outputGrad", "input", "weight"))
    grad_x, grad_w = np.zeros_like(x), np.zeros_like(w)
    for window, row in enumerate(range(0, len(x) - len(w) + 1, stride)):
        rows = slice(row, row + len(w))
        grad_x[rows] += w[:, :, None] * dy[window]
        grad_w += np.einsum("rnd,nd->rn", x[rows], dy[window])
    return {"inputGradOut": grad_x, "weightGradOut": grad_w}


def _unpermute_grad(tokens: int, width: int, experts: int, count: int, dtype: np.dtype[Any], *, places: bool) -> Case:
    """Return gradients of bringing rows back from experts: each token has `count` of them, rows lie by expert."""
    slots = tokens * count

    def inputs(rng: np.random.Generator) -> Arrays:
        chosen = np.sort(np.argsort(rng.random((tokens, experts)), axis=1)[:, :count], axis=1)
        routing = np.zeros((tokens, experts), bool)
        np.put_along_axis(routing, chosen, values=True, axis=1)
        order = np.argsort(chosen.ravel(), kind="stable")
        place = np.empty(slots, np.int32)
        place[order] = np.arange(slots)
        shapes = {
            "unpermutedTokensGrad": (tokens, width),
            "permutedTokensOptional": (slots, width),
            "probsOptional": (tokens, experts),
        }
        arrays: Arrays = {name: rng.standard_normal(s, np.float32).astype(dtype) for name, s in shapes.items()}
        token = (order // count).astype(np.int32)
        return arrays | {"outIndex": place, "permuteTokenId": token, "routingMapOptional": routing}

    name = f"unpermute-grad-{tokens}x{width}-{experts}-{count}-{dtype.name}{'-places' if places else ''}"
    forms = partial(_unpermute_grad_torch, ways=_unpermute_place_ways if places else _unpermute_ways, count=count)
    return Case(name, "MoeTokenUnpermuteWithRoutingMapGrad", inputs, forms, _unpermute_grad_float64)


def _unpermute_grad_torch(torch: Torch, ways: Callable[..., Mapping[str, Way]], count: int) -> dict[str, TorchFunction]:
    """Return each way in f32, and in 16 bits with f32 sums."""

    def form(way: Way, wide: str) -> TorchFunction:
        def gradients(**given: Tensor) -> Tensors:
            dtype = given["probsOptional"].dtype
            names = ("unpermutedTokensGrad", "permutedTokensOptional", "probsOptional")
            floats = {name: given[name].float() if wide == "f32" else given[name] for name in names}
            grad, probs_grad = way({**given, **floats})
            return {"permutedTokensGradOut": grad.to(dtype), "probsGradOutOptional": probs_grad.to(dtype)}

        return gradients

    found = ways(torch, count)
    return {f"{name}, {wide}": form(way, wide) for name, way in found.items() for wide in ("f32", "16 bit")}


def _unpermute_ways(torch: Torch, count: int) -> dict[str, Way]:
    """Return the document's formulas, line by line: rows go to their places by assignment, or by index_copy."""

    def document(given: Tensors, put: Callable[[Tensor, Tensor, Tensor], Tensor]) -> tuple[Tensor, Tensor]:
        mask, tokens, place = given["routingMapOptional"], given["permutedTokensOptional"], given["outIndex"].long()
        token = torch.arange(len(place)) // count
        tokens_grad = put(torch.zeros_like(tokens), place, given["unpermutedTokensGrad"][token])
        dots = (tokens_grad * tokens).sum(1, dtype=torch.float32).to(tokens.dtype)
        probs_grad = torch.zeros(mask.t().shape, dtype=dots.dtype).masked_scatter(mask.t(), dots).t()
        probs = given["probsOptional"].t().masked_select(mask.t())
        return probs[:, None] * tokens_grad, probs_grad

    def assign(into: Tensor, place: Tensor, rows: Tensor) -> Tensor:
        return into.index_put((place,), rows)

    def copy(into: Tensor, place: Tensor, rows: Tensor) -> Tensor:
        return into.index_copy(0, place, rows)

    return {"assign": partial(document, put=assign), "copy": partial(document, put=copy)}


def _unpermute_place_ways(torch: Torch, count: int) -> dict[str, Way]:
    """Return ways that compute all places first, so that a compiler joins the rest into a pass or two over the rows."""

    def masked(given: Tensors) -> tuple[Tensor, Tensor]:
        """List the true elements of the mask, expert by expert: that is the order of the rows."""
        routing, tokens = given["routingMapOptional"], given["permutedTokensOptional"]
        expert, token = torch.nonzero_static(routing.t(), size=len(tokens)).unbind(1)
        rows = given["unpermutedTokensGrad"][token]
        return rows * given["probsOptional"][token, expert][:, None], scattered(given, rows * tokens, token, expert)

    def by_slot(given: Tensors) -> tuple[Tensor, Tensor]:
        """Take the slots of each token, and put the products where they belong."""
        g, place = given["unpermutedTokensGrad"], given["outIndex"].long()
        expert = torch.nonzero_static(given["routingMapOptional"], size=len(place))[:, 1]
        token = torch.arange(len(place)) // count
        rows = g[:, None].expand(len(g), count, g.shape[1]).reshape(len(place), -1)
        products = rows * given["probsOptional"][token, expert][:, None]
        grad = torch.zeros_like(products).index_copy(0, place, products)
        return grad, scattered(given, rows * given["permutedTokensOptional"][place], token, expert)

    def by_place(given: Tensors) -> tuple[Tensor, Tensor]:
        """Find the slot of each place, and take what belongs to it."""
        place = given["outIndex"].long()
        slot = torch.zeros_like(place).scatter(0, place, torch.arange(len(place)))
        expert = torch.nonzero_static(given["routingMapOptional"], size=len(place))[:, 1][slot]
        token = slot // count
        rows = given["unpermutedTokensGrad"][token]
        products = rows * given["probsOptional"][token, expert][:, None]
        return products, scattered(given, rows * given["permutedTokensOptional"], token, expert)

    def scattered(given: Tensors, products: Tensor, token: Tensor, expert: Tensor) -> Tensor:
        dots = products.sum(1, dtype=torch.float32)
        return torch.zeros(given["probsOptional"].shape).index_put((token, expert), dots)

    return {"masked": masked, "by slot": by_slot, "by place": by_place}


def _unpermute_grad_float64(arrays: Arrays) -> Arrays:
    names = ("unpermutedTokensGrad", "permutedTokensOptional", "probsOptional")
    g, tokens, probs = (arrays[name].astype(np.float64) for name in names)
    place, (token, expert) = arrays["outIndex"], np.nonzero(arrays["routingMapOptional"])
    grad, probs_grad = np.empty_like(tokens), np.zeros_like(probs)
    grad[place] = g[token] * probs[token, expert][:, None]
    probs_grad[token, expert] = np.einsum("ih,ih->i", g[token], tokens[place])
    return {"permutedTokensGradOut": grad, "probsGradOutOptional": probs_grad}


CASES: Mapping[str, Case] = {
    case.name: case
    for case in (
        _conv1d_backward(4096, 4, 768, BF16, masked=True),
        _conv1d_backward(4096, 4, 768, BF16, masked=False),
        _conv1d_backward(4096, 4, 768, F16, masked=True),
        _conv1d_backward(2048, 32, 384, BF16, masked=True),
        _conv1d_backward(1024, 2, 24576, BF16, masked=False),
        _compress_grad(4096, 64, 128, 32, 16, BF16, blocks=False),
        _compress_grad(4096, 64, 128, 32, 16, BF16, blocks=True),
        _unpermute_grad(4096, 2880, 64, 4, BF16, places=False),
        _unpermute_grad(4096, 2880, 64, 4, BF16, places=True),
    )
}
