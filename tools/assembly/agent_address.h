// Addresses of agents: parses http://host:port, and distinguishes loopback names and IP addresses
// from other host names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace femflex::tools {

/// Where an agent listens: http://host:port or https://host:port.
struct AgentAddress {
  bool is_secure = false;  ///< https
  std::string host;        ///< name or IP address, IPv6 without its brackets
  int port = 0;            ///< 80 or 443 if the text gives none

  /// Host and port as in the Host header: IPv6 in brackets, the port only if it is not the default.
  std::string authority() const;
};

/// Parses the URL of an agent; empty if the text is not one. A '/' at the end is allowed; a
/// path, a user name or a query is not.
std::optional<AgentAddress> parse_agent_address(std::string_view text);

/// The host in lower case, without brackets, from a text host, host:port, [ipv6] or [ipv6]:port as
/// in a Host header. Empty if the text is malformed.
std::optional<std::string> host_of_authority(std::string_view text);

/// True for localhost, 127.0.0.0/8 and ::1, which all mean this machine.
bool is_loopback_host(std::string_view host);
bool is_ip_address(std::string_view host);

}  // namespace femflex::tools
