"""Names that a parameter of an aclnn function cannot have."""

from ..cfamily import KEYWORDS
from ..cfamily.macros import is_macro
from ..cfamily.names import LIBRARY

_OWN = """
    workspace workspaceSize executor stream call description opwright Number OK check launch listSides made status
    aclTensor aclIntArray aclOpExecutor aclnnStatus aclrtStream
"""
"""Names of the functions' other parameters, and what their bodies use beside parameters."""

_RESERVED = KEYWORDS | LIBRARY | frozenset(_OWN.split())


def is_reserved(name: str) -> bool:
    """Return whether a C function, in a program that includes the usual headers, can have no parameter of a name."""
    return name in _RESERVED or is_macro(name)
