"""The CMake files of a project: CANN's functions npu_op_*, and every source by name."""

import json
from collections.abc import Iterable, Mapping, Sequence

from ..aclnn.list_checks import WRAPPING_FLAG
from .model import ProjectOperator

TOP = """\
cmake_minimum_required(VERSION 3.16)
project(custom_operators LANGUAGES C CXX)

set(ASCEND_COMPUTE_UNIT {targets} CACHE STRING "The chips whose kernels are compiled")
set(VENDOR_NAME customize CACHE STRING "The name of the package and of the folder that it is installed to")

find_package(ASC REQUIRED HINTS $ENV{{ASCEND_HOME_PATH}}/compiler/tikcpp/ascendc_kernel_cmake)

npu_op_package(${{VENDOR_NAME}}
    TYPE RUN
    CONFIG
        ENABLE_SOURCE_PACKAGE True
        ENABLE_BINARY_PACKAGE True
        INSTALL_PATH ${{CMAKE_BINARY_DIR}}
)

add_subdirectory(op_host)
add_subdirectory(op_api)
add_subdirectory(op_kernel)
"""

HOST = """\
set(host_sources
{sources}
)

# The aclnn functions stand in op_api, so none are generated.
npu_op_code_gen(
    SRC ${{host_sources}}
    PACKAGE ${{VENDOR_NAME}}
    OUT_DIR ${{ASCEND_AUTOGEN_PATH}}
    OPTIONS OPS_ACLNN_GEN 0
)

npu_op_library(cust_optiling TILING ${{host_sources}})

set(graph_source ${{ASCEND_AUTOGEN_PATH}}/op_proto.cc)
set_source_files_properties(${{graph_source}} PROPERTIES GENERATED TRUE)
npu_op_library(cust_op_proto GRAPH ${{host_sources}} ${{graph_source}})

npu_op_package_add(${{VENDOR_NAME}} LIBRARY cust_optiling cust_op_proto)
"""

API = """\
set(api_sources
{sources}
)

{wrapping}npu_op_library(cust_opapi ACLNN ${{api_sources}})
target_include_directories(cust_opapi PRIVATE
    ${{CMAKE_CURRENT_SOURCE_DIR}}
    ${{ASCEND_CANN_PACKAGE_PATH}}/include/aclnn
)
target_link_libraries(cust_opapi PRIVATE opapi_math)

npu_op_package_add(${{VENDOR_NAME}} LIBRARY cust_opapi)
npu_op_package_add(${{VENDOR_NAME}}
    FILES
{headers}
    PACKAGE_PATH op_api/include/aclnnop
)
"""

WRAPPING = """\
# Callers may put any number into a list.
set_source_files_properties(
{sources}
    PROPERTIES COMPILE_OPTIONS {flag}
)

"""

KERNEL = """\
{sources}
npu_op_kernel_library(ascendc_kernels
    SRC_BASE ${{CMAKE_CURRENT_SOURCE_DIR}}
    TILING_LIBRARY cust_optiling
)

npu_op_package_add(${{VENDOR_NAME}} LIBRARY ascendc_kernels)
"""

KERNEL_SOURCES = """\
npu_op_kernel_sources(ascendc_kernels
    OP_TYPE {name}
    KERNEL_DIR {snake}
    KERNEL_FILE {snake}.cpp
)
"""

EXAMPLES = """\
# Programs that call the installed operators; run with ASCEND_CUSTOM_OPP_PATH or the vendor's set_env.bash sourced.
cmake_minimum_required(VERSION 3.16)
project(custom_operators_examples LANGUAGES CXX)

set(VENDOR_DIR $ENV{{ASCEND_OPP_PATH}}/vendors/customize CACHE PATH "Where the operators are installed")
set(CMAKE_CXX_STANDARD 11)

{programs}"""

EXAMPLE = """\
add_executable({name} {name}.cpp)
target_include_directories({name} PRIVATE ${{VENDOR_DIR}}/op_api/include $ENV{{ASCEND_HOME_PATH}}/include)
target_link_directories({name} PRIVATE ${{VENDOR_DIR}}/op_api/lib $ENV{{ASCEND_HOME_PATH}}/lib64)
target_link_libraries({name} PRIVATE cust_opapi ascendcl nnopbase)
"""


def cmake_files(operators: Sequence[ProjectOperator], files: Mapping[str, str]) -> dict[str, str]:
    """Return the CMake files of a project that has the given other files, by path."""
    targets = dict.fromkeys(t for operator in operators for a in operator.architectures for t in a.targets)
    sources = {folder: [name for name in files if name.startswith(folder)] for folder in ("op_host/", "op_api/")}
    kernels = [KERNEL_SOURCES.format(name=op.interface.name, snake=op.snake) for op in operators]
    examples = [name for name in files if name.startswith("examples/")]
    return {
        "CMakeLists.txt": TOP.format(targets=" ".join(targets)),
        "CMakePresets.json": _presets(),
        "op_host/CMakeLists.txt": HOST.format(sources=_listed(sources["op_host/"], (".cpp",))),
        "op_api/CMakeLists.txt": _api(sources["op_api/"]),
        "op_kernel/CMakeLists.txt": KERNEL.format(sources="\n".join(kernels)),
        "examples/CMakeLists.txt": EXAMPLES.format(programs="\n".join(_example(name) for name in examples)),
    }


def _api(paths: Sequence[str]) -> str:
    checks = _listed(paths, (".c",))
    headers = [name for name in paths if name.rpartition("/")[2].startswith("aclnn_")]
    return API.format(
        sources=_listed(paths, (".cpp", ".c")),
        wrapping=WRAPPING.format(sources=checks, flag=WRAPPING_FLAG) if checks else "",
        headers=_listed(headers, (".h",), "        "),
    )


def _listed(paths: Iterable[str], endings: tuple[str, ...], indent: str = "    ") -> str:
    """Return the paths of some endings, relative to their first folder, one a line."""
    return "\n".join(f"{indent}{path.partition('/')[2]}" for path in paths if path.endswith(endings))


def _example(path: str) -> str:
    return EXAMPLE.format(name=path.rpartition("/")[2].removesuffix(".cpp"))


def _presets() -> str:
    preset = {
        "name": "default",
        "generator": "Unix Makefiles",
        "binaryDir": "${sourceDir}/build_out",
        "cacheVariables": {"CMAKE_BUILD_TYPE": "Release"},
    }
    return json.dumps({"version": 1, "configurePresets": [preset]}, indent=4) + "\n"
