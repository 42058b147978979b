// Compresses with zlib, in one call per 4 GB, and parses Accept-Encoding with its weights (RFC
// 9110, section 12.5.3).
#include "gzip.h"

#include <algorithm>
#include <climits>
#include <new>

#include <zlib.h>

#include "femflex/split.h"
#include "femflex/text.h"

namespace femflex::service {

std::string gzipped(std::string_view text) {
  constexpr int kWindowBits = 15 + 16;  // the largest window, with a gzip header
  constexpr int kMemoryLevel = 8;       // zlib's default
  z_stream stream{};
  if (deflateInit2(
          &stream, Z_BEST_SPEED, Z_DEFLATED, kWindowBits, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::size_t written = 0;
  int status = Z_OK;
  // zlib uses 32-bit counts
  while (status == Z_OK) {
    const std::size_t size = std::min<std::size_t>(text.size(), UINT_MAX);
    const std::size_t space = std::min<std::size_t>(out.size() - written, UINT_MAX);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(size);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = static_cast<uInt>(space);
    status = deflate(&stream, size == text.size() ? Z_FINISH : Z_NO_FLUSH);
    text.remove_prefix(size - stream.avail_in);
    written += space - stream.avail_out;
  }
  deflateEnd(&stream);
  out.resize(written);
  return out;
}

bool accepts_gzip(std::string_view header) {
  bool accepted = false;
  for (std::string item : split(header, ',')) {
    std::erase_if(item, is_white_space);
    item = lower_case(item);
    const std::size_t semicolon = std::min(item.find(';'), item.size());
    const std::string weight = item.substr(semicolon);
    // refused by a weight such as ";q=0" or ";q=0.000"
    const bool is_refused =
        weight.starts_with(";q=0") && weight.find_first_not_of("0.", 4) == std::string::npos;
    const std::string name = item.substr(0, semicolon);
    if (name == "gzip" || name == "x-gzip") return !is_refused;
    if (name == "*") accepted = !is_refused;
  }
  return accepted;
}

}  // namespace femflex::service
