// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that kernels use.

#ifndef TESSERA_DEVICE_DEVICE_H
#define TESSERA_DEVICE_DEVICE_H

#include <tessera/device/atomic.h>
#include <tessera/device/check.h>
#include <tessera/device/dim3.h>
#include <tessera/device/math.h>
#include <tessera/device/shared.h>
#include <tessera/device/span.h>
#include <tessera/device/sync.h>
#include <tessera/device/thread.h>
#include <tessera/device/warp.h>

#endif // TESSERA_DEVICE_DEVICE_H
