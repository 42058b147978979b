// HostNames: the host names under which requests are accepted, a protection against DNS rebinding.
// HttpService uses it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::service {

/// Host names under which clients may address this service. A web page can make its own host name
/// resolve to the address of this machine (DNS rebinding), and then read from this service through
/// the browser of its visitor. The Host header then contains the name of the page's host.
class HostNames {
 public:
  /// @param listening  the address of the service. On a loopback address only loopback names are
  /// accepted; on other addresses also IP addresses and the name of this machine
  /// @param further       further accepted names
  HostNames(const std::string& listening, const std::vector<std::string>& further);

  /// True for a Host header, with or without a port, that contains an accepted name.
  bool are_of(std::string_view authority) const;
  /// True for the Origin header of a page of this service.
  bool are_of_origin(std::string_view origin) const;

 private:
  bool is_loopback_;
  std::set<std::string> names_;  // lower case
};

}  // namespace femflex::service
