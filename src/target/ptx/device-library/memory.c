// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <string.h> that C++ headers call on the device. The ones
// that only move memory are LLVM intrinsics and not here.

typedef __SIZE_TYPE__ size_t;

int memcmp(const void *a, const void *b, size_t count) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i != count; ++i)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

int bcmp(const void *a, const void *b, size_t count) {
  return memcmp(a, b, count);
}

void *memchr(const void *memory, int value, size_t count) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i != count; ++i)
    if (bytes[i] == (unsigned char)value)
      return (void *)(bytes + i);
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t count) {
  for (; count; ++a, ++b, --count)
    if (*a != *b || !*a)
      return (unsigned char)*a - (unsigned char)*b;
  return 0;
}

char *strchr(const char *text, int value) {
  for (;; ++text) {
    if (*text == (char)value)
      return (char *)text;
    if (!*text)
      return 0;
  }
}
