// Splits scheme, host and port (RFC 3986, section 3.2); inet_pton() decides whether the host is an
// IP address.
#include "assembly/agent_address.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "femflex/text.h"

namespace femflex::tools {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr int kHttpPort = 80;
constexpr int kHttpsPort = 443;
constexpr int kMaxPort = 65535;
constexpr std::size_t kMaxHostLength = 255;  // RFC 1035, section 2.3.4

bool is_host_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxHostLength &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
         });
}

bool is_ipv6(std::string_view text) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET6, std::string(text).c_str(), address.data()) == 1;
}

/// Host and port of a URL or a Host header; the port is 0 if there is none.
struct Authority {
  std::string host;
  int port = 0;
};

std::optional<Authority> parse_authority(std::string_view text) {
  Authority out;
  std::string_view rest;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || !is_ipv6(text.substr(1, end - 1))) return {};
    out.host = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    out.host = text.substr(0, colon);
    rest = text.substr(colon);
    if (!is_host_name(out.host)) return {};
  }
  out.host = lower_case(out.host);
  if (rest.empty()) return out;
  if (!rest.starts_with(':')) return {};
  rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out.port);
  if (error != std::errc() || end != rest.data() + rest.size() || out.port < 1 ||
      out.port > kMaxPort)
    return {};
  return out;
}

}  // namespace

std::string AgentAddress::authority() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (is_secure ? kHttpsPort : kHttpPort) ? name : fmt::format("{}:{}", name, port);
}

std::optional<AgentAddress> parse_agent_address(std::string_view text) {
  AgentAddress out;
  out.is_secure = text.starts_with(kHttps);
  if (!out.is_secure && !text.starts_with(kHttp)) return {};
  text.remove_prefix(out.is_secure ? kHttps.size() : kHttp.size());
  while (text.ends_with('/'))
    text.remove_suffix(1);
  const std::optional<Authority> authority = parse_authority(text);
  if (!authority) return {};
  out.host = authority->host;
  out.port = authority->port;
  if (out.port == 0) out.port = out.is_secure ? kHttpsPort : kHttpPort;
  return out;
}

std::optional<std::string> host_of_authority(std::string_view text) {
  const std::optional<Authority> authority = parse_authority(text);
  return authority ? std::optional(authority->host) : std::nullopt;
}

bool is_ip_address(std::string_view host) {
  in_addr address{};
  return is_ipv6(host) || inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
}

bool is_loopback_host(std::string_view host) {
  in_addr v4{};
  in6_addr v6{};
  constexpr std::uint32_t kLoopbackNet = 127;
  const std::string text(host);
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == kLoopbackNet;
  if (inet_pton(AF_INET6, text.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

}  // namespace femflex::tools
