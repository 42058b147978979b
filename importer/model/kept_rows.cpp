// Lists the nodes to keep and removes the rows of all other nodes from shapes and stresses. Readers
// of large formats skip those rows while they read (ReadOptions::keep_nodes).
#include "model/kept_rows.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number_list.h"

#include "bytes/input_file.h"

namespace femflex::importer {
namespace {

[[noreturn]] void refuse_no_rows() {
  throw UsageError("keep-nodes",
                   "--keep-nodes: the shapes have no row at any of these nodes",
                   {},
                   "'femflex info' lists the nodes of the files");
}

bool is_kept(const std::vector<std::int64_t>& keep, std::int64_t node) {
  return std::binary_search(keep.begin(), keep.end(), node);
}

void add_ids_of_file(const std::filesystem::path& path, std::set<std::int64_t>& out) {
  const InputFile file(path);
  Lines lines(file.bytes());
  constexpr std::string_view kBetween = " \t,;\r";
  while (lines.next()) {
    std::string_view rest = lines.line().substr(0, lines.line().find('#'));
    for (;;) {
      const std::size_t start = rest.find_first_not_of(kBetween);
      if (start == std::string_view::npos) break;
      rest.remove_prefix(start);
      const std::string_view word = rest.substr(0, rest.find_first_of(kBetween));
      rest.remove_prefix(word.size());
      constexpr std::size_t kLongestRange = 64;  // three numbers of 19 digits and two marks
      if (word.size() > kLongestRange)
        throw ParseError("entry",
                         fmt::format("'{}...' is neither a node id nor a range such as 1-20",
                                     word.substr(0, 40)),
                         {file.name(), lines.number()});
      try {
        for (const std::int64_t id : parse_number_list(word))
          out.insert(id);
      } catch (const UsageError& error) {
        throw ParseError("entry", error.message(), {file.name(), lines.number()}, error.fix());
      }
    }
  }
}

/// Indices of those of `count` points that are kept.
template <typename NodeOf>
std::vector<Eigen::Index> kept_indices(std::size_t count,
                                       NodeOf node_of,
                                       const std::vector<std::int64_t>& keep) {
  std::vector<Eigen::Index> out;
  for (std::size_t k = 0; k < count; ++k)
    if (is_kept(keep, node_of(k))) out.push_back(static_cast<Eigen::Index>(k));
  return out;
}

/// Blocks of `height` rows with these indices.
Eigen::MatrixXd blocks_of(const Eigen::MatrixXd& from,
                          Eigen::Index height,
                          const std::vector<Eigen::Index>& indices) {
  Eigen::MatrixXd out(height * static_cast<Eigen::Index>(indices.size()), from.cols());
  for (std::size_t k = 0; k < indices.size(); ++k)
    out.middleRows(height * static_cast<Eigen::Index>(k), height) =
        from.middleRows(height * indices[k], height);
  return out;
}

template <typename T>
std::vector<T> entries_of(const std::vector<T>& from, const std::vector<Eigen::Index>& indices) {
  std::vector<T> out;
  for (const Eigen::Index k : indices)
    if (static_cast<std::size_t>(k) < from.size()) out.push_back(from[static_cast<std::size_t>(k)]);
  return out;
}

}  // namespace

KeptNodes parse_kept_nodes(const std::string& text) {
  KeptNodes out;
  if (text.empty())
    throw UsageError("usage",
                     "--keep-nodes: no nodes are given",
                     {},
                     "give a list 1-20,25, a set set:NAME, or a file with ids");
  if (text.starts_with("set:"))
    out.set = text.substr(4);
  else if (text.find_first_not_of("0123456789-,: ") == std::string::npos)
    out.ids = parse_number_list(text);
  else
    out.file = text;
  return out;
}

std::vector<std::int64_t> ids_to_keep(const ImportRequest& request,
                                      const std::vector<FileContents>& files) {
  const KeptNodes& kept = *request.keep_nodes;
  std::set<std::int64_t> ids(kept.ids.begin(), kept.ids.end());
  if (!kept.set.empty()) {
    std::set<std::string> names;
    bool is_found = false;
    for (const FileContents& file : files)
      for (const auto& [name, members] : file.node_sets) {
        names.insert(name);
        if (name != kept.set) continue;
        is_found = true;
        ids.insert(members.begin(), members.end());
      }
    if (!is_found)
      throw UsageError("keep-nodes",
                       fmt::format("--keep-nodes: the files have no node set '{}'", kept.set),
                       {},
                       names.empty() ? "give a list 1-20,25 or a file with ids"
                                     : fmt::format("give one of {}", fmt::join(names, ", ")));
  }
  if (kept.file) add_ids_of_file(*kept.file, ids);
  if (ids.empty())
    throw UsageError("keep-nodes",
                     "--keep-nodes: there is no node to keep",
                     {},
                     "give a list 1-20,25, a set set:NAME, or a file with ids");
  ids.insert(request.interface_nodes.begin(), request.interface_nodes.end());
  if (request.interface_nodes.empty())  // as import_model() chooses them
    for (const FileContents& file : files)
      for (const Dof& dof : file.interface)
        if (dof.component != 0) ids.insert(dof.node);
  return {ids.begin(), ids.end()};
}

void keep_rows(std::vector<FileContents>& files, const std::vector<std::int64_t>& keep) {
  bool has_shapes = false, has_rows = false;
  for (FileContents& file : files) {
    keep_rows(file, keep);
    for (const RawModes& modes : file.modes) {
      has_shapes = true;
      has_rows = has_rows || !modes.points.empty();
    }
    std::erase_if(file.modes, [](const RawModes& modes) { return modes.points.empty(); });
  }
  if (has_shapes && !has_rows) refuse_no_rows();
}

void keep_rows(FileContents& contents, const std::vector<std::int64_t>& keep) {
  for (RawModes& modes : contents.modes) {
    const std::vector<Eigen::Index> indices = kept_indices(
        modes.points.size(), [&](std::size_t k) { return modes.points[k]; }, keep);
    if (indices.size() == modes.points.size()) continue;
    modes.points = entries_of(modes.points, indices);
    modes.is_scalar = entries_of(modes.is_scalar, indices);
    modes.shapes = blocks_of(modes.shapes, modes.components, indices);
    if (modes.imaginary.size() > 0)
      modes.imaginary = blocks_of(modes.imaginary, modes.components, indices);
  }
  for (RawStress& stress : contents.stresses) {
    if (stress.type != "NODE") continue;
    const std::vector<Eigen::Index> indices = kept_indices(
        stress.places.size(), [&](std::size_t k) { return stress.places[k].node; }, keep);
    if (indices.size() == stress.places.size() ||
        stress.values.rows() != 6 * static_cast<Eigen::Index>(stress.places.size()))
      continue;
    stress.places = entries_of(stress.places, indices);
    stress.values = blocks_of(stress.values, 6, indices);
  }
}

void keep_rows(FeModel& model, const std::vector<std::int64_t>& keep, Diagnostics& diagnostics) {
  if (model.modes.count() == 0) return;
  std::vector<Dof> rows;
  std::set<std::int64_t> missing(keep.begin(), keep.end());
  for (const Dof& dof : model.modes.rows.rows()) {
    if (!is_kept(keep, dof.node)) continue;
    rows.push_back(dof);
    missing.erase(dof.node);
  }
  if (rows.empty()) refuse_no_rows();
  if (!missing.empty())
    diagnostics.warn(
        "keep-nodes",
        fmt::format("the shapes have no row at {} of {} nodes to keep, the first is {}",
                    missing.size(),
                    keep.size(),
                    *missing.begin()));
  DofMap kept(std::move(rows));
  model.modes.shapes = shapes_on(model.modes, kept);
  model.modes.rows = std::move(kept);
}

}  // namespace femflex::importer
