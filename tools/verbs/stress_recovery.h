// Determines the stresses of a body's shapes: read from tables of an FE code, combined from such
// tables, or computed. The verb stress uses it and reports which one was used.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "femflex/durability/stress_mesh.h"
#include "femflex/durability/stress_source.h"

#include "document/json.h"
#include "verbs/stress.h"

namespace femflex::verbs {

/// The folder of a body's file; empty if the body is a value.
std::filesystem::path folder_of(const BodyInput& input);

/// The model that contains the elements of a body.
/// @throws UsageError  see load(), tools::model_file_of()
/// @throws ModelError  see tools::check_model_of_body()
Loaded<FeModel> model_for(const StressRequest& request,
                          const FlexBody& body,
                          const std::filesystem::path& folder,
                          Diagnostics& diagnostics,
                          Progress& progress);

/// Stresses of shapes, and how they were obtained.
struct Recovery {
  std::unique_ptr<durability::StressMesh> mesh;  ///< for computed stresses
  std::unique_ptr<durability::StressSource> source;
  std::vector<std::string> sources;  ///< for read stresses: their files and tables
  std::optional<double> misfit;      ///< for combined stresses: the residual of the combination
  std::string not_read;  ///< for computed stresses: why tables of the model are not used, if any

  /// "computed", "combined" or "read".
  const char* way() const;
  tools::Json json() const;
  std::string text() const;
};

bool has_sections(const FeModel& model);

/// Stresses computed from displacements, materials and sections.
Recovery computed_recovery(const StressRequest& request,
                           const FeModel& model,
                           const durability::ShapeSet& shapes,
                           const std::vector<std::int64_t>& wanted);

/// Whether stresses of the model's own shapes are computed. Unless the request specifies it, they
/// are read if the model contains stresses of all shapes or has no sections.
bool computes_own_shapes(const StressRequest& request, const FeModel& model);

/// Stresses of the shapes of a body. They are read if the model contains stresses and the shapes of
/// the body are combinations of those of the model; otherwise they are computed.
/// @throws ModelError  neither is possible, or the requested way is not
Recovery recovery_of(const StressRequest& request,
                     const FeModel& model,
                     const durability::ShapeSet& shapes,
                     const std::vector<std::int64_t>& wanted);

/// Warns of elements without stress, and of bars without bending.
/// @throws ModelError  no element has stresses
void tell_left_out(const durability::StressSource& source, Diagnostics& diagnostics);

/// Text for the element of a place; "-" for a mean at a node, which belongs to none.
std::string element_of(const durability::StressSource& source,
                       const durability::StressLocation& at);

/// Text for a place, such as "corner 3" or "node 12".
std::string place_of(const durability::StressLocation& at);

/// Members that the outcomes for shapes and for runs have in common.
tools::Json subject_json(const Recovery& recovery, const char* subject);

}  // namespace femflex::verbs
