"""lit's configuration: `lit lit` runs the suite; `--param external=1` gives every tool a process of its own."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from inprocess_format import InProcessTest
from lit.formats import ShTest

import opwright.opt  # noqa: F401 - imported once, before lit forks its workers

config.name = "opwright"
config.suffixes = [".mlir", ".py"]
config.excludes = ["lit.cfg.py", "inprocess_format.py", "inprocess_tools.py", "Inputs"]
config.test_source_root = HERE
config.test_exec_root = lit_config.params.get("exec_root", os.path.join(os.path.dirname(HERE), "build", "lit"))
config.test_format = ShTest() if lit_config.params.get("external") else InProcessTest()
config.substitutions.append(("%python", sys.executable))
config.environment["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), config.environment["PATH"]))
