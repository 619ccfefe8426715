// The ABI tag: everything that must agree between kernel and plugin, as text, so that a refusal can name the field.
#pragma once

#include <cstddef>

#include "trammel/linalg.h"
#include "trammel/status.h"

#define TRAMMEL_TEXT_(x) #x
#define TRAMMEL_TEXT(x) TRAMMEL_TEXT_(x)

#if defined(_GLIBCXX_USE_CXX11_ABI)
#define TRAMMEL_ABI_STDLIB "stdlib=libstdc++\ncxx11_abi=" TRAMMEL_TEXT(_GLIBCXX_USE_CXX11_ABI) "\n"
#else
#define TRAMMEL_ABI_STDLIB "stdlib=other\ncxx11_abi=none\n"
#endif

#if defined(__FAST_MATH__)
#define TRAMMEL_ABI_FAST_MATH "fast_math=1\n"
#else
#define TRAMMEL_ABI_FAST_MATH "fast_math=0\n"
#endif

/// Lines "field=value", compared one by one.
#define TRAMMEL_ABI_TAG                                                                                         \
  TRAMMEL_ABI_STDLIB                                                                                            \
  "eigen=" TRAMMEL_TEXT(EIGEN_WORLD_VERSION) "." TRAMMEL_TEXT(EIGEN_MAJOR_VERSION) "." TRAMMEL_TEXT(             \
      EIGEN_MINOR_VERSION) "\n"                                                                                 \
  "eigen_max_align_bytes=" TRAMMEL_TEXT(EIGEN_MAX_ALIGN_BYTES) "\n"                                             \
  "eigen_malloc_already_aligned=" TRAMMEL_TEXT(EIGEN_MALLOC_ALREADY_ALIGNED) "\n"                               \
  "pointer_bytes=" TRAMMEL_TEXT(__SIZEOF_POINTER__) "\n"                                                        \
  "byte_order=" TRAMMEL_TEXT(__BYTE_ORDER__) "\n" TRAMMEL_ABI_FAST_MATH
