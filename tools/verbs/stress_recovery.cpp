// Chooses where stresses come from and describes the choice: tables of the FE code, linear
// combinations of these, or a computation from displacements, materials and sections.
#include "verbs/stress_recovery.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "body/model_of_body.h"
#include "document/table.h"
#include "results/stress_tables.h"

namespace femflex::verbs {

using durability::ShapeSet;
using durability::StressMesh;
using durability::StressSource;
using tools::Json;

std::filesystem::path folder_of(const BodyInput& input) {
  const auto* path = std::get_if<std::filesystem::path>(&input);
  return path == nullptr ? std::filesystem::path() : path->parent_path();
}

Loaded<FeModel> model_for(const StressRequest& request,
                          const FlexBody& body,
                          const std::filesystem::path& folder,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  const ModelInput input =
      request.model ? *request.model : ModelInput(tools::model_file_of(body, folder));
  Loaded<FeModel> model = load(input, request.units, diagnostics, progress);
  tools::check_model_of_body(*model, body);
  return model;
}

void tell_left_out(const StressSource& source, Diagnostics& diagnostics) {
  for (const durability::LeftOut& each : source.left_out())
    diagnostics.warn("no-stress",
                     fmt::format("{} {} without stress, the first is {}: {}",
                                 each.count,
                                 each.type,
                                 each.first,
                                 each.reason));
  if (const std::int64_t bars = source.bars_without_bending(); bars > 0)
    diagnostics.warn(
        "no-bending",
        fmt::format("{} bars and beams have no recovery points off their axis: their stresses "
                    "leave out bending; give points C to F in PBAR or PBEAM",
                    bars));
  if (source.size() > 0) return;
  const std::string why =
      source.left_out().empty() ? "the model has no elements" : source.left_out().front().reason;
  throw ModelError(
      "no-stress",
      "no element has stresses: " + why,
      {},
      "import the model with its materials and sections, or with stresses of all shapes (OP2, "
      ".frd); `femflex stress` reads "
      "MAT1, MAT8, PSOLID, PSHELL, PBAR(L), PBEAM(L), PROD and *MATERIAL with sections");
}

namespace {

/// Whether a model of CalculiX has shells whose solids have other stresses than a shell.
bool has_expanded_shells(const FeModel& model) {
  const bool is_calculix =
      std::any_of(model.provenance.sources.begin(),
                  model.provenance.sources.end(),
                  [](const Provenance::Source& source) { return source.file.ends_with(".dof"); });
  const std::vector<FeProperty>& properties = model.properties.properties;
  const bool has_shells =
      std::any_of(properties.begin(), properties.end(), [](const FeProperty& property) {
        return property.type == "SHELL SECTION";
      });
  return is_calculix && has_shells &&
         std::any_of(model.elements.begin(), model.elements.end(), [](const ElementBlock& block) {
           return block.type == "CTRIA3" || block.type == "CTRIA6" || block.type == "CQUAD8";
         });
}

}  // namespace

const char* Recovery::way() const {
  if (mesh) return "computed";
  return misfit ? "combined" : "read";
}

Json Recovery::json() const {
  Json out = Json::object();
  out["way"] = way();
  out["tables"] = Json::list();
  for (const std::string& each : sources)
    out["tables"].push_back(each);
  out["misfit"] = misfit ? Json(*misfit) : Json();
  if (!not_read.empty()) out["not_read"] = not_read;
  return out;
}

std::string Recovery::text() const {
  if (mesh)
    return fmt::format(
        "stresses computed from displacements, materials and sections{}\n{}",
        not_read.empty() ? "" : ", not read: " + not_read,
        has_expanded_shells(mesh->model())
            ? "shells are in plane stress; CalculiX's own stresses of S3, S6, S8 and "
              "S8R, as solids, are larger, in bending at clamped edges by up to a "
              "fifth (S3: a third)\n"
            : "");
  std::string names;
  for (const std::string& each : sources)
    names += (names.empty() ? "" : ", ") + each;
  if (!misfit) return fmt::format("stresses of {}\n", names);
  return fmt::format("stresses of {}, combined linearly like the shapes (residual {})\n",
                     names,
                     tools::readable(*misfit));
}

bool has_sections(const FeModel& model) {
  return !model.properties.elements.empty() && !model.properties.materials.empty();
}

bool computes_own_shapes(const StressRequest& request, const FeModel& model) {
  const std::vector<std::int64_t>& read = model.stresses.stress.shapes;
  const bool all_read = !read.empty() && std::cmp_equal(read.size(), model.modes.count());
  const bool may_read =
      !read.empty() && request.places != durability::StressPlaces::integration_points;
  return request.source == StressWay::computed ||
         (request.source == StressWay::automatic &&
          (!may_read || (!all_read && has_sections(model))));
}

Recovery computed_recovery(const StressRequest& request,
                           const FeModel& model,
                           const ShapeSet& shapes,
                           const std::vector<std::int64_t>& wanted) {
  Recovery out;
  out.mesh = std::make_unique<StressMesh>(model, shapes, wanted);
  out.source = std::make_unique<durability::ComputedStress>(*out.mesh, request.places);
  return out;
}

Recovery recovery_of(const StressRequest& request,
                     const FeModel& model,
                     const ShapeSet& shapes,
                     const std::vector<std::int64_t>& wanted) {
  const bool has_tables = !model.stresses.stress.empty();
  const bool have_places = request.places != durability::StressPlaces::integration_points;
  const bool is_automatic = request.source == StressWay::automatic;
  const auto computed = [&](const char* not_read) {
    Recovery out = computed_recovery(request, model, shapes, wanted);
    out.not_read = not_read;
    return out;
  };
  if (request.source == StressWay::computed || (is_automatic && !has_tables)) return computed("");
  if (is_automatic && !have_places)
    return computed("tables of the FE code have no integration points");
  const bool may_compute = is_automatic && has_sections(model);
  try {
    Recovery out;
    auto read = std::make_unique<durability::ReadStress>(model, shapes, request.places, wanted);
    // as tables of nodal averages, which contain no stress of single elements
    const bool lacks_wanted = read->size() == 0 || (!wanted.empty() && !read->left_out().empty());
    if (lacks_wanted && may_compute)
      return computed("tables of the FE code lack elements that are asked for");
    out.misfit = read->misfit();
    out.sources = model.stresses.stress.sources;
    out.source = std::move(read);
    return out;
  } catch (const ModelError& error) {
    if (!may_compute || error.code() != "not-in-span") throw;
  }
  return computed("the shapes are not combinations of those with tables of the FE code");
}

std::string element_of(const StressSource& source, const durability::StressLocation& at) {
  return at.point.place == elements::Place::node ? "-" : std::to_string(source.id(at.element));
}

std::string place_of(const durability::StressLocation& at) {
  if (at.point.place == elements::Place::centre) return "centre";
  if (at.point.place == elements::Place::node) return fmt::format("node {}", at.node);
  return fmt::format("{} {}", elements::name_of(at.point.place), at.point.index + 1);
}

Json subject_json(const Recovery& recovery, const char* subject) {
  Json out = Json::object();
  out["subject"] = subject;
  const StressSource& source = *recovery.source;
  out["elements"] = source.size();
  out["shapes"] = source.shape_count();
  out["source"] = recovery.json();
  out["unit"] = "Pa";
  Json components = Json::list();
  for (const std::string_view name : durability::kComponents)
    components.push_back(name);
  out["components"] = std::move(components);
  out["left_out"] = tools::left_out_json(source.left_out());
  if (const std::int64_t bars = source.bars_without_bending(); bars > 0)
    out["bars_without_bending"] = bars;
  return out;
}

}  // namespace femflex::verbs
