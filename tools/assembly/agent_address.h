// AgentAddress: parses http://host:port, and distinguishes loopback names and IP addresses from
// other host names. The client, the service and the assembly reader use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace femflex::tools {

/// The address of an agent: http://host:port or https://host:port.
struct AgentAddress {
  bool is_secure = false;  ///< https
  std::string host;        ///< name or IP address; IPv6 without brackets
  int port = 0;            ///< 80 or 443 if the text contains none

  /// Host and port in the form of the Host header: IPv6 in brackets; the port only if it is not the
  /// default.
  std::string authority() const;
};

/// Parses the URL of an agent; empty if the text is not such a URL. A '/' at the end is allowed; a
/// path, a user name or a query is not.
std::optional<AgentAddress> parse_agent_address(std::string_view text);

/// The host in lower case without brackets, from a Host header: host, host:port, [ipv6] or
/// [ipv6]:port. Empty if the text is malformed.
std::optional<std::string> host_of_authority(std::string_view text);

/// True for localhost, 127.0.0.0/8 and ::1, which all refer to this machine.
bool is_loopback_host(std::string_view host);
bool is_ip_address(std::string_view host);

}  // namespace femflex::tools
