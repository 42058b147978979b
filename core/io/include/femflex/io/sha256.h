// Computes SHA-256 digests of bytes and files, for provenance records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace femflex::io {

/// SHA-256 (FIPS 180-4) of data that arrive in pieces: call update() any number of times, then
/// hex() once.
class Sha256 {
 public:
  void update(const void* data, std::size_t size);
  /// Lower-case hex digest of all bytes given.
  std::string hex();

 private:
  /// Processes 64 bytes.
  void block(const std::uint8_t* data);
  std::array<std::uint32_t, 8> state_{0x6a09e667,
                                      0xbb67ae85,
                                      0x3c6ef372,
                                      0xa54ff53a,
                                      0x510e527f,
                                      0x9b05688c,
                                      0x1f83d9ab,
                                      0x5be0cd19};
  std::array<std::uint8_t, 64> buffer_{};
  std::uint64_t total_ = 0;  ///< bytes given so far
};

std::string sha256_of(std::string_view bytes);
/// @throws UsageError  the file cannot be read
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace femflex::io
