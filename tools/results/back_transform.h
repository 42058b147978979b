// Histories of a reduced body in other coordinates, from a result and its body file. Notation: zeta
// are the coordinates that were simulated, eta those of the modes chosen before orthogonalisation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/flex_body.h"

#include "results/results_file.h"

namespace femflex::tools {

/// Options of back_transform().
struct BackOptions {
  std::string body;   ///< name in the result; empty: the only one with modal coordinates
  std::string route;  ///< "direct", "inverse", "least-squares"; empty: the recommended one
  /// Channels that are the modal coordinates, in the order of the modes; empty: BODY/zeta/1, ...,
  /// or all columns of a table that has one per mode.
  std::vector<std::string> channels;
  std::vector<std::int64_t> nodes;
};

/// Outcome of back_transform().
struct BackResult {
  ResultSeries series;      ///< BODY/eta/1.., BODY/NODE/displacement/x.., BODY/NODE/position/x..
  std::string route;        ///< the route taken
  std::string recommended;  ///< the route with the smallest error, and the reason
  std::string why;
  double condition_V = 0.0, condition_U = 0.0;  ///< condition numbers of V and of the shapes U
};

/// True if the result has channels BODY/zeta/1 and so on, as `simulate` writes them.
bool has_modal_coordinates(const ResultSeries& result);

/// The name of the flexible body `wanted`, or of the only one if `wanted` is empty.
/// @throws UsageError  no such body, several, or no modal coordinates in the result
std::string flexible_body_of(const ResultSeries& result, const std::string& wanted);

/// Modal coordinates (modes x rows) from the channels NAME/zeta/1 and so on.
/// @throws ModelError  the result has more or fewer coordinates than the body has modes
Eigen::MatrixXd modal_coordinates(const ResultSeries& result,
                                  const FlexBody& body,
                                  const std::string& name);

/// The body file that a simulation used: one of `given`, else the path stored in the result, else a
/// file of the same name next to the result. Its sha256 shows that it is the same file.
/// @throws UsageError  the result names no file, or the file is missing or has changed since
std::filesystem::path flex_file_of(const ResultSeries& result,
                                   const std::filesystem::path& result_file,
                                   const std::string& body,
                                   const std::vector<std::filesystem::path>& given = {});

/// Modal histories in the coordinates of the chosen modes; elastic motion of nodes in the body
/// frame, and their position in the world if the result holds the body's own motion.
/// @throws UsageError  no such body or channel, or the result holds no modal coordinates of it
/// @throws ModelError  the body has another number of modes, or has no data for the
/// back-transformation
BackResult back_transform(const ResultSeries& result,
                          const FlexBody& body,
                          const BackOptions& options);

}  // namespace femflex::tools
