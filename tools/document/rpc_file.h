// RPC III time history files: header records of keyword and value, then groups of points, channel
// after channel.
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

/// A file of measured channels at one sampling interval.
struct RpcFile {
  double step = 0.0;  ///< [s] DELTA_T
  std::vector<RpcChannel> channels;
};

/// Reads the bytes of an RPC III file: blocks of 512 bytes with four records of 32 bytes keyword
/// and 96 bytes value, NUM_HEADER_BLOCKS of them; then FRAMES frames of PTS_PER_FRAME points in
/// groups of PTS_PER_GROUP points of each channel, as 16-bit integers times SCALE.CHAN_n or as
/// 32-bit floating point, both with the lowest byte first. A last group that is not full is padded.
/// @throws ParseError  a record is missing or out of range, the file ends early
RpcFile read_rpc(std::string_view bytes, const std::string& file);

/// The bytes of a file with 32-bit floating-point values. Frames are full: the last value of each
/// channel is repeated up to rpc_points() points.
/// @param file  at least one channel, all of one length above 0
std::string rpc_bytes(const RpcFile& file);
/// Points of each channel that rpc_bytes() writes for `count` values.
std::int64_t rpc_points(std::int64_t count);

}  // namespace femflex::tools
