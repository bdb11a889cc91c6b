# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The lit suites: every file under tests/ that has a RUN line.
#
#   %tessera       the driver
#   %tessera-opt   tessera-opt
#   %tessera-cxx   clang++ with the plugin, the headers and, where it links, the
#                  runtime: `%tessera-cxx %s -o %t`
#   %clangxx       the same clang++ and nothing else
#   %conformance   the instruction conformance suite
#   %plugin, %runtime, %include, %source-root, %build-root
#                  where things are
#   %ptxas         NVIDIA's assembler; tests that use it say `REQUIRES: ptxas`
#
# Features: gpu (an NVIDIA GPU is there), ptxas, gxx (g++ is there).

import ctypes
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(__file__))
import run_lines


def find_ptxas():
    return shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")


def has_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


config.name = "tessera"
config.test_format = run_lines.TestsWithRunLines(execute_external=False)
config.suffixes = [".mlir", ".test", ".cpp", ".ll", ".ptx"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "tests")

binaries = os.path.join(config.build_root, "bin")
plugin = os.path.join(config.build_root, "lib", "libtessera-plugin.so")
runtime = os.path.join(config.build_root, "lib", "libtessera-runtime.a")
include = os.path.join(config.source_root, "include")

# lld resolves symbols from an archive wherever it stands, so that the runtime
# may come before the sources.
tessera_cxx = " ".join(
    [
        config.clangxx,
        "-std=c++20",
        f"-fplugin={plugin}",
        f"-I{include}",
        "--start-no-unused-arguments",
        "-fuse-ld=lld",
        f"-Wl,{runtime}",
        "-ldl",
        "-lpthread",
        "--end-no-unused-arguments",
    ]
)

ptxas = find_ptxas()
config.substitutions += [
    (r"%tessera-cxx\b", tessera_cxx),
    (r"%tessera-opt\b", os.path.join(binaries, "tessera-opt")),
    (r"%tessera\b", os.path.join(binaries, "tessera")),
    (r"%conformance\b", os.path.join(binaries, "conformance")),
    (r"%clangxx\b", config.clangxx),
    (r"%plugin\b", plugin),
    (r"%runtime\b", runtime),
    (r"%include\b", include),
    (r"%source-root\b", config.source_root),
    (r"%build-root\b", config.build_root),
    (r"%cmake\b", config.cmake),
    (r"%python\b", config.python),
    (r"%ptxas\b", ptxas or "ptxas-is-missing"),
]
if ptxas:
    config.available_features.add("ptxas")
else:
    lit_config.note(
        "no ptxas on PATH or in /usr/local/cuda/bin: tests that assemble PTX are skipped"
    )
if shutil.which("g++"):
    config.available_features.add("gxx")
else:
    lit_config.note("no g++: tests of what another compiler is told are skipped")
if has_gpu():
    config.available_features.add("gpu")

# A test that wants another device says so; the caller's choice does not count.
config.environment["TESSERA_DEVICE"] = "vgpu:0"
config.environment["PATH"] = os.path.pathsep.join(
    [config.llvm_tools, os.environ["PATH"]]
)
for name in ["HOME", "TMPDIR"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
