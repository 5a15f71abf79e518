"""How cores share the items of a stage."""

from xdsl.ir import SSAValue

from .index_code import Code


def share(
    core: SSAValue, cores: SSAValue, items: SSAValue, code: Code, names: tuple[str, str] = ("first", "last")
) -> tuple[SSAValue, SSAValue]:
    """Give core c the items from c * items / cores to (c + 1) * items / cores: shares differ by one item at most."""
    first = code.binary("div", code.binary("*", core, items), cores, names[0])
    after = code.binary("+", core, code.constant(1))
    return first, code.binary("div", code.binary("*", after, items), cores, names[1])
