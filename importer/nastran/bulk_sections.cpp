// Reads the material and property cards of NASTRAN bulk data, and the fields of element cards that
// stresses need. Fields are numbered from 0 after the name.
#include "nastran/bulk_sections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"
#include "femflex/unit_constants.h"

#include "model/section_shapes.h"

namespace femflex::importer {
namespace {

constexpr double kBlank = FeProperty::kNone;

/// The number in field k, or the default if the field is blank. Any other text gives NaN and is
/// named in `refusal`, the reason why the property gives no stresses.
double number(const BulkFields& f, std::size_t k, double default_value, std::string& refusal) {
  if (f.blank(k)) return default_value;
  if (const auto value = parse_real(f.text(k))) return *value;
  if (refusal.empty()) refusal = fmt::format("field {}: '{}' is not a number", k + 2, f.text(k));
  return kBlank;
}

/// The id in field k; 0 if it is blank or not an integer.
std::int64_t id_at(const BulkFields& f, std::size_t k) {
  return f.is_integer(k) ? f.integer(k) : 0;
}

void read_material(const BulkFields& f, std::string_view name, FileContents& contents) {
  FeMaterial out;
  out.name = std::string(f.text(0));
  const auto real = [&](std::size_t k, double blank) { return number(f, k, blank, out.refusal); };
  if (name == "MAT1") {
    out.constants[0] = real(1, kBlank);
    out.constants[1] = real(3, kBlank);
    out.constants[2] = real(2, kBlank);
    out.density = real(4, 0.0);
  } else {
    out.kind = FeMaterial::Kind::sheet;
    for (std::size_t k = 0; k < 4; ++k)
      out.constants[k] = real(1 + k, 0.0);
    out.density = real(7, 0.0);
  }
  contents.materials.push_back(std::move(out));
}

void read_shell(const BulkFields& f, FeProperty& out) {
  const auto real = [&](std::size_t k, double blank) { return number(f, k, blank, out.refusal); };
  out.thickness = real(2, kBlank);
  const std::string_view bending = f.text(3);
  if (out.material.empty())
    out.refusal = "a shell without MID1 is not supported";
  else if (bending.empty())
    out.fibres = {0.0, 0.0};  // a membrane: the same stress at both faces
  else if (bending != f.text(1))
    out.refusal = "MID2 differs from MID1";
  // 12I/T**3 and TS/T are not read: they change moments and shear forces, but not the stress that
  // a given strain causes at a given height
  if (id_at(f, 10) != 0) out.refusal = "MID4 is not supported";
  if (!bending.empty()) out.fibres = {real(8, kBlank), real(9, kBlank)};
}

void read_recovery_points(const BulkFields& f, FeProperty& out) {
  for (std::size_t k = 8; k < 16; k += 2)
    out.points.emplace_back(number(f, k, 0.0, out.refusal), number(f, k + 1, 0.0, out.refusal));
}

void read_bar(const BulkFields& f, FeProperty& out) {
  const auto real = [&](std::size_t k, double blank) { return number(f, k, blank, out.refusal); };
  out.area = real(2, 0.0);
  out.I1 = real(3, 0.0);
  out.I2 = real(4, 0.0);
  out.J = real(5, 0.0);
  read_recovery_points(f, out);
  out.shear_factors = {real(16, kBlank), real(17, kBlank)};
  out.I12 = real(18, 0.0);
}

/// PBEAM: constants and recovery points of end A; a line `YES|YESA|NO, X/XB, A, I1, I2, I12, J,
/// NSM` for each further station, after YES followed by a line of recovery points; then a line
/// K1, K2, ... (shear) and a line ..., N1A, N2A, N1B, N2B (neutral axis).
void read_beam(const BulkFields& f, FeProperty& out) {
  const auto real = [&](std::size_t k, double blank) { return number(f, k, blank, out.refusal); };
  const std::array<double*, 5> constants{&out.area, &out.I1, &out.I2, &out.I12, &out.J};
  for (std::size_t k = 0; k < constants.size(); ++k)
    *constants[k] = real(2 + k, 0.0);
  std::size_t next = 8;
  const auto is_station = [&](std::size_t k) {
    return f.is_word(k, "YES") || f.is_word(k, "YESA") || f.is_word(k, "NO");
  };
  if (!is_station(next)) {
    read_recovery_points(f, out);
    next = 16;
  }
  for (; is_station(next); next += f.is_word(next, "YES") ? 16 : 8)
    for (std::size_t k = 0; k < constants.size(); ++k)
      if (real(next + 2 + k, *constants[k]) != *constants[k])
        out.refusal = "a tapered beam is not supported";
  out.shear_factors = {real(next, 1.0), real(next + 1, 1.0)};
  const std::size_t axis = next + 8 + 4;
  for (std::size_t k = 0; k < 2; ++k) {
    out.centroid[k] = real(axis + k, 0.0);
    if (real(axis + 2 + k, out.centroid[k]) != out.centroid[k])
      out.refusal = "a neutral axis that is not parallel to the beam is not supported";
  }
  for (Eigen::Vector2d& point : out.points)  // on the card they are relative to the shear centre
    point -= Eigen::Vector2d(out.centroid[0], out.centroid[1]);
}

void read_shaped(const BulkFields& f, FeProperty& out) {
  const std::string type = upper_case(f.text(3));
  const std::size_t count = dimension_count(type);
  std::vector<double> dimensions;
  for (std::size_t k = 0; k < count; ++k)
    dimensions.push_back(number(f, 8 + k, kBlank, out.refusal));
  if (out.refusal.empty()) set_section(type, dimensions, out);
  if (out.type != "PBEAML") return;
  // after the non-structural mass, for each further station: SO, X/XB, dimensions, mass
  for (std::size_t at = 8 + count + 1; count > 0 && at < f.size(); at += count + 3)
    for (std::size_t k = 0; k < count; ++k)
      if (number(f, at + 2 + k, dimensions[k], out.refusal) != dimensions[k])
        out.refusal = "a tapered beam is not supported";
}

void read_rod(const BulkFields& f, FeProperty& out) {
  out.area = number(f, 2, 0.0, out.refusal);
  out.J = number(f, 3, 0.0, out.refusal);
  out.torsion_radius = number(f, 4, 0.0, out.refusal);
}

void read_tube(const BulkFields& f, FeProperty& out) {
  const double diameter = number(f, 2, kBlank, out.refusal);
  const double thickness = number(f, 3, 0.5 * diameter, out.refusal);
  if (number(f, 5, diameter, out.refusal) != diameter)
    out.refusal = "a tapered tube is not supported";
  const std::array<double, 2> dimensions{0.5 * diameter, thickness};  // outer radius, wall
  set_section("TUBE2", dimensions, out);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Where the card of a shell element holds its fields.
struct ShellFields {
  std::string_view name;
  std::size_t corners;                         ///< number of corner nodes
  std::size_t angle, offset, thickness, flag;  ///< THETA or MCID, ZOFFS, T1, TFLAG
};
constexpr std::array kShellFields{ShellFields{"CQUAD4", 4, 6, 7, 10, 9},
                                  ShellFields{"CQUADR", 4, 6, 7, 10, 9},
                                  ShellFields{"CTRIA3", 3, 5, 6, 10, 9},
                                  ShellFields{"CTRIAR", 3, 5, 6, 10, 9},
                                  ShellFields{"CQUAD8", 4, 14, 15, 10, 16},
                                  ShellFields{"CTRIA6", 3, 8, 9, 10, 13}};

/// A thickness or offset that the deck gives, but not as a number: there are no stresses then.
constexpr double kUnreadable = std::numeric_limits<double>::infinity();

/// True if the card gives nothing beside nodes and property; a flag alone has no effect.
bool is_plain_shell(const BulkFields& f, const ShellFields& at) {
  for (std::size_t k = 0; k < at.corners; ++k)
    if (!f.blank(at.thickness + k)) return false;
  return f.blank(at.angle) && f.blank(at.offset);
}

void read_shell_fields(const BulkFields& f, const ShellFields& at, RawSectionFields& out) {
  std::string invalid;  // an invalid THETA gives NaN
  if (f.is_integer(at.angle))
    out.material_system = f.integer(at.angle);
  else
    out.values.angle = number(f, at.angle, 0.0, invalid) * kDegree;
  invalid.clear();
  out.values.offset = number(f, at.offset, kBlank, invalid);
  if (!invalid.empty()) out.values.offset = kUnreadable;
  out.corners = at.corners;
  out.has_relative_thickness = id_at(f, at.flag) == 1;
  for (std::size_t k = 0; k < at.corners; ++k) {
    invalid.clear();
    out.corner_thickness[k] = number(f, at.thickness + k, kBlank, invalid);
    if (!invalid.empty()) out.corner_thickness[k] = kUnreadable;
  }
}

std::uint8_t pins_of(std::string_view digits) {
  unsigned out = 0;
  for (const char c : digits)
    if (c >= '1' && c <= '6') out |= 1U << static_cast<unsigned>(c - '1');
  return static_cast<std::uint8_t>(out);
}

// Fields of CBAR, CBEAM, BAROR and BEAMOR.
constexpr std::size_t kBeamProperty = 1;
constexpr std::size_t kOrientation = 4;  // X1, X2, X3, or G0
constexpr std::size_t kOffsetFlags = 7;  // OFFT

// Bits of blank fields; X1, X2 and X3 have three in a row.
constexpr std::uint8_t kBlankProperty = 1;
constexpr std::uint8_t kBlankX1 = 2;
constexpr std::uint8_t kBlankOrientation = 14;
constexpr std::uint8_t kBlankFlags = 16;

/// Whether the orientation is a node G0, not a vector.
bool has_orientation_node(const BulkFields& f) {
  return f.is_integer(kOrientation) && f.blank(kOrientation + 1) && f.blank(kOrientation + 2);
}

/// OFFT such as GGG or BOO: axes of the orientation vector and of the offsets of both ends.
void apply_offset_flags(const std::string& flags, RawSectionFields& out) {
  out.is_basic_orientation = flags.starts_with('B');
  for (std::size_t end = 0; end < 2; ++end)
    // offsets in element axes are not supported: NaN tells that the element gives no stresses
    if (flags.size() == 3 && flags[1 + end] == 'O' && !out.values.ends[end].isZero(0.0))
      out.values.ends[end].setConstant(kBlank);
}

void read_beam_fields(const BulkFields& f, RawSectionFields& out) {
  std::string ignored;
  out.node = id_at(f, 2);
  out.second_node = id_at(f, 3);
  if (has_orientation_node(f))
    out.orientation_node = f.integer(kOrientation);
  else if (!f.blank(4) || !f.blank(5) || !f.blank(6))
    for (std::size_t k = 0; k < 3; ++k)
      out.values.direction[static_cast<Eigen::Index>(k)] =
          number(f, kOrientation + k, 0.0, ignored);
  for (std::size_t end = 0; end < 2; ++end) {
    out.values.released[end] = pins_of(f.text(8 + end));
    for (std::size_t k = 0; k < 3; ++k)
      out.values.ends[end][static_cast<Eigen::Index>(k)] =
          number(f, 10 + 3 * end + k, 0.0, ignored);
  }
  apply_offset_flags(upper_case(f.text(kOffsetFlags)), out);
}

/// The card of a CONROD holds its property as well; -EID becomes the property's id, which no
/// property card can have.
void read_conrod(const BulkFields& f, FileContents& contents) {
  RawProperty property;
  property.id = -id_at(f, 0);
  FeProperty& values = property.values;
  values.type = "CONROD";
  values.name = std::string(f.text(0));
  values.kind = FeProperty::Kind::rod;
  values.material = std::string(f.text(3));
  values.area = number(f, 4, 0.0, values.refusal);
  values.J = number(f, 5, 0.0, values.refusal);
  values.torsion_radius = number(f, 6, 0.0, values.refusal);
  RawElementSection section;
  section.element = id_at(f, 0);
  section.property = property.id;
  contents.properties.push_back(std::move(property));
  contents.element_sections.push_back(section);
}

/// The element card for which BAROR or BEAMOR gives defaults.
std::string element_of_defaults(std::string_view name) {
  return name == "BAROR" ? "CBAR" : "CBEAM";
}

}  // namespace

void BeamDefaults::take(const BulkFields& f, std::string_view name, std::int64_t superelement) {
  Defaults& out = defaults_[{element_of_defaults(name), superelement}];
  out = {};
  out.property = id_at(f, kBeamProperty);
  out.flags = upper_case(f.text(kOffsetFlags));
  std::string ignored;
  if (has_orientation_node(f))
    out.orientation_node = f.integer(kOrientation);
  else
    for (std::size_t k = 0; k < 3; ++k)
      out.direction[k] = number(f, kOrientation + k, kBlank, ignored);
}

void BeamDefaults::note(const BulkFields& f,
                        std::string_view name,
                        std::int64_t superelement,
                        std::size_t section) {
  if (!is_one_of(name, {"CBAR", "CBEAM"})) return;
  unsigned blank = 0;
  if (f.blank(kBeamProperty)) blank |= kBlankProperty;
  if (!has_orientation_node(f))
    for (std::size_t k = 0; k < 3; ++k)
      if (f.blank(kOrientation + k)) blank |= static_cast<unsigned>(kBlankX1) << k;
  if (f.blank(kOffsetFlags)) blank |= kBlankFlags;
  if (blank != 0)
    blanks_[{std::string(name), superelement}].push_back(
        {section, static_cast<std::uint8_t>(blank)});
}

void BeamDefaults::fill(const Defaults& from, std::uint8_t blank, RawSectionFields& to) {
  if ((blank & kBlankOrientation) == kBlankOrientation) to.orientation_node = from.orientation_node;
  const bool is_vector = std::any_of(
      from.direction.begin(), from.direction.end(), [](double x) { return !std::isnan(x); });
  for (std::size_t k = 0; is_vector && k < 3; ++k)
    if ((blank >> k & kBlankX1) != 0)
      to.values.direction[static_cast<Eigen::Index>(k)] =
          std::isnan(from.direction[k]) ? 0.0 : from.direction[k];
  if ((blank & kBlankFlags) != 0 && !from.flags.empty()) apply_offset_flags(from.flags, to);
}

void BeamDefaults::fill(FileContents& contents) const {
  for (const auto& [key, defaults] : defaults_) {
    const auto found = blanks_.find(key);
    if (found == blanks_.end()) continue;
    for (const Blanks& each : found->second) {
      RawElementSection& section = contents.element_sections.at(each.section);
      if ((each.fields & kBlankProperty) != 0 && defaults.property > 0)
        section.property = defaults.property;
      fill(defaults,
           each.fields,
           contents.section_fields.at(static_cast<std::size_t>(section.fields)));
    }
  }
}

bool read_property_card(const BulkFields& f, std::string_view name, FileContents& contents) {
  if (name == "MAT1" || name == "MAT8") {
    read_material(f, name, contents);
    return true;
  }
  using Kind = FeProperty::Kind;
  RawProperty property;
  property.id = id_at(f, 0);
  FeProperty& values = property.values;
  values.type = std::string(name);
  values.name = std::string(f.text(0));
  values.material = std::string(f.text(1));
  if (name == "PSOLID") {
    values.kind = Kind::solid;
  } else if (name == "PSHELL") {
    values.kind = Kind::shell;
    read_shell(f, values);
  } else if (is_one_of(name, {"PCOMP", "PCOMPG"})) {
    values.kind = Kind::shell;
    values.material.clear();
    values.refusal = "plies of laminates are not supported";
  } else if (is_one_of(name, {"PBAR", "PBEAM", "PBARL", "PBEAML"})) {
    values.kind = Kind::beam;
    if (name == "PBAR") read_bar(f, values);
    if (name == "PBEAM") read_beam(f, values);
    if (name.ends_with('L')) read_shaped(f, values);
  } else if (is_one_of(name, {"PROD", "PTUBE"})) {
    values.kind = Kind::rod;
    name == "PROD" ? read_rod(f, values) : read_tube(f, values);
  } else {
    return false;
  }
  contents.properties.push_back(std::move(property));
  return true;
}

void read_element_section(const BulkFields& f, std::string_view name, FileContents& contents) {
  if (name == "CONROD") {
    read_conrod(f, contents);
    return;
  }
  RawElementSection out;
  out.element = id_at(f, 0);
  out.property = f.blank(1) ? out.element : id_at(f, 1);
  const auto new_fields = [&]() -> RawSectionFields& {
    out.fields = static_cast<std::int32_t>(contents.section_fields.size());
    return contents.section_fields.emplace_back();
  };
  const auto shell = std::find_if(kShellFields.begin(),
                                  kShellFields.end(),
                                  [&](const ShellFields& each) { return each.name == name; });
  if (shell != kShellFields.end()) {
    if (!is_plain_shell(f, *shell)) read_shell_fields(f, *shell, new_fields());
  } else if (name == "CBAR" || name == "CBEAM") {
    read_beam_fields(f, new_fields());
  } else if (!is_one_of(name, {"CTETRA", "CPENTA", "CHEXA", "CPYRAM", "CROD", "CTUBE"})) {
    return;
  }
  if (name == "CHEXA" || name == "CPENTA") out.integration = ElementIntegration::incompatible;
  contents.element_sections.push_back(out);
}

}  // namespace femflex::importer
