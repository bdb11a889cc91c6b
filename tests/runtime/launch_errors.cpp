// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler says of launches whose arguments do not fit.
//
// RUN: %clangxx -std=c++20 -I%include -fsyntax-only -Wno-unused-parameter \
// RUN:   -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s

#include <tessera/tessera.h>

#include <array>
#include <string>

using namespace tessera;

struct owner {
  owner(const owner &);
};
enum colour { red };

[[tessera::kernel]] void number(float a) {}
[[tessera::kernel]] void integer(unsigned n) {}
[[tessera::kernel]] void flag(bool b) {}
[[tessera::kernel]] void raw(float *x, const float *y) {}
[[tessera::kernel]] void spans(span<const float> x, disjoint_span<float> y) {}
[[tessera::kernel]] void reference(const int &x) {}
[[tessera::kernel]] void object(owner x) {}
[[tessera::kernel]] void callback(void (*f)()) {}
int returns(int);

void good(stream &s, buffer<float> &b, const buffer<float> &c, char letter) {
  launch(s, threads(1), number, 1.0f);
  launch(s, threads(1), number, 1);
  launch(s, threads(1), number, letter);
  launch(s, threads(1), integer, b.size());
  launch(s, threads(1), integer, true);
  launch(s, threads(1), integer, red);
  launch(s, threads(1), flag, true);
  launch(s, threads(1), raw, b, b);
  launch(s, threads(1), raw, b, c);
  launch(s, threads(1), raw, b.data(), c.data());
  launch(s, threads(1), raw, nullptr, nullptr);
  launch(s, threads(1), spans, b, b);
  launch(s, threads(1), spans, c, b);
  launch(s, threads(1), spans, span<float>(b.data(), 1), b);
}

void wrong_number(stream &s, const buffer<float> &c) {
  // expected-error@*:* {{the number of arguments differs from the number of the kernel's parameters}}
  launch(s, threads(1), number);
  // expected-error@*:* {{a kernel returns void}}
  launch(s, threads(1), returns, 1);
}

void narrowing(stream &s) {
  // expected-error@*:* 4 {{an argument would be narrowed}}
  launch(s, threads(1), number, 1.0);
  launch(s, threads(1), integer, 1.0f);
  launch(s, threads(1), flag, 1);
  launch(s, threads(1), number, 1.0L);
}

void unrelated(stream &s, buffer<float> &b) {
  // expected-error@*:* 3 {{an argument does not convert to the kernel's parameter}}
  launch(s, threads(1), number, std::string());
  launch(s, threads(1), raw, 1, b);
  launch(s, threads(1), flag, nullptr);
}

void elements(stream &s, buffer<float> &b, buffer<int> &i,
              const buffer<float> &c) {
  // expected-error@*:* 4 {{the elements of a buffer or span have another type}}
  launch(s, threads(1), raw, i, b);
  launch(s, threads(1), raw, c, b);
  launch(s, threads(1), spans, b, c);
  launch(s, threads(1), spans, span<int>(i.data(), 1), b);
}

void host_memory(stream &s, buffer<float> &b) {
  float array[2] = {};
  std::array<float, 2> standard{};
  // expected-error@*:* {{an argument is an array in host memory}}
  launch(s, threads(1), raw, array, b);
  // expected-error@*:* 2 {{the kernel takes a span here}}
  launch(s, threads(1), spans, standard, b);
  launch(s, threads(1), spans, array, b);
}

void values(stream &s, buffer<float> &b) {
  // expected-error@*:* {{an argument is a buffer, but the kernel's parameter is neither a pointer nor a span}}
  launch(s, threads(1), number, b);
}

void parameters(stream &s, owner &o) {
  // expected-error@*:* {{a parameter of the kernel is a reference}}
  launch(s, threads(1), reference, 1);
  // expected-error@*:* {{a parameter of the kernel is not trivially copyable}}
  launch(s, threads(1), object, o);
  // expected-error@*:* {{a parameter of the kernel points to a function}}
  launch(s, threads(1), callback, nullptr);
}

void untyped(stream &s, const kernel &k, owner &o) {
  float array[2] = {};
  // expected-error@*:* 1-2 {{an argument is an array in host memory}}
  launch(s, threads(1), k, array);
  // expected-error@*:* {{an argument is not trivially copyable}}
  launch(s, threads(1), k, o);
}

// expected-error@*:* {{T must be trivially copyable}}
buffer<owner> *owners() { return new buffer<owner>(); }
