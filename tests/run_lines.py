# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit test format. A module of its own, because lit's workers look it up by
name."""

import lit.formats


class TestsWithRunLines(lit.formats.ShTest):
    """Unit tests and helpers lie beside the lit tests: a test is what has a
    RUN line."""

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        tests = super().getTestsInDirectory(
            suite, path_in_suite, lit_config, local_config
        )
        for test in tests:
            with open(test.getSourcePath(), "rb") as file:
                if b"RUN:" in file.read():
                    yield test
