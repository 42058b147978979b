// Reads attributes as numbers and words. Unknown names give a warning; those that name a force law
// or look misspelt are refused.
#include "lattice/lattice_fydik_xml.h"

#if FEMFLEX_HAVE_PUGIXML

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "document/nearest_name.h"
#include "document/number_text.h"
#include "document/whole_number.h"

namespace femflex::tools {
namespace {

/// Suffix of a warning that stands for several places; empty for one place.
std::string repetition(int count) {
  return count > 1 ? fmt::format(" ({} times, first here)", count) : std::string();
}

/// Offsets of the line ends in UTF-8, into which pugixml converts a text before it counts offsets.
std::vector<std::size_t> line_ends_of(std::string_view text, pugi::xml_encoding encoding) {
  const bool is_wide = encoding == pugi::encoding_utf16_le || encoding == pugi::encoding_utf16_be;
  const std::size_t high = encoding == pugi::encoding_utf16_le ? 1 : 0;
  std::vector<std::size_t> out;
  std::size_t offset = 0;
  for (std::size_t at = 0; at + (is_wide ? 1 : 0) < text.size(); at += is_wide ? 2 : 1) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const unsigned code = is_wide ? byte(high) * 256U + byte(1 - high) : byte(0);
    if (code == '\n') out.push_back(offset);
    const bool is_half = code >= 0xD800 && code < 0xE000;  // two of them are one letter of 4 bytes
    const bool is_byte = code < 0x80 || encoding == pugi::encoding_utf8;
    offset += is_byte ? 1 : code < 0x800 || is_half ? 2 : 3;
  }
  return out;
}

}  // namespace

FydikXml::FydikXml(std::string_view text, const std::string& file) : file_(file) {
  const pugi::xml_parse_result parsed =
      document_.load_buffer(text.data(), text.size(), pugi::parse_full);
  line_ends_ = line_ends_of(text, parsed.encoding);
  if (!parsed)
    throw ParseError(
        "bad-xml", fmt::format("not XML: {}", parsed.description()), place(parsed.offset));
  check_names(document_, 0);
}

pugi::xml_node FydikXml::only(const char* name) const {
  pugi::xml_node found;
  each(name, [&](pugi::xml_node node) {
    if (found)
      fail(node,
           "defined-twice",
           fmt::format("defined twice, first in line {}", line_of(found)),
           "keep one of them");
    found = node;
  });
  return found;
}
std::int64_t FydikXml::line_at(std::ptrdiff_t offset) const {
  const auto end = std::lower_bound(line_ends_.begin(),
                                    line_ends_.end(),
                                    static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, offset)));
  return end - line_ends_.begin() + 1;
}
std::int64_t FydikXml::line_of(const pugi::xml_node& node) const {
  return line_at(node.offset_debug());
}
Where FydikXml::place(std::ptrdiff_t offset) const {
  return {file_, line_at(offset)};
}
void FydikXml::fail(const pugi::xml_node& node,
                    const char* code,
                    const std::string& message,
                    std::string fix) const {
  throw ParseError(code,
                   fmt::format("{}: {}", node.name(), message),
                   place(node.offset_debug()),
                   std::move(fix));
}

void FydikXml::check_names(const pugi::xml_node& parent, int depth) {
  for (const pugi::xml_node& child : parent.children()) {
    if (child.type() != pugi::node_element) continue;
    if (depth >= kDeepestFydik)
      fail(child, "too-deep", fmt::format("is nested more than {} elements deep", kDeepestFydik));
    if (const FydikElement* known = fydik_element(child.name()))
      check_attributes(child, *known);
    else
      check_unknown(child);
    check_names(child, depth + 1);
  }
}

/// Unknown elements are allowed, except those that name a force law, and those without elements
/// of their own that look like a misspelling of a known one.
void FydikXml::check_unknown(const pugi::xml_node& node) {
  const auto children = node.children();
  const bool is_container =
      std::any_of(children.begin(), children.end(), [](const pugi::xml_node& child) {
        return child.type() == pugi::node_element;
      });
  const std::string near = meant_element(node.name());
  if (!is_container && !near.empty())
    fail(node,
         "unknown-element",
         "is not an element of FyDiK",
         fmt::format("did you mean '{}'?", near));
  if (names_a_force_law(node.name())) refuse_law(node, "this element");
  if (!is_container) note_unused(node.name(), node);
  for (const pugi::xml_attribute& attribute : node.attributes())
    if (is_container) note_unused(fmt::format("{} {}", node.name(), attribute.name()), node);
}

void FydikXml::check_attributes(const pugi::xml_node& node, const FydikElement& known) {
  std::set<std::string_view> seen;
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (!seen.insert(name).second)
      fail(node, "defined-twice", fmt::format("{} is given twice", name), "keep one of them");
    if (std::find(known.attributes.begin(), known.attributes.end(), name) != known.attributes.end())
      continue;
    if (names_a_force_law(name)) {
      if (std::string_view(attribute.value()) == "linear") continue;
      refuse_law(node, fmt::format("attribute '{}'", name));
    }
    // "coordX", the current state, may be given next to "initCoordX"; so a similar name is
    // not a misspelling if the similar attribute is given too
    const std::string near = meant_attribute(known, name);
    if (!near.empty() && !node.attribute(near.c_str()))
      fail(node,
           "unknown-attribute",
           fmt::format("unknown attribute '{}'", name),
           fmt::format("did you mean '{}'?", near));
    note_unused(fmt::format("{} {}", node.name(), name), node);
  }
}

void FydikXml::refuse_law(const pugi::xml_node& node, const std::string& what) const {
  fail(node,
       "unknown-function",
       fmt::format("{} seems to give a force law in a form that is not read", what),
       fmt::format("give an {} with points or an expression, and name its index by {}",
                   kFydikFunction,
                   kFydikFunctionIndex));
}

void FydikXml::note_unused(const std::string& what, const pugi::xml_node& node) {
  const auto [found, is_new] = unused_.insert({what, {line_of(node), 0}});
  ++found->second.second;
}

void FydikXml::warn_of_unused(Diagnostics& warnings) const {
  for (const auto& [what, where] : unused_)
    warnings.warn("not-used",
                  fmt::format("'{}' is not known and not used{}", what, repetition(where.second)),
                  {file_, where.first});
  for (const auto& [what, where] : assumed_)
    warnings.warn(
        "assumed", fmt::format("{}{}", what, repetition(where.second)), {file_, where.first});
}

double FydikXml::number(const pugi::xml_node& node, const char* name, double fallback) const {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return fallback;
  if (const auto value = number_of_text(attribute.value())) return *value;
  fail(node, "bad-number", fmt::format("{}: '{}' is not a number", name, attribute.value()));
}

double FydikXml::not_negative(const pugi::xml_node& node, const char* name, double fallback) const {
  const double value = number(node, name, fallback);
  if (value < 0.0)
    fail(node,
         "bad-number",
         fmt::format("{} is {}", name, value),
         "give a number that is not negative");
  return value;
}

double FydikXml::or_one(const pugi::xml_node& node, const char* name, const char* unit) {
  if (node.attribute(name)) return number(node, name, 1.0);
  const auto [found, is_new] = assumed_.insert(
      {fmt::format("{} without {}: 1 {} is taken", node.name(), name, unit), {line_of(node), 0}});
  ++found->second.second;
  return 1.0;
}

int FydikXml::integer(const pugi::xml_node& node, const char* name, int fallback) const {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  const auto value = whole_number(number(node, name, fallback), -kMost, kMost);
  if (!value)
    fail(node,
         "bad-number",
         fmt::format("{}: '{}' is not a whole number of at most {} in size",
                     name,
                     node.attribute(name).value(),
                     kMost));
  return static_cast<int>(*value);
}

std::string FydikXml::word(const pugi::xml_node& node,
                           const char* name,
                           const std::vector<std::string>& words) const {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return words.front();
  if (std::find(words.begin(), words.end(), attribute.value()) == words.end())
    fail(node,
         "bad-value",
         fmt::format("{}: '{}' is not known", name, attribute.value()),
         suggestion(attribute.value(), words));
  return attribute.value();
}

bool FydikXml::flag(const pugi::xml_node& node, const char* name) const {
  const std::string value = word(node, name, {"false", "true", "0", "1"});
  return value == "true" || value == "1";
}

}  // namespace femflex::tools

#endif
