// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads, verifies, transforms and prints IR of all our dialects.

#include "conversion/register.h"
#include "dialect/register.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::registerAllDialects(registry);
  tessera::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tessera's modular optimizer\n", registry));
}
