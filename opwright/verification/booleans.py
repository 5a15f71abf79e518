"""Random booleans: half of them, as many as each row happens to have, or a certain number a row."""

from collections.abc import Sequence

import numpy as np

from ..codegen.dtypes import Array

EXACT_SHARE = 0.6
"""The share of rows that have exactly the number of true elements that a tensor aims at; others have less or more."""

FALSE_COLUMNS = 0.3
"""The share of columns that are false in all rows of a tensor whose rows have a certain number."""


def draw_booleans(random: np.random.Generator, shape: tuple[int, ...], filling: str, counts: Sequence[int]) -> Array:
    """Return booleans as bytes of which any but 0 is true.

    Args:
        random: where they come from.
        shape: of the array.
        filling: "all true", "all false", or something that begins with "random".
        counts: how many elements of a row may be meant to be true: the sizes of all dims.
    """
    if filling == "all true":
        return np.ones(shape, np.uint8)
    if filling == "all false":
        return np.zeros(shape, np.uint8)
    draw = (_half, _half, _by_density, _by_count)[int(random.integers(4))]
    true = draw(random, shape, counts)
    return (random.integers(1, 256, shape) * true).astype(np.uint8)


def _half(random: np.random.Generator, shape: tuple[int, ...], counts: Sequence[int]) -> Array:
    return random.random(shape) < 0.5


def _by_density(random: np.random.Generator, shape: tuple[int, ...], counts: Sequence[int]) -> Array:
    return random.random(shape) < random.random((*shape[:-1], 1) if shape else ())


def _by_count(random: np.random.Generator, shape: tuple[int, ...], counts: Sequence[int]) -> Array:
    """Return rows that mostly have the same number of true elements, with columns that have none."""
    if not shape or not shape[-1]:
        return _half(random, shape, counts)
    fitting = sorted({count for count in counts if 0 < count <= shape[-1]} | {1})
    aim = fitting[int(random.integers(len(fitting)))]
    rows = np.where(
        random.random((*shape[:-1], 1)) < EXACT_SHARE, aim, random.integers(0, 2 * aim + 1, (*shape[:-1], 1))
    )
    keys = random.random(shape) + (random.random(shape[-1]) < FALSE_COLUMNS)
    return np.argsort(np.argsort(keys, axis=-1), axis=-1) < rows
