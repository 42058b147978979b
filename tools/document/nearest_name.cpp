// The suggestions of core, as tools name them.
#include "document/nearest_name.h"

#include "femflex/nearest_name.h"

namespace femflex::tools {

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  return femflex::nearest_name(wanted, names);
}

std::string suggestion(std::string_view wanted, const std::vector<std::string>& names) {
  return femflex::suggestion(wanted, names);
}

}  // namespace femflex::tools
