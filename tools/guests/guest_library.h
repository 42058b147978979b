// GuestLibrary: an FMU unpacked into a private folder, with its library loaded. Library and folder
// are removed when the last user releases them. FmuGuest uses it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "guests/guest_description.h"

namespace femflex::guests {

/// The description of an FMU. Nothing of the FMU is run, so it may be for another platform.
/// @throws UsageError, ParseError, ModelError  as read_guest_description(), or not an archive
GuestDescription description_of(const std::filesystem::path& file);

/// The unpacked resources and the loaded library of one kind of an FMU.
class GuestLibrary {
 public:
  /// @param file     the FMU
  /// @param wants_exchange  true: model exchange; false: co-simulation; absent: the kind that the
  /// FMU has, preferably co-simulation
  /// @throws UsageError, ParseError  no such file, not an archive, no description
  /// @throws ModelError  another version, no such kind, no library for this platform, or clocks
  explicit GuestLibrary(const std::filesystem::path& file,
                        std::optional<bool> wants_exchange = std::nullopt);
  GuestLibrary(const GuestLibrary&) = delete;
  GuestLibrary& operator=(const GuestLibrary&) = delete;
  GuestLibrary(GuestLibrary&&) = delete;
  GuestLibrary& operator=(GuestLibrary&&) = delete;
  ~GuestLibrary();

  const std::string& file() const { return file_; }  ///< its name, for messages
  const GuestDescription& description() const { return description_; }
  const GuestKind& kind() const;
  bool is_exchange() const { return is_exchange_; }
  /// The location of resources in the form required by FMI: an address for FMI 2, a path for FMI 3.
  std::string resources() const;
  /// A function of the library by its name in the standard.
  /// @throws ModelError  the library has no such function
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;
  void unpack(const std::filesystem::path& path, std::optional<bool> wants_exchange);
  void load();

  std::string file_;
  bool is_exchange_ = false;
  GuestDescription description_;
  std::filesystem::path folder_, binary_;
  void* handle_ = nullptr;
};

}  // namespace femflex::guests
