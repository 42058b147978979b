#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace femflex::tools {

/// Where an agent listens: http://host:port or https://host:port.
struct AgentAddress {
  bool is_secure = false;  ///< https
  std::string host;        ///< name or IP address, IPv6 without its brackets
  int port = 0;            ///< 80 or 443 where the text gives none

  /// For the Host header: IPv6 in brackets, the port only where it is not the default one.
  std::string authority() const;
};

/// Parses the URL of an agent; empty where the text is not one. A '/' at the end is allowed; a
/// path, a user name or a query is not.
std::optional<AgentAddress> parse_agent_address(std::string_view text);

/// host, host:port, [ipv6] or [ipv6]:port, as in a Host header: the host, in lower case, without
/// brackets. Empty where it is malformed.
std::optional<std::string> host_of_authority(std::string_view text);

/// True for localhost, 127.0.0.0/8 and ::1: what is sent there stays on the machine.
bool is_loopback_host(std::string_view host);
bool is_ip_address(std::string_view host);

}  // namespace femflex::tools
