// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tessera::error: what every function of the host API throws.

#ifndef TESSERA_ERROR_H
#define TESSERA_ERROR_H

#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>

namespace tessera {

/// What an error is about, the same on every device.
enum class error_kind {
  invalid_argument, ///< a size, range, device or object that does not fit
  no_device,        ///< no such device, or its driver cannot be used
  driver,           ///< a driver call failed for another reason
  out_of_memory,
  invalid_module, ///< the device code is damaged, or not for this device
  not_found,      ///< no kernel, variable or file of that name
  not_registered, ///< the kernel's file was compiled without Tessera's plugin
  invalid_launch, ///< grid, block, shared memory or arguments do not fit
  trap,           ///< device code found a failed check, or trapped
  device_fault,   ///< device code accessed bad memory, hung, …
};

/// An error of the host API. `what()` is the whole message with everything
/// below in it; the parts are there for programs. Copying never throws.
class [[gnu::visibility("default")]] error : public std::runtime_error {
public:
  /// `api` names the call that failed: the driver's function or Tessera's own.
  /// `code` is the driver's result with its name, 0 and "" where there is none.
  error(error_kind kind, std::string api, int code, std::string code_name,
        std::source_location location, std::string message);
  error(const error &) noexcept;
  error &operator=(const error &) noexcept;
  ~error() override;

  [[nodiscard]] error_kind kind() const noexcept;
  [[nodiscard]] const std::string &api() const noexcept;
  [[nodiscard]] int code() const noexcept;
  [[nodiscard]] const std::string &code_name() const noexcept;
  /// The user's call that failed, or that learned of the failure.
  [[nodiscard]] std::source_location location() const noexcept;
  /// What happened, without the call, its code and its location.
  [[nodiscard]] const std::string &message() const noexcept;

private:
  struct parts;
  std::shared_ptr<const parts> parts_;
};

} // namespace tessera

#endif // TESSERA_ERROR_H
