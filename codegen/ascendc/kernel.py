"""The kernel's source: the class of each stage, and the entry that runs them one after the other."""

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp

from ...dialect.ascendc import StageOp, SyncAllOp
from ...dialect.diagnostics import Diagnostic
from ...dialect.tile.kernel import INPUT, OUTPUT, KernelArgument, find_kernel, kernel_arguments
from .names import CamelNames, pascal
from .printer import KernelPrinter
from .rules import new_printer
from .stage import StageClass
from .tiling import TilingData, header_name

READ_TILING = """\
/// Copies the tiling data word by word: global memory is not addressable as plain memory.
__aicore__ inline TilingData ReadTiling(GM_ADDR tiling)
{
    TilingData data;
    const __gm__ int64_t *from = reinterpret_cast<const __gm__ int64_t *>(tiling);
    int64_t *to = reinterpret_cast<int64_t *>(&data);
    for (uint32_t i = 0; i < sizeof(TilingData) / sizeof(int64_t); ++i) {
        to[i] = from[i];
    }
    return data;
}
"""


@dataclass(frozen=True)
class KernelText:
    """The parts of a kernel's source.

    Attributes:
        kernel: the kernel function.
        data: the tiling data.
        arguments: the kernel's arguments.
        classes: one a stage.
    """

    kernel: FuncOp
    data: TilingData
    arguments: tuple[KernelArgument, ...]
    classes: tuple[StageClass, ...]

    @staticmethod
    def of(module: ModuleOp, data: TilingData) -> "KernelText":
        """Take the kernel apart.

        Raises:
            Diagnostic: OPW420 where something stands beside the stages.
        """
        kernel = find_kernel(module)
        arguments = tuple(kernel_arguments(kernel))
        for op in kernel.body.block.ops:
            if not isinstance(op, StageOp | SyncAllOp | arith.ConstantOp | ReturnOp):
                raise Diagnostic("OPW420", f"'{op.name}' stands outside the stages of the kernel", op)
        stages, names = [op for op in kernel.body.block.ops if isinstance(op, StageOp)], CamelNames()
        classes = (StageClass.of(s, names.fresh(f"{pascal(s.label.data)}Stage"), arguments) for s in stages)
        return KernelText(kernel, data, arguments, tuple(classes))

    @property
    def name(self) -> str:
        """Return the entry's name."""
        return self.kernel.sym_name.data

    def text(self) -> str:
        """Return the source that stands alone: the classes and the entry."""
        space = f"{pascal(self.name)}Kernel"
        head = [*self.comment(), '#include "kernel_operator.h"', f'#include "{header_name(self.name)}"', ""]
        body = self._space(space, READ_TILING)
        return "\n".join(head) + f"\n{body}\n" + self._entry(space)

    def parts(self, space: str) -> str:
        """Return the namespace with the classes and a function Run that runs them, for an entry printed elsewhere."""
        return self._space(space, "", self._run_function())

    def _space(self, space: str, start: str, end: str = "") -> str:
        """Return the namespace with the classes: text stands before them, and behind them."""
        printer = new_printer()
        for name in (self.name, *(stage.name for stage in self.classes)):
            printer.names.reserve(name)
        for op in self.kernel.body.block.ops:
            if isinstance(op, arith.ConstantOp):
                printer.bind(op.result, printer.rules.expressions[arith.ConstantOp](printer, op))
        for stage in self.classes:
            stage.emit(printer, self.data.spelling)
        opening = [f"namespace {space} {{", "using namespace AscendC;", f"using TilingData = {self.data.name};", ""]
        parts = (start, "\n".join(printer.helper_code()), printer.body().rstrip("\n") + "\n", end)
        body = "\n".join(opening) + "\n" + "\n".join(part for part in parts if part)
        return body + f"\n}}  // namespace {space}\n"

    def comment(self) -> list[str]:
        """Return the kernel's name and its equations as comments."""
        equation = self.kernel.attributes.get("tile.equation")
        lines = equation.data.splitlines() if isinstance(equation, StringAttr) else []
        return [f"// {self.name}", *(f"//     {line}".rstrip() for line in lines)]

    @property
    def tensors(self) -> tuple[KernelArgument, ...]:
        """Return the inputs and outputs, in order."""
        return tuple(a for a in self.arguments if a.role in (INPUT, OUTPUT))

    @property
    def task_type(self) -> str:
        """Return which cores the kernel takes, as CANN calls it."""
        synced = any(isinstance(op, SyncAllOp) for op in self.kernel.body.block.ops)
        return "KERNEL_TYPE_MIX_AIV_1_0" if synced else "KERNEL_TYPE_AIV_ONLY"

    # What runs the stages

    def _entry(self, space: str) -> str:
        printer = new_printer()
        printer.line("/// Arguments: the inputs, the outputs, the workspace and the tiling data, all in global memory.")
        head = f'extern "C" __global__ __aicore__ void {self.name}'
        printer.wrapped(head, [*self._parameters(printer), "GM_ADDR workspace", "GM_ADDR tiling"], "")
        with printer.braces(""):
            printer.line(f"KERNEL_TASK_TYPE_DEFAULT({self.task_type});")
            printer.line(f"const {self.data.name} data = {space}::ReadTiling(tiling);")
            self._stages(printer, f"{space}::")
        return printer.body()

    def _run_function(self) -> str:
        printer = new_printer()
        printer.line("/// Runs the stages one after the other.")
        taken = [*self._parameters(printer), "GM_ADDR workspace", "const TilingData &data"]
        printer.wrapped("__aicore__ inline void Run", taken, "")
        with printer.braces(""):
            self._stages(printer, "")
        return printer.body()

    def _parameters(self, printer: KernelPrinter) -> list[str]:
        return [f"GM_ADDR {printer.names.reserve(self.data.spelling.names[a.name])}" for a in self.tensors]

    def _stages(self, printer: KernelPrinter, prefix: str) -> None:
        printer.line("AscendC::TPipe pipe;")
        for part in self.data.workspaces:
            offset = self.data.spelling.offsets.get(part.name)
            shift = "" if offset is None else f" + data.{offset}"
            name = printer.names.reserve(self.data.spelling.names[part.name])
            printer.line(f"GM_ADDR {name} = workspace{shift};")
        for number, stage in enumerate(self.classes):
            self._run(printer, prefix, stage, number)

    def _run(self, printer: KernelPrinter, prefix: str, stage: StageClass, number: int) -> None:
        printer.line("")
        if number:
            printer.line("AscendC::PipeBarrier<PIPE_ALL>();")
            printer.line("AscendC::SyncAll<true>();")
            printer.line("pipe.Reset();")
        condition = stage.stage.condition
        if condition is None:
            self._call(printer, prefix, stage)
            return
        flag = next((a.name for a in self.arguments if a.value is condition), None)
        if flag is None:
            label = stage.stage.label.data
            raise Diagnostic("OPW420", f"the condition of stage '{label}' is no argument of the kernel", stage.stage)
        with printer.braces(f"if (data.{self.data.spelling.names[flag]} != 0)"):
            self._call(printer, prefix, stage)

    def _call(self, printer: KernelPrinter, prefix: str, stage: StageClass) -> None:
        name = printer.names.fresh(stage.name[:1].lower() + stage.name[1:])
        printer.line(f"{prefix}{stage.name} {name};")
        tensors = [self.data.spelling.names[a.name] for a in stage.tensors]
        printer.wrapped(f"{name}.Init", [*tensors, "data", "&pipe"], ";")
        printer.line(f"{name}.Process();")
