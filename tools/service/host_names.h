// The host names under which requests are accepted, as a protection against DNS rebinding.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::service {

/// Host names under which clients may address this service. A web page can make its own host name
/// resolve to the address of this machine (DNS rebinding) and then read what is served here through
/// the browser of its visitor; the Host header then has the page's name, not ours.
class HostNames {
 public:
  /// @param listening  the address that is listened on. On a loopback address loopback names are
  /// accepted; on any other also IP addresses and the name of this machine
  /// @param further       further names
  HostNames(const std::string& listening, const std::vector<std::string>& further);

  /// True for a Host header, with or without a port, that is one of ours.
  bool are_of(std::string_view authority) const;
  /// True for the Origin header of a page served from here.
  bool are_of_origin(std::string_view origin) const;

 private:
  bool is_loopback_;
  std::set<std::string> names_;  // lower case
};

}  // namespace femflex::service
