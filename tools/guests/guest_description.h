// Reads the modelDescription.xml of an FMU, versions 2.0 and 3.0 of FMI. GuestLibrary and FmuGuest
// use the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::guests {

/// Types of variables; FMI 2 has real64, int32, boolean and string.
enum class ValueType : std::uint8_t {
  real64,
  real32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  clock,
};
/// Whether femflex treats variables of this type as numbers.
bool is_number(ValueType type);

/// A unit in terms of base units: value in SI = factor * value + offset.
struct GuestUnit {
  std::array<int, 8> exponents{};  ///< of kg, m, s, A, K, mol, cd, rad
  double factor = 1.0, offset = 0.0;
};

struct GuestVariable {
  std::string name, causality, variability;
  std::string unit;               ///< as written; empty: none
  std::optional<GuestUnit> base;  ///< definition of `unit` in the file or in femflex's own table
  std::uint32_t reference = 0;
  ValueType type = ValueType::real64;
  std::vector<std::size_t> extents;  ///< sizes of an array, stored row by row; empty: a scalar
  std::optional<std::size_t> state;  ///< index of the variable of which this one is the derivative
  std::size_t count() const;
};

/// The capabilities of an FMU in model exchange or in co-simulation.
struct GuestKind {
  std::string identifier;
  bool goes_back = false, serialises = false, gives_derivatives = false;
  bool takes_rates = false;  ///< supports rates of inputs (FMI 2)
  bool needs_tool = false;
  bool has_fixed_step = false;  ///< does not support steps of different lengths
};

struct GuestDescription {
  int version = 2;
  std::string name, token;
  std::optional<GuestKind> co_simulation, model_exchange;
  bool has_scheduled = false;
  std::size_t indicators = 0;  ///< number of event indicators
  std::vector<GuestVariable> variables;
  std::vector<std::size_t> derivatives;  ///< indices of the derivatives of the continuous states,
                                         ///< in order
  std::optional<double> step;            ///< [s] step that the FMU proposes
};

/// Reads a description.
/// @param file  for messages
/// @throws ParseError  not such a document
/// @throws ModelError  FMI 1.0
/// @throws UsageError  built without pugixml
GuestDescription read_guest_description(std::string_view xml, const std::string& file);

/// One number of a variable: an element of an array, or a scalar.
struct GuestPort {
  std::size_t variable = 0, element = 0;
};
/// Finds "name", "name[3]" or "name[1,2]", with indices from 1; empty if there is none.
std::optional<GuestPort> find_port(const GuestDescription& description, const std::string& name);
/// "name", or "name[1,2]" for an element of an array.
std::string name_of(const GuestDescription& description, const GuestPort& port);

}  // namespace femflex::guests
