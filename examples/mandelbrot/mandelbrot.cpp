// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the Mandelbrot set into mandelbrot.ppm, one thread for each pixel.

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <tessera/tessera.h>

constexpr unsigned limit = 64;

struct rgb {
  std::uint8_t red, green, blue;
  bool operator==(const rgb &) const = default;
};

/// Which part of the plane the image shows.
struct view {
  unsigned width, height;
  double left, top, step;
};

/// After how many steps of z = z * z + c the value leaves the circle of radius
/// 2. The products are fused with std::fma, so that no compiler has a choice
/// and every device and host draws the very same image.
unsigned escape_time(double cx, double cy) {
  double x = 0, y = 0;
  for (unsigned i = 0; i < limit; ++i) {
    if (std::fma(x, x, y * y) > 4)
      return i;
    const double next = std::fma(x, x, std::fma(-y, y, cx));
    y = std::fma(2 * x, y, cy);
    x = next;
  }
  return limit;
}

[[tessera::kernel]] void mandelbrot(view v, tessera::span<rgb> image) {
  const auto thread = tessera::this_thread::index();
  const auto block = tessera::this_block::index();
  const auto size = tessera::this_block::size();
  const unsigned x = block.x * size.x + thread.x;
  const unsigned y = block.y * size.y + thread.y;
  if (x >= v.width || y >= v.height)
    return;

  const unsigned time =
      escape_time(std::fma(x, v.step, v.left), std::fma(y, v.step, v.top));
  const auto shade = [=](unsigned factor) {
    return static_cast<std::uint8_t>(time == limit ? 0 : time * factor % 256);
  };
  image[y * v.width + x] = {shade(3), shade(7), shade(11)};
}

int main(int argc, char **argv) {
  const unsigned width = argc > 1 ? std::stoul(argv[1]) : 150;
  const unsigned height = width * 2 / 3;
  const view v{width, height, -2, -1, 3.0 / width};

  tessera::stream s{tessera::device::best()};
  tessera::buffer<rgb> pixels(s, std::size_t{width} * height);
  tessera::launch(
      s, tessera::grid((width + 15) / 16, (height + 7) / 8).block(16, 8),
      mandelbrot, v, pixels);
  const std::vector<rgb> image = pixels.to_host(s);

  std::ofstream file("mandelbrot.ppm", std::ios::binary);
  file << "P6\n" << width << ' ' << height << "\n255\n";
  file.write(reinterpret_cast<const char *>(image.data()),
             static_cast<std::streamsize>(image.size() * sizeof(rgb)));
  if (!file.flush()) {
    std::printf("mandelbrot: mandelbrot.ppm cannot be written\n");
    return 1;
  }

  // The reference iterates complex numbers. It rounds differently, which may
  // move the few pixels on the very edge of the set.
  std::size_t different = 0;
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x) {
      const std::complex<double> c(v.left + x * v.step, v.top + y * v.step);
      std::complex<double> z = 0;
      unsigned time = 0;
      while (time < limit && std::norm(z) <= 4) {
        z = z * z + c;
        ++time;
      }
      const auto blue =
          static_cast<std::uint8_t>(time == limit ? 0 : time * 11 % 256);
      different += image[y * width + x].blue != blue;
    }
  const bool good = different <= image.size() / 1000;
  std::printf("mandelbrot: mandelbrot.ppm, %u x %u, is %s\n", width, height,
              good ? "right" : "wrong");
  return good ? 0 : 1;
}
