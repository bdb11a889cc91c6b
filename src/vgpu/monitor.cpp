// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vgpu/monitor.h"

tessera::vgpu::Monitor::~Monitor() = default;
