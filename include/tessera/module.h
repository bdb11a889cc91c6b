// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::module: device code from PTX text, of any compiler, with its kernels
// and variables.

#ifndef TESSERA_MODULE_H
#define TESSERA_MODULE_H

#include <tessera/stream.h>

#include <cstddef>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

namespace runtime {
class LoadedModule;
}
namespace image {
struct Kernel;
}

/// A kernel of a module, to be launched with `tessera::launch`. Keeps the
/// module loaded. Cheap to copy; thread-safe.
class kernel {
public:
  [[nodiscard]] const std::string &name() const noexcept;
  [[nodiscard]] std::size_t parameter_count() const noexcept;
  /// Bytes of shared memory that the kernel has before any is added at launch.
  [[nodiscard]] std::size_t static_shared() const noexcept;

  /// For the library itself.
  kernel(std::shared_ptr<runtime::LoadedModule> module,
         const image::Kernel &info) noexcept
      : module_(std::move(module)), info_(&info) {}
  [[nodiscard]] runtime::LoadedModule &module_state() const noexcept {
    return *module_;
  }
  [[nodiscard]] const image::Kernel &info() const noexcept { return *info_; }

private:
  std::shared_ptr<runtime::LoadedModule> module_;
  const image::Kernel *info_;
};

/// A variable of a module in the device's memory. Keeps the module loaded.
/// Cheap to copy; thread-safe.
class global_variable {
public:
  /// The address on the device.
  [[nodiscard]] void *data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; } ///< bytes

  /// Sets the variable; `T` must have its size.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void copy_from(stream &on, const T &value,
                 std::source_location where = std::source_location::current()) {
    write(on, &value, sizeof(T), where);
  }
  /// The variable's value; `T` must have its size.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  [[nodiscard]] T
  to_host(stream &on,
          std::source_location where = std::source_location::current()) const {
    T value;
    read(on, &value, sizeof(T), where);
    return value;
  }

  /// For the library itself.
  global_variable(std::shared_ptr<runtime::LoadedModule> module, void *data,
                  std::size_t bytes) noexcept
      : module_(std::move(module)), data_(data), bytes_(bytes) {}

private:
  void write(stream &on, const void *from, std::size_t bytes,
             std::source_location where);
  void read(stream &on, void *to, std::size_t bytes,
            std::source_location where) const;

  std::shared_ptr<runtime::LoadedModule> module_;
  void *data_;
  std::size_t bytes_;
};

/// Device code that was loaded from PTX text. Cheap to copy; unloaded with the
/// last of its copies, kernels and variables, which must not happen while one
/// of its kernels runs. Thread-safe.
class module {
public:
  /// Throws where the file cannot be read or its text cannot be loaded; the
  /// message then has what the driver's compiler says.
  [[nodiscard]] static module
  from_file(tessera::device device, const std::string &path,
            std::source_location where = std::source_location::current());
  [[nodiscard]] static module
  from_ptx(tessera::device device, std::string_view text,
           std::source_location where = std::source_location::current());

  /// The kernel called `name`; throws an error that lists the kernels where
  /// there is none.
  [[nodiscard]] tessera::kernel
  kernel(std::string_view name,
         std::source_location where = std::source_location::current()) const;
  /// The module-scope variable called `name`; throws where there is none.
  [[nodiscard]] global_variable
  global(std::string_view name,
         std::source_location where = std::source_location::current()) const;
  /// The names of all kernels.
  [[nodiscard]] std::vector<std::string> kernel_names() const;

private:
  explicit module(std::shared_ptr<runtime::LoadedModule> state) noexcept
      : state_(std::move(state)) {}

  std::shared_ptr<runtime::LoadedModule> state_;
};

} // namespace tessera

#endif // TESSERA_MODULE_H
