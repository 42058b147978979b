#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace femflex::tools {

/// Where an agent listens: http://host:port or https://host:port.
struct AgentAddress {
  bool is_secure = false;  ///< https
  std::string host;        ///< name or IP address, IPv6 without its brackets
  int port = 0;            ///< 80 or 443 where the text says none

  /// As the Host header wants it: IPv6 in brackets, the port where it is not the usual one.
  std::string authority() const;
};

/// Nothing where the text is anything else; a '/' at the end is allowed, a path, a user name or a
/// query is not.
std::optional<AgentAddress> parse_agent_address(std::string_view text);

/// host, host:port, [ipv6] or [ipv6]:port, as in a Host header: the host, in lower case, without
/// brackets. Nothing where it is malformed.
std::optional<std::string> host_of_authority(std::string_view text);

/// True for localhost, 127.0.0.0/8 and ::1: what is sent there stays on the machine.
bool is_loopback_host(std::string_view host);
bool is_ip_address(std::string_view host);

}  // namespace femflex::tools
