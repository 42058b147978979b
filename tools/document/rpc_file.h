// Reads and writes RPC III time history files: a header of records (keyword and value), then groups
// of samples, channel by channel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// One channel of an RPC III file.
struct RpcChannel {
  std::string name;            ///< DESC.CHAN_n
  std::string unit;            ///< UNITS.CHAN_n
  std::vector<double> values;  ///< in `unit`
};

/// Measured channels with the same sampling interval.
struct RpcFile {
  double step = 0.0;  ///< [s] DELTA_T
  std::vector<RpcChannel> channels;
};

/// Reads the bytes of an RPC III file. The header has NUM_HEADER_BLOCKS blocks of 512 bytes; each
/// block has four records of a 32-byte keyword and a 96-byte value. After it come FRAMES frames of
/// PTS_PER_FRAME samples, in groups of PTS_PER_GROUP samples per channel. Samples are 16-bit
/// integers times SCALE.CHAN_n, or 32-bit floating-point numbers of IEEE 754, in the byte order
/// that FORMAT says. The last group is complete, or padded to be.
/// @throws ParseError  a record is missing or out of range, the file is truncated, or holds text or
///                     no history
RpcFile read_rpc(std::string_view bytes, const std::string& file);

/// The bytes of a file with 32-bit floating-point values. Frames are complete: the last value of
/// each channel is repeated up to rpc_points() samples.
/// @param file  has at least one channel; all channels have the same length, above 0
std::string rpc_bytes(const RpcFile& file);
/// Number of samples per channel that rpc_bytes() writes for `count` values.
std::int64_t rpc_points(std::int64_t count);

}  // namespace femflex::tools
