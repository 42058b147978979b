// back_transform(): histories of a reduced body in other coordinates, from a result and its body
// file. The verb transform calls it. Notation: zeta are the simulated coordinates, eta those of the
// modes chosen before orthogonalisation.
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
  std::string body;   ///< name in the result; empty: the only body with modal coordinates
  std::string route;  ///< "direct", "inverse" or "least-squares"; empty: the recommended route
  /// Channels that are the modal coordinates, in the order of the modes; empty: BODY/zeta/1, ...,
  /// or all columns of a table with one column per mode.
  std::vector<std::string> channels;
  std::vector<std::int64_t> nodes;
};

/// Outcome of back_transform().
struct BackResult {
  ResultSeries series;      ///< BODY/eta/1.., BODY/NODE/displacement/x.., BODY/NODE/position/x..
  std::string route;        ///< the route used
  std::string recommended;  ///< the route with the smallest error; `why` is the reason
  std::string why;
  double condition_V = 0.0, condition_U = 0.0;  ///< condition numbers of the matrix V and of the
                                                ///< shapes U
};

/// True if the result has channels BODY/zeta/1, ..., which `simulate` writes.
bool has_modal_coordinates(const ResultSeries& result);

/// The name of the flexible body `wanted`, or of the only one if `wanted` is empty.
/// @throws UsageError  no such body, several, or no modal coordinates in the result
std::string flexible_body_of(const ResultSeries& result, const std::string& wanted);

/// Modal coordinates (modes x rows) from the channels NAME/zeta/1 and so on.
/// @throws ModelError  the numbers of coordinates in the result and of modes of the body differ
Eigen::MatrixXd modal_coordinates(const ResultSeries& result,
                                  const FlexBody& body,
                                  const std::string& name);

/// The body file that a simulation used: one of `given`, else the path stored in the result, else a
/// file with the same name next to the result. Its SHA-256 must match.
/// @throws UsageError  the result refers to no file, or the file is missing or has changed
std::filesystem::path flex_file_of(const ResultSeries& result,
                                   const std::filesystem::path& result_file,
                                   const std::string& body,
                                   const std::vector<std::filesystem::path>& given = {});

/// Checks that `file` is the body file that a simulation used, by its SHA-256. A result without one
/// takes any file.
/// @param body  name in the result; empty: `file` may be that of any of its bodies
/// @throws UsageError  the simulation used another file
void check_flex_file(const ResultSeries& result,
                     const std::string& result_name,
                     const std::string& body,
                     const std::filesystem::path& file);

/// Histories in the coordinates of the chosen modes; elastic motion of nodes in the body frame; and
/// positions of nodes in the world if the result contains the motion of the body frame.
/// @throws UsageError  no such body or channel, or the result contains no modal coordinates of it
/// @throws ModelError  the body has another number of modes, or no data for the back-transformation
BackResult back_transform(const ResultSeries& result,
                          const FlexBody& body,
                          const BackOptions& options);

}  // namespace femflex::tools
