// Compares the host in a Host or Origin header with the names of this machine, with loopback names
// and, if the service is public, with any IP address.
#include "host_names.h"

#include <array>
#include <optional>

#include <unistd.h>

#include "femflex/text.h"

#include "assembly/agent_address.h"

namespace femflex::service {

HostNames::HostNames(const std::string& listening, const std::vector<std::string>& further)
    : is_loopback_(tools::is_loopback_host(listening)) {
  names_.insert(lower_case(listening));
  for (const std::string& name : further)
    names_.insert(lower_case(name));
  std::array<char, 256> own_name{};
  if (!is_loopback_ && ::gethostname(own_name.data(), own_name.size() - 1) == 0)
    names_.insert(lower_case(own_name.data()));
}

bool HostNames::are_of(std::string_view authority) const {
  const std::optional<std::string> host = tools::host_of_authority(authority);
  if (!host) return false;
  return tools::is_loopback_host(*host) || names_.contains(*host) ||
         (!is_loopback_ && tools::is_ip_address(*host));
}

bool HostNames::are_of_origin(std::string_view origin) const {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return are_of(origin.substr(scheme.size()));
  }
  return false;
}

}  // namespace femflex::service
