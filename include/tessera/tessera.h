// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything: the host API and what kernels are written with.

#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

// A compiler without Tessera's plugin does not know [[tessera::kernel]] and
// must stay quiet about it, in the user's file too: hence no push and pop.
#if defined(__clang__)
#ifndef __TESSERA__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#endif
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored_attributes "tessera::,clang::"
#endif

#include <tessera/device/device.h>
#include <tessera/runtime.h>

#endif // TESSERA_TESSERA_H
