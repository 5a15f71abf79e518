"""Operations of the tiling function."""

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure


@irdl_op_definition
class FitRowsOp(IRDLOperation):
    """The number of rows of a tile: at least 1, at most `cap`, and such that the buffers of the stage fit on chip.

    `%n = tile.fit_rows "stage0" %pitch cap %cap`. Any number from 1 to cap gives the same results; the pass
    size-tiles replaces the op by a formula over the buffers that stand in the stage.
    """

    name = "tile.fit_rows"

    stage = prop_def(StringAttr)
    pitch = operand_def(IndexType)
    cap = operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$stage $pitch `cap` $cap attr-dict"

    def __init__(self, stage: str, pitch: SSAValue, cap: SSAValue) -> None:
        super().__init__(operands=[pitch, cap], properties={"stage": StringAttr(stage)}, result_types=[IndexType()])


@irdl_op_definition
class FitLanesOp(IRDLOperation):
    """The lanes of a strip: a multiple of 64, at least 64, such that the buffers of the stage fit on chip.

    `%n = tile.fit_lanes "stage0" cap %lanes`: strips of that many lanes cover %lanes evenly. Any multiple gives the
    same results; the pass size-tiles replaces the op by a formula over the buffers that stand in the stage.
    """

    name = "tile.fit_lanes"

    stage = prop_def(StringAttr)
    cap = operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$stage `cap` $cap attr-dict"

    def __init__(self, stage: str, cap: SSAValue) -> None:
        super().__init__(operands=[cap], properties={"stage": StringAttr(stage)}, result_types=[IndexType()])


@irdl_op_definition
class FitsOp(IRDLOperation):
    """Whether a stage with one row a tile fits on chip: 1 or 0.

    `%n = tile.fits "stage0"`. Another stage computes the same where it does not, so either number gives the same
    results; the pass size-tiles replaces the op by a formula over the buffers that stand in the stage.
    """

    name = "tile.fits"

    stage = prop_def(StringAttr)
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "$stage attr-dict"

    def __init__(self, stage: str) -> None:
        super().__init__(properties={"stage": StringAttr(stage)}, result_types=[IndexType()])
