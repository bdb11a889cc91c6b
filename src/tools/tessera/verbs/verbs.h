// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's verbs. Each returns the exit status of the driver, or the error
// that main prints.

#ifndef TESSERA_TOOLS_TESSERA_VERBS_VERBS_H
#define TESSERA_TOOLS_TESSERA_VERBS_VERBS_H

#include "tools/tessera/error.h"
#include "tools/tessera/layout.h"
#include "tools/tessera/options.h"

#include <string>

namespace tessera::driver {

/// Compiles into a temporary folder, runs the program, passes on its status.
Result<int> runProgram(const Invocation &invocation, const Layout &layout);

/// Compiles into a file that stays.
Result<int> buildProgram(const Invocation &invocation, const Layout &layout);

/// Prints one layer, or several, of each source.
Result<int> inspectProgram(const Invocation &invocation, const Layout &layout);

/// Prints every phase of each source with its time and its layer.
Result<int> showPipeline(const Invocation &invocation, const Layout &layout);

/// Prints the examples with their descriptions.
Result<int> listExamples(const Layout &layout);

/// Makes the folder `path` with a small program and its README.
Result<int> createProgram(const std::string &path);

/// Says what is missing, and the command that mends it.
Result<int> examineMachine(const Layout &layout);

/// Removes the build tree that the driver runs from.
Result<int> removeBuild(const Layout &layout);

/// Runs a kernel of a PTX file; prints and saves what the options ask for.
Result<int> runPtx(const PtxOptions &options);

/// Builds everything and runs every test whose name matches the filter.
Result<int> runTests(const std::string &filter, const Layout &layout);

} // namespace tessera::driver

#endif // TESSERA_TOOLS_TESSERA_VERBS_VERBS_H
