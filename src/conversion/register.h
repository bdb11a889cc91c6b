// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_CONVERSION_REGISTER_H
#define TESSERA_CONVERSION_REGISTER_H

namespace tessera {

/// Registers all our passes, those of dialects and conversions, and the
/// upstream passes that pipelines over our dialects use. Call it once, before
/// pass pipelines are parsed.
void registerAllPasses();

} // namespace tessera

#endif // TESSERA_CONVERSION_REGISTER_H
