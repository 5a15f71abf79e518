"""A lit format that runs Opwright's own tools inside lit's workers, which saves every start of Python.

RUN lines stay ordinary shell: what is more than a pipeline of known tools (optionally under `not`, and with `2>&1`)
goes to lit's shell, and `lit lit --param external=1` sends everything there.
"""

# pyright: basic
# lit carries no types.

import os
from typing import cast

from inprocess_tools import Stage, run_pipeline, stage_of, working_folder
from lit.formats import ShTest
from lit.LitConfig import LitConfig
from lit.ShUtil import Command, Pipeline, ShParser
from lit.Test import FAIL, PASS, Result, Test
from lit.TestRunner import (
    applySubstitutions,
    getDefaultSubstitutions,
    getTempPaths,
    kPdbgRegex,
    parseIntegratedTestScript,
    re,
)

MERGE_STDERR = [((">&", 2), "1")]


class InProcessTest(ShTest):
    """Shell tests whose commands are Python tools."""

    def execute(self, test: Test, litConfig: LitConfig) -> Result:  # noqa: N803
        """Run the test's RUN lines in this process where every one of them can be, else through the shell."""
        script = None if test.config.unsupported or litConfig.noExecute else parseIntegratedTestScript(test)
        if not isinstance(script, list):
            return cast(Result, super().execute(test, litConfig))
        lines = _substituted(test, script)
        pipelines = [_stages(line) for line in lines]
        if not all(pipelines):
            return cast(Result, super().execute(test, litConfig))
        with working_folder(os.path.dirname(getTempPaths(test)[0])):
            return _run(lines, [stages for stages in pipelines if stages])


def _substituted(test: Test, script: list[str]) -> list[str]:
    substitutions = getDefaultSubstitutions(test, *getTempPaths(test))
    conditions = dict.fromkeys(test.config.available_features, True)
    lines = applySubstitutions(script, substitutions, conditions, test.config.recursiveExpansionLimit)
    matches = (re.fullmatch(kPdbgRegex, line) for line in lines)
    return [match.group(2) if match else line for match, line in zip(matches, lines, strict=True)]


def _stages(line: str) -> list[Stage] | None:
    try:
        pipeline = ShParser(line, pipefail=True).parse()
    except ValueError:
        return None
    if not isinstance(pipeline, Pipeline):
        return None
    stages = [_stage(command) for command in pipeline.commands]
    return [stage for stage in stages if stage] if all(stages) else None


def _stage(command: Command) -> Stage | None:
    plain = all(isinstance(word, str) for word in command.args)
    if not plain or command.redirects not in ([], MERGE_STDERR):
        return None
    return stage_of(command.args, merges_stderr=bool(command.redirects))


def _run(lines: list[str], pipelines: list[list[Stage]]) -> Result:
    for line, stages in zip(lines, pipelines, strict=True):
        outcome = run_pipeline(stages)
        if not outcome.passed:
            return Result(FAIL, f"RUN: {line.strip()}\n{outcome.err}\n{outcome.out}")
    return Result(PASS)
