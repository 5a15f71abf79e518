"""What the emitters of C and of its relatives share: expressions, names, and rules for upstream operations.

An emitter brings a `Language` (data) and `Rules` (functions by operation class), and prints with a `Printer`.
"""

from .expr import Expr, Level, call, infix, member, prefix, subscript, ternary
from .language import C_CAST, CPP_CAST, FLOAT_LITERALS, CastForm, Helper, Language, double_literal, float_literal
from .names import KEYWORDS, Names
from .printer import ExpressionRule, Printer, Rules, StatementRule, type_key
from .rules import UPSTREAM_RULES

__all__ = [
    "CPP_CAST",
    "C_CAST",
    "FLOAT_LITERALS",
    "KEYWORDS",
    "UPSTREAM_RULES",
    "CastForm",
    "Expr",
    "ExpressionRule",
    "Helper",
    "Language",
    "Level",
    "Names",
    "Printer",
    "Rules",
    "StatementRule",
    "call",
    "double_literal",
    "float_literal",
    "infix",
    "member",
    "prefix",
    "subscript",
    "ternary",
    "type_key",
]
