"""The rules for upstream operations, which every language of the family starts from."""

from .control import CONTROL_STATEMENTS
from .floats import FLOAT_RULES
from .functions import FUNCTION_STATEMENTS
from .integers import INTEGER_RULES
from .memory import MEMORY_EXPRESSIONS, MEMORY_STATEMENTS
from .printer import Rules

UPSTREAM_RULES = Rules(
    expressions={**INTEGER_RULES, **FLOAT_RULES, **MEMORY_EXPRESSIONS},
    statements={**CONTROL_STATEMENTS, **FUNCTION_STATEMENTS, **MEMORY_STATEMENTS},
)
