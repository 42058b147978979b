// Parses the options of a reduction: methods and frequency bands.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/reduce.h"
#include "femflex/name_table.h"

namespace femflex::modal {
namespace {

constexpr auto kMethods = name_table<Method>({{Method::given, "given"},
                                              {Method::craig_bampton, "craig-bampton"},
                                              {Method::craig_chang, "craig-chang"},
                                              {Method::guyan, "guyan"},
                                              {Method::dynamic, "dynamic"},
                                              {Method::krylov, "krylov"},
                                              {Method::automatic, "auto"}});

}  // namespace

Method parse_method(std::string_view name) {
  return kMethods.parse(name, "unknown-method", "a reduction method");
}

std::vector<std::string> method_names() {
  return kMethods.names();
}

std::string_view name_of(Method method) {
  return kMethods.name_of(method);
}

FrequencyBand parse_band(std::string_view text) {
  const auto fail = [&] {
    return UsageError("band",
                      fmt::format("'{}' is not a frequency band", text),
                      {},
                      "write two frequencies in ascending order, such as 0-100Hz");
  };
  std::string_view rest = text;
  const auto number = [&] {
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{} || !std::isfinite(value) || value < 0.0) throw fail();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    if (rest.size() >= 2 && rest.substr(0, 2) == "Hz") rest.remove_prefix(2);
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    return value;
  };
  FrequencyBand band;
  band.from_hz = number();
  if (rest.empty() || rest.front() != '-') throw fail();
  rest.remove_prefix(1);
  band.to_hz = number();
  if (!rest.empty() || !(band.to_hz > band.from_hz)) throw fail();
  return band;
}

}  // namespace femflex::modal
