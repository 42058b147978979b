// Joins the lines of an element and appends it to the block of its type.
#include "calculix/inp_element_lines.h"

#include <fmt/format.h>

#include "calculix/inp_elements.h"
#include "calculix/inp_scan.h"

namespace femflex::importer {

void InpElementLines::begin(const InpParameters& parameters) {
  type_ = parameters.word("TYPE");
  set_ = parameters.text("ELSET");
  nodes_per_element_ = nodes_of(type_);
  name_ = nastran_name(type_);
}

void InpElementLines::data(const std::vector<std::string_view>& fields,
                           bool ends_with_comma,
                           const Where& where) {
  for (const std::string_view field : fields) {
    if (field.empty()) continue;
    // an id may stand behind the name of an instance
    const auto id = names_.id_of(field);
    element_.push_back(id ? *id : inp_integer(field, where));
  }
  // the lines of an element continue until all nodes are read, or while lines end with a comma
  const bool is_continued =
      nodes_per_element_ > 0 ? element_.size() < nodes_per_element_ + 1 : ends_with_comma;
  if (!is_continued) end(where);
}

void InpElementLines::end(const Where& where) {
  if (element_.empty()) return;
  const std::int64_t id = element_.front();
  std::vector<std::int64_t> nodes(element_.begin() + 1, element_.end());
  element_.clear();
  ++counts_[name_.empty() ? type_ : name_];
  if (!set_.empty()) sets_.add(set_, id);
  ids_.push_back(id);
  if (nodes.size() == 1) masses_.add_element(id, nodes.front());
  if (name_.empty()) return;
  if (nodes.size() > nodes_per_element_ && type_.starts_with("B")) {
    ++orientation_nodes_;
    nodes.resize(nodes_per_element_);
  }
  if (nodes.size() != nodes_per_element_)
    throw ParseError("entry",
                     fmt::format("element {} of type {} has {} nodes; expected {}",
                                 id,
                                 type_,
                                 nodes.size(),
                                 nodes_per_element_),
                     where);
  materials_.element(id, type_);
  to_nastran_order(shape_of(name_, static_cast<int>(nodes.size())), nodes);
  ElementBlock& block = blocks_[{name_, nodes.size()}];
  block.type = name_;
  block.nodes_per_element = static_cast<int>(nodes.size());
  block.ids.push_back(id);
  block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
}

void InpElementLines::finish(FileContents& contents) {
  for (auto& [key, block] : blocks_)
    contents.elements.push_back(std::move(block));
  contents.element_counts = std::move(counts_);
}

}  // namespace femflex::importer
