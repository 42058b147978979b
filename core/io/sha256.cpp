// Computes SHA-256 digests. Letters as in FIPS 180-4: a to h working variables, w message schedule,
// s0 and s1 the sigma functions.
#include "femflex/io/sha256.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "femflex/errors.h"

#include "open_input.h"

namespace femflex::io {
namespace {

// fractional parts, 32 bits, of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2)
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::block(const std::uint8_t* data) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = static_cast<std::uint32_t>(data[4 * t]) << 24U |
           static_cast<std::uint32_t>(data[4 * t + 1]) << 16U |
           static_cast<std::uint32_t>(data[4 * t + 2]) << 8U | data[4 * t + 3];
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3U;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10U;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> add{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < 8; ++k)
    state_[k] += add[k];
}

void Sha256::update(const void* data, std::size_t size) {
  if (size == 0) return;  // `data` may be null then
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  std::size_t buffered = total_ % 64;
  total_ += size;
  if (buffered > 0) {
    const std::size_t count = std::min(size, 64 - buffered);
    std::memcpy(buffer_.data() + buffered, bytes, count);
    bytes += count, size -= count, buffered += count;
    if (buffered < 64) return;
    block(buffer_.data());
  }
  for (; size >= 64; bytes += 64, size -= 64)
    block(bytes);
  if (size > 0) std::memcpy(buffer_.data(), bytes, size);
}

std::string Sha256::hex() {
  const std::uint64_t bits = total_ * 8;
  std::vector<std::uint8_t> padding(1 + (119 - total_ % 64) % 64 + 8, 0);
  padding[0] = 0x80;
  for (std::size_t k = 0; k < 8; ++k)
    padding[padding.size() - 1 - k] = static_cast<std::uint8_t>(bits >> (8 * k));
  update(padding.data(), padding.size());
  std::string text;
  for (const std::uint32_t word : state_)
    text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 sha;
  sha.update(bytes.data(), bytes.size());
  return sha.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  Sha256 sha;
  std::vector<char> chunk(1U << 20U);
  const int file = open_input(path);
  ssize_t count = 0;
  int reason = 0;
  do {
    count = ::read(file, chunk.data(), chunk.size());
    reason = count < 0 ? errno : 0;
    if (count > 0) sha.update(chunk.data(), static_cast<std::size_t>(count));
  } while (count > 0 || reason == EINTR);
  ::close(file);
  if (count < 0)
    throw UsageError("cannot-read",
                     fmt::format("cannot be read: {}", std::strerror(reason)),
                     {path.string()},
                     "give the path of a file that can be read");
  return sha.hex();
}

}  // namespace femflex::io
