# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what the README of an example says that the example prints: the block
# after the line "prints".

import sys

with open(sys.argv[1]) as readme:
    text = readme.read()
block = text.split("\nprints\n\n```\n", 1)[1].split("```\n", 1)[0]
sys.stdout.write(block)
