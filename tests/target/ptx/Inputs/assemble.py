# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs to PTX for several architectures and assembles it.

usage: assemble.py PTXAS ARCHS FOLDER -- COMPILER...

Takes every .cpp file below FOLDER, compiles it with COMPILER for each of ARCHS
(comma-separated) and gives the PTX to PTXAS. Prints what fails and, last, how
many programs were assembled; fails when one was not.
"""

import pathlib
import subprocess
import sys
import tempfile


def assemble(ptxas, arch, source, compiler, folder):
    ptx = pathlib.Path(folder, "device.ptx")
    ptx.unlink(missing_ok=True)
    compiled = subprocess.run(
        compiler
        + [
            "-fsyntax-only",
            "-w",
            f"-fplugin-arg-tessera-arch={arch}",
            f"-fplugin-arg-tessera-ptx-out={ptx}",
            str(source),
        ],
        capture_output=True,
        text=True,
    )
    if compiled.returncode != 0:
        return compiled.stderr
    if not ptx.exists():
        return None  # a program without kernels
    assembled = subprocess.run(
        [ptxas, f"-arch={arch}", str(ptx), "-o", "/dev/null"],
        capture_output=True,
        text=True,
    )
    # Warnings are defects, too: they name code that ptxas had to undo.
    output = assembled.stdout + assembled.stderr
    return output if assembled.returncode != 0 or "warning" in output else None


def main():
    ptxas, archs, root = sys.argv[1:4]
    compiler = sys.argv[sys.argv.index("--") + 1 :]
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(pathlib.Path(root).rglob("*.cpp")):
            for arch in archs.split(","):
                count += 1
                fault = assemble(ptxas, arch, source, compiler, folder)
                if fault is not None:
                    failed += 1
                    print(f"{source} for {arch}:\n{fault}")
    print(f"{count} assembled, {failed} failed")
    return failed != 0


sys.exit(main())
