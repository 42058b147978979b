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
  std::string body;              ///< name in the result; empty: the only one with modal coordinates
  std::string route = "direct";  ///< or "inverse", "least-squares"; see modal::BackRoute
  std::vector<std::int64_t> nodes;  ///< ids of nodes whose motion is added
};

/// Outcome of back_transform().
struct BackResult {
  ResultSeries series;      ///< BODY/eta/1.., BODY/NODE/displacement/x.., BODY/NODE/position/x..
  std::string route;        ///< the route taken
  std::string recommended;  ///< the route with the smallest error, and the reason
  std::string why;
  double condition_V = 0.0, condition_U = 0.0;  ///< condition numbers of V and of the shapes U
};

/// Name of the flexible body that `wanted` means; an empty `wanted` means the only one.
/// @throws UsageError  no such body, several, or no modal coordinates in the result
std::string flexible_body_of(const ResultSeries& result, const std::string& wanted);

/// The body file that a simulation used: one of `given`, else the path stored in the result, else a
/// file of the same name next to the result. Its sha256 shows that it is the same file.
/// @throws UsageError  the result names no file, or the file is missing or has changed since
std::filesystem::path flex_file_of(const ResultSeries& result,
                                   const std::filesystem::path& result_file,
                                   const std::string& body,
                                   const std::vector<std::filesystem::path>& given = {});

/// Modal histories in the coordinates of the chosen modes; elastic motion of nodes in the body
/// frame, and their position in the world if the result holds the body's own motion.
/// @throws UsageError  no such body, or the result holds no modal coordinates of it
/// @throws ModelError  the body has another number of modes, or has no data for the
/// back-transformation
BackResult back_transform(const ResultSeries& result,
                          const FlexBody& body,
                          const BackOptions& options);

}  // namespace femflex::tools
