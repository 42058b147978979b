// Reads and writes histories as RPC III files. The header is a list of keywords with values; the
// samples follow in groups: PTS_PER_GROUP samples of channel 1, of channel 2, and so on. Sizes in
// the header are checked against the size of the file.
#include "document/rpc_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

constexpr std::size_t kBlock = 512;       // bytes of a header block
constexpr std::size_t kRecord = 128;      // bytes of a record
constexpr std::size_t kKeyword = 32;      // bytes of the keyword in a record
constexpr std::int64_t kMaxCount = 1e15;  // largest accepted count

std::string_view text_of(std::string_view field) {
  return trimmed(field.substr(0, field.find('\0')));
}

/// The keywords of a header and their values.
class RpcHeader {
 public:
  RpcHeader(std::string_view bytes, const std::string& file) : file_(file) {
    // the first block gives the number of blocks
    if (bytes.size() < kBlock || !text_of(bytes.substr(0, kKeyword)).starts_with("FORMAT"))
      throw ParseError("rpc",
                       "is not an RPC III file: its first record is not FORMAT",
                       {file},
                       "export the history as RPC III, CSV, .mat or HDF5");
    read(bytes.substr(0, kBlock));
    const std::int64_t blocks = count("NUM_HEADER_BLOCKS", 1);
    if (static_cast<std::uint64_t>(blocks) > bytes.size() / kBlock)
      throw ParseError(
          "truncated",
          fmt::format(
              "the header has {} blocks of 512 bytes, the file {} bytes", blocks, bytes.size()),
          {file});
    size_ = static_cast<std::size_t>(blocks) * kBlock;
    read(bytes.substr(kBlock, size_ - kBlock));
  }

  std::size_t size() const { return size_; }
  std::string_view text(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string_view() : found->second;
  }
  /// @throws ParseError  the value is not a finite number
  double real(const std::string& key) const {
    const auto number = parse_real(needed(key));
    if (!number || !std::isfinite(*number)) refuse(key, "a number");
    return *number;
  }
  /// @throws ParseError  the value is not an integer, or smaller than `least`
  std::int64_t count(const std::string& key, std::int64_t least) const {
    const auto number = parse_integer(needed(key));
    if (!number || *number < least || *number > kMaxCount)
      refuse(key, fmt::format("an integer of {} or more", least));
    return *number;
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw ParseError(
        "rpc", fmt::format("{} is '{}'; expected {}", key, text(key), expected), {file_});
  }

 private:
  void read(std::string_view records) {
    for (; records.size() >= kRecord; records.remove_prefix(kRecord))
      if (const std::string_view key = text_of(records.substr(0, kKeyword)); !key.empty())
        values_.emplace(key, text_of(records.substr(kKeyword, kRecord - kKeyword)));
  }
  std::string_view needed(const std::string& key) const {
    if (!values_.contains(key))
      throw ParseError("rpc", fmt::format("the header has no {}", key), {file_});
    return text(key);
  }

  std::string file_;
  std::map<std::string, std::string_view, std::less<>> values_;
  std::size_t size_ = 0;
};

/// Samples written per frame and per group: a power of two, as the format requires, and small, so
/// that few samples are repeated at the end.
constexpr std::int64_t kPointsPerFrame = 256;

/// Collects the records of a header.
class RpcRecords {
 public:
  void add(std::string key, std::string_view value) {
    key.resize(kKeyword, '\0');
    std::string text(value.substr(0, kRecord - kKeyword - 1));
    text.resize(kRecord - kKeyword, '\0');
    bytes_ += key + text;
  }
  void add(std::string key, std::int64_t value) { add(std::move(key), std::to_string(value)); }
  /// The records, padded to whole blocks.
  /// @param block_count_record  index of the record whose value becomes the number of blocks
  std::string finish(std::size_t block_count_record) {
    bytes_.resize((bytes_.size() + kBlock - 1) / kBlock * kBlock, '\0');
    std::string text = std::to_string(bytes_.size() / kBlock);
    text.resize(kRecord - kKeyword, '\0');
    bytes_.replace(block_count_record * kRecord + kKeyword, text.size(), text);
    return bytes_;
  }

 private:
  std::string bytes_;
};

/// The number at `from`.
template <typename Number, typename Bits>
double number_at(const char* from, bool is_big_endian) {
  Bits bits = 0;
  for (std::size_t k = 0; k < sizeof(Bits); ++k)
    bits = static_cast<Bits>(
        (bits << 8U) | static_cast<unsigned char>(from[is_big_endian ? k : sizeof(Bits) - 1 - k]));
  return static_cast<double>(std::bit_cast<Number>(bits));
}

}  // namespace

std::int64_t rpc_points(std::int64_t count) {
  return (count + kPointsPerFrame - 1) / kPointsPerFrame * kPointsPerFrame;
}

std::string rpc_bytes(const RpcFile& file) {
  const auto channels = std::ssize(file.channels);
  const auto count = std::ssize(file.channels.front().values);
  const std::int64_t points = rpc_points(count);
  constexpr std::int64_t kFixedRecords = 18;
  constexpr std::int64_t kRecordsPerChannel = 5;
  RpcRecords records;
  records.add("FORMAT", "BINARY_IEEE_LITTLE_END");
  records.add("NUM_HEADER_BLOCKS", "");
  records.add("NUM_PARAMS", kFixedRecords + kRecordsPerChannel * channels);
  records.add("FILE_TYPE", "TIME_HISTORY");
  records.add("TIME_TYPE", "RESPONSE");
  records.add("DATA_TYPE", "FLOATING_POINT");
  records.add("DELTA_T", fmt::format("{:.9E}", file.step));
  records.add("CHANNELS", channels);
  records.add("PTS_PER_FRAME", kPointsPerFrame);
  records.add("PTS_PER_GROUP", kPointsPerFrame);
  records.add("FRAMES", points / kPointsPerFrame);
  records.add("HALF_FRAMES", 0);
  records.add("REPEATS", 1);
  records.add("AVERAGES", 1);
  records.add("BYPASS_FILTER", 0);
  records.add("INT_FULL_SCALE", 32767);  // largest 16-bit integer; without use for reals
  records.add("PARTITIONS", 1);
  records.add("PART.NCHAN_1", channels);
  for (std::int64_t c = 0; c < channels; ++c) {
    const RpcChannel& channel = file.channels[static_cast<std::size_t>(c)];
    const std::string suffix = fmt::format(".CHAN_{}", c + 1);
    records.add("DESC" + suffix, channel.name);
    records.add("UNITS" + suffix, channel.unit);
    records.add("SCALE" + suffix, "1.000000E+00");
    records.add("MAP" + suffix, c + 1);
    records.add("PART" + suffix, 1);
  }
  std::string out = records.finish(1);
  for (std::int64_t first = 0; first < points; first += kPointsPerFrame)
    for (const RpcChannel& channel : file.channels)
      for (std::int64_t k = first; k < first + kPointsPerFrame; ++k) {
        const auto at = static_cast<std::size_t>(std::min(k, std::int64_t{count} - 1));
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(channel.values[at]));
        for (unsigned shift = 0; shift < 32U; shift += 8U)
          out.push_back(static_cast<char>((bits >> shift) & 0xffU));
      }
  return out;
}

RpcFile read_rpc(std::string_view bytes, const std::string& file) {
  const RpcHeader header(bytes, file);
  const std::string_view format = header.text("FORMAT");
  const bool is_big_endian = format == "BINARY_IEEE_BIG_END";
  if (!is_big_endian && format != "BINARY_IEEE_LITTLE_END" && format != "BINARY")
    header.refuse("FORMAT", "BINARY_IEEE_LITTLE_END, BINARY_IEEE_BIG_END or BINARY");
  if (const std::string_view kind = header.text("FILE_TYPE");
      !kind.empty() && kind != "TIME_HISTORY")
    header.refuse("FILE_TYPE", "TIME_HISTORY");
  RpcFile out;
  out.step = header.real("DELTA_T");
  if (!(out.step > 0.0)) header.refuse("DELTA_T", "a time above 0");
  const std::int64_t channels = header.count("CHANNELS", 1);
  const std::int64_t per_frame = header.count("PTS_PER_FRAME", 1);
  const std::int64_t per_group = header.count("PTS_PER_GROUP", 1);
  const std::int64_t frames = header.count("FRAMES", 1);
  const std::string_view type = header.text("DATA_TYPE");
  const bool is_real = type == "FLOATING_POINT";
  if (!is_real && !type.empty() && type != "SHORT_INTEGER")
    header.refuse("DATA_TYPE", "SHORT_INTEGER or FLOATING_POINT");
  const std::size_t width = is_real ? 4 : 2;
  // products are first computed in floating point, because integers could overflow
  const double points = static_cast<double>(frames) * static_cast<double>(per_frame);
  const double groups = std::ceil(points / static_cast<double>(per_group));
  const double needed = groups * static_cast<double>(per_group) * static_cast<double>(channels) *
                        static_cast<double>(width);
  if (needed > static_cast<double>(bytes.size() - header.size()))
    throw ParseError("truncated",
                     fmt::format("{} frames of {} points of {} channels need {:.0f} bytes; {} "
                                 "follow the header",
                                 frames,
                                 per_frame,
                                 channels,
                                 needed,
                                 bytes.size() - header.size()),
                     {file});
  const auto count = static_cast<std::size_t>(points);
  const auto group = static_cast<std::size_t>(per_group);
  for (std::int64_t c = 0; c < channels; ++c) {
    const std::string suffix = fmt::format(".CHAN_{}", c + 1);
    const double scale = is_real ? 1.0 : header.real("SCALE" + suffix);
    RpcChannel channel;
    channel.name = header.text("DESC" + suffix);
    channel.unit = header.text("UNITS" + suffix);
    channel.values.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at =
          (k / group * static_cast<std::size_t>(channels) + static_cast<std::size_t>(c)) * group +
          k % group;
      const char* from = bytes.data() + header.size() + at * width;
      const double value = is_real ? number_at<float, std::uint32_t>(from, is_big_endian)
                                   : number_at<std::int16_t, std::uint16_t>(from, is_big_endian);
      if (!std::isfinite(value))
        throw ParseError(
            "rpc", fmt::format("point {} of channel {} is not finite", k + 1, c + 1), {file});
      channel.values.push_back(scale * value);
    }
    out.channels.push_back(std::move(channel));
  }
  return out;
}

}  // namespace femflex::tools
