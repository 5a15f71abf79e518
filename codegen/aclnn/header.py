"""The header of an operator: the two functions, as the document declares them."""

from .interface import Attribute, Interface, Scalar, Tensor

ATTRIBUTE_TYPES: dict[Scalar, str] = {
    "int": "int64_t ",
    "bool": "bool ",
    "float": "double ",
    "text": "char *",
    "integers": "const aclIntArray *",
}


def header_text(interface: Interface) -> str:
    """Return the text of aclnn_<op>.h; it holds C++11 and nothing that depends on the library behind it."""
    function = interface.function
    first = ",\n    ".join((*parameters(interface), "uint64_t *workspaceSize", "aclOpExecutor **executor"))
    visible = '__attribute__((visibility("default")))'
    return f"""\
#pragma once

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {{
#endif

/// Checks a call and returns the bytes of workspace that it needs, and the executor that runs it once.
{visible} aclnnStatus {function}GetWorkspaceSize(
    {first});

/// Runs an executor on a stream.
{visible} aclnnStatus {function}(
    void *workspace,
    uint64_t workspaceSize,
    aclOpExecutor *executor,
    aclrtStream stream);

#ifdef __cplusplus
}}
#endif
"""


def parameters(interface: Interface) -> tuple[str, ...]:
    """Return the declarations of the parameters that are the operator's own, in order."""
    inputs = (_tensor(tensor) for tensor in interface.inputs)
    attributes = (_attribute(attribute) for attribute in interface.attributes)
    return (*inputs, *attributes, *(_tensor(tensor) for tensor in interface.outputs))


def _tensor(tensor: Tensor) -> str:
    return f"const {'aclIntArray' if tensor.kind == 'list' else 'aclTensor'} *{tensor.name}"


def _attribute(attribute: Attribute) -> str:
    return f"{ATTRIBUTE_TYPES[attribute.kind]}{attribute.name}"
