// Looks up names of sets and surfaces in the scope of a part, an instance or the whole deck.
#include "calculix/inp_names.h"

#include <cstddef>

#include "femflex/number.h"
#include "femflex/text.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {

std::string InpNames::here(std::string_view field) const {
  std::string name = upper_case(unquoted(field));
  if (scope_.empty() || name.empty() || parse_integer(name)) return name;
  return scope_ + "." + name;
}

std::optional<std::int64_t> InpNames::id_of(std::string_view field) const {
  if (const auto id = parse_integer(field)) return id;
  const std::string name = upper_case(unquoted(field));
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos || !is_scope(name.substr(0, dot))) return std::nullopt;
  return parse_integer(trimmed(std::string_view(name).substr(dot + 1)));
}

bool InpNames::is_scope(const std::string& text) const {
  const std::string name = unquoted(text);
  if (scopes_.contains(name) || parts_.contains(name)) return true;
  const std::size_t dot = text.find('.');  // lines of a part may name one of its instances
  return dot != std::string::npos && is_scope(text.substr(0, dot)) &&
         is_scope(text.substr(dot + 1));
}

std::string InpNames::bare(const std::string& stored) const {
  const std::size_t dot = stored.find('.');
  return dot != std::string::npos && scopes_.contains(stored.substr(0, dot))
             ? stored.substr(dot + 1)
             : stored;
}

std::vector<std::string> InpNames::candidates(std::string_view name) const {
  std::vector<std::string> out{upper_case(unquoted(name))};
  const std::size_t dot = out.front().find('.');
  if (dot == std::string::npos || !is_scope(out.front().substr(0, dot))) return out;
  const std::string rest = unquoted(out.front().substr(dot + 1));
  if (const auto part = parts_.find(unquoted(out.front().substr(0, dot))); part != parts_.end())
    out.push_back(part->second + "." + rest);
  out.push_back(rest);
  return out;
}

std::vector<std::string> InpNames::in_all_scopes(std::string_view name) const {
  std::vector<std::string> out;
  const std::string upper = upper_case(unquoted(name));
  for (const std::string& scope : scopes_)
    out.push_back(scope + "." + upper);
  return out;
}

}  // namespace femflex::importer
