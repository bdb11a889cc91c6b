// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host API: devices, streams, buffers, modules and launches.

#ifndef TESSERA_RUNTIME_H
#define TESSERA_RUNTIME_H

#include <tessera/abi.h>
#include <tessera/buffer.h>
#include <tessera/device.h>
#include <tessera/error.h>
#include <tessera/launch.h>
#include <tessera/module.h>
#include <tessera/stream.h>
#include <tessera/tensor_map.h>

#endif // TESSERA_RUNTIME_H
