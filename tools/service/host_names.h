#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::service {

/// Names under which a service is asked. A page of the web can let its own name stand for the
/// address of this machine (DNS rebinding) and would read what is served here with the browser of
/// whoever looks at it; the Host header then bears the page's name, not ours.
class HostNames {
 public:
  /// @param listening  the address that is listened on. A loopback one is asked under loopback
  /// names;
  ///                   any other also under IP addresses and the name of this machine
  /// @param more       further names
  HostNames(const std::string& listening, const std::vector<std::string>& more);

  /// True for a Host header, with or without a port, that is one of ours.
  bool are_of(std::string_view authority) const;
  /// True for an Origin header of a page that came from here.
  bool are_of_origin(std::string_view origin) const;

 private:
  bool is_loopback_;
  std::set<std::string> names_;  // lower case
};

}  // namespace femflex::service
