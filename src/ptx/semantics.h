// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of PTX instructions, each written once as a template over a
// value domain (see semantics/domain.h). An instruction's meaning is a class
// with
//
//   template <Domain D> static Result apply(D &d, Sources... sources);
//
// To run instructions on numbers use evaluate.h. To translate or analyse
// them, write a domain and visit with semantics/dispatch.h.

#ifndef TESSERA_PTX_SEMANTICS_H
#define TESSERA_PTX_SEMANTICS_H

#include "ptx/semantics/bits.h"
#include "ptx/semantics/compare.h"
#include "ptx/semantics/convert.h"
#include "ptx/semantics/domain.h"
#include "ptx/semantics/float.h"
#include "ptx/semantics/integer.h"
#include "ptx/semantics/minifloat.h"

#endif // TESSERA_PTX_SEMANTICS_H
