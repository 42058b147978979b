// Compares the sources listed in a model and a body, and the positions of their nodes.
#include "body/model_of_body.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/model_units.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;

/// Relative difference of positions that can result from the few digits of a text format.
constexpr double kSamePlace = 1e-5;

std::set<std::string> digests_of(const Provenance& provenance) {
  std::set<std::string> out;
  for (const Provenance::Source& source : provenance.sources)
    out.insert(source.sha256);
  return out;
}

/// Digests of the FE files of a native model with sections; empty for other files.
std::set<std::string> digests_of(const fs::path& path) {
  if (!importer::is_fe_model_file(path)) return {};
  const io::Hdf5File file = io::Hdf5File::open(path);
  if (!file.has("/element_sections/element") || !file.has("/sources/sha256")) return {};
  const std::vector<std::string> all = file.read_texts("/sources/sha256");
  return {all.begin(), all.end()};
}

}  // namespace

fs::path model_file_of(const FlexBody& body, const fs::path& folder) {
  const std::set<std::string> wanted = digests_of(body.provenance);
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
    if (entry.path().filename().string().ends_with(".fe.h5")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    if (!wanted.empty() && digests_of(file) == wanted) return file;
  throw UsageError("no-model",
                   fmt::format("the folder of body '{}' holds no model (.fe.h5) with sections "
                               "that was imported from the same FE files",
                               body.name),
                   {},
                   "name the model from which it was reduced: --model MODEL.fe.h5");
}

void check_model_of_body(const FeModel& model, const FlexBody& body) {
  const Units& units = units_of(model);
  const std::set<std::string> ours = digests_of(body.provenance);
  const std::set<std::string> theirs = digests_of(model.provenance);
  double size = 0.0;
  for (const BodyNode& node : body.nodes)
    size = std::max(size, node.position.cwiseAbs().maxCoeff());
  std::size_t common = 0;
  for (const BodyNode& node : body.nodes) {
    const Node* found = find_node(model, node.id);
    if (found == nullptr) continue;
    ++common;
    const Eigen::Vector3d position = units.length * found->position;
    if ((position - node.position).cwiseAbs().maxCoeff() > kSamePlace * size)
      throw ModelError("wrong-model",
                       fmt::format("node {} of body '{}' is at ({:.6g}, {:.6g}, {:.6g}) m, but at "
                                   "({:.6g}, {:.6g}, {:.6g}) m in the model",
                                   node.id,
                                   body.name,
                                   node.position.x(),
                                   node.position.y(),
                                   node.position.z(),
                                   position.x(),
                                   position.y(),
                                   position.z()),
                       {},
                       "give the model from which the body was reduced, and a body that was not "
                       "moved or turned since");
  }
  const bool is_other = !ours.empty() && !theirs.empty() && ours != theirs;
  if (common == 0 || is_other)
    throw ModelError("wrong-model",
                     fmt::format("body '{}' was not reduced from this model: {}",
                                 body.name,
                                 common == 0 ? "they share no node" : "their FE files differ"),
                     {},
                     "give the model from which the body was reduced");
}

}  // namespace femflex::tools
