// Tells which words of an OUTPUT2 stress entry hold which stress component, for each NASTRAN
// element type.
#include "nastran/op2_stress_layouts.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "nastran/op2_element_types.h"

namespace femflex::importer {
namespace {

using Face = FeStressPlace::Face;
using PlaceKind = FeStressPlace::Kind;

constexpr std::uint8_t kXx = 1;
constexpr std::uint8_t kXxXy = 1U | 8U;
constexpr std::uint8_t kInPlane = 1U | 2U | 8U;          // xx, yy, xy
constexpr std::uint8_t kPly = 1U | 2U | 8U | 16U | 32U;  // all but zz
constexpr std::uint8_t kSolid = 63;
constexpr std::size_t kCbeamStations = 11;
constexpr std::int64_t kLargestPly = 1'000'000'000;  ///< larger only in damaged files

FeStressPlace::Axes axes_of_system(std::int64_t system) {
  if (system == 0) return FeStressPlace::Axes::basic;
  return system < 0 ? FeStressPlace::Axes::element : FeStressPlace::Axes::material;
}

Op2StressPlace op2_place(PlaceKind kind, Face face, std::int32_t index, std::int32_t level) {
  Op2StressPlace out;
  out.place.kind = kind;
  out.place.face = face;
  out.place.index = index;
  out.place.level = level;
  return out;
}

/// id, axial stress, margin, torsional stress, margin
Op2StressLayout rod_layout(const char* type) {
  Op2StressLayout out{.type = type, .width = 5};
  Op2StressPlace centre = op2_place(PlaceKind::centre, Face::none, 0, 0);
  centre.place.components = kXxXy;
  centre.values = {{1}, {3}};
  out.places.push_back(centre);
  return out;
}

/// id, bending at C D E F of A, axial, max, min, margin, bending at C D E F of B, max, min, margin
Op2StressLayout cbar_layout() {
  Op2StressLayout out{.type = "CBAR", .width = 16};
  constexpr std::size_t kAxial = 5;
  for (std::int32_t end = 0; end < 2; ++end)
    for (std::int32_t fibre = 0; fibre < 4; ++fibre) {
      Op2StressPlace point = op2_place(PlaceKind::end, Face::fibre, end, fibre);
      point.place.components = kXx;
      point.values = {{static_cast<std::size_t>((end == 0 ? 1 : 9) + fibre), kAxial}};
      out.places.push_back(point);
    }
  return out;
}

/// id, then 11 stations: grid, x/L, total stress at C D E F, max, min, two margins. The first
/// station is end A, the last one end B.
Op2StressLayout cbeam_layout() {
  constexpr std::size_t kStation = 10;
  Op2StressLayout out{.type = "CBEAM", .width = 1 + kCbeamStations * kStation};
  for (std::int32_t end = 0; end < 2; ++end) {
    const std::size_t at = 1 + (end == 0 ? 0 : kCbeamStations - 1) * kStation;
    for (std::int32_t fibre = 0; fibre < 4; ++fibre) {
      Op2StressPlace point = op2_place(PlaceKind::end, Face::fibre, end, fibre);
      point.place.components = kXx;
      point.node = at;
      point.values = {{at + 2 + static_cast<std::size_t>(fibre)}};
      out.places.push_back(point);
    }
  }
  return out;
}

/// Adds both faces at one point of a shell. Word `at` is the first of 16: height, xx, yy, xy,
/// angle, major, minor, von Mises of the bottom face; the same for the top face.
void add_faces(Op2StressLayout& out, PlaceKind kind, std::int32_t index, std::size_t at) {
  for (std::int32_t face = 0; face < 2; ++face) {
    Op2StressPlace point = op2_place(kind, face == 0 ? Face::bottom : Face::top, index, 0);
    const std::size_t first = at + 1 + 8 * static_cast<std::size_t>(face);
    point.place.components = kInPlane;
    point.values = {{first}, {first + 1}, {first + 2}};
    if (kind == PlaceKind::corner) point.node = at - 1;
    out.places.push_back(point);
  }
}

/// id, then both faces at the centre
Op2StressLayout centre_shell_layout(const char* type) {
  Op2StressLayout out{.type = type, .width = 17, .is_shell = true};
  add_faces(out, PlaceKind::centre, 0, 1);
  return out;
}

/// id, "CEN/", then for the centre and each corner: grid, both faces
Op2StressLayout corner_shell_layout(const char* type, std::int32_t corners) {
  constexpr std::size_t kPoint = 17;
  Op2StressLayout out{
      .type = type, .width = 2 + kPoint * static_cast<std::size_t>(corners + 1), .is_shell = true};
  add_faces(out, PlaceKind::centre, 0, 3);
  for (std::int32_t corner = 0; corner < corners; ++corner)
    add_faces(out, PlaceKind::corner, corner, 3 + kPoint * static_cast<std::size_t>(corner + 1));
  return out;
}

/// id, system, "GRID", count, then for the centre and each corner 21 words: grid, xx, xy, principal
/// and cosines, pressure, von Mises, yy, yz, ..., zz, zx, ...
Op2StressLayout solid_layout(const char* type, std::int32_t corners) {
  constexpr std::size_t kPoint = 21;
  Op2StressLayout out{
      .type = type, .width = 4 + kPoint * static_cast<std::size_t>(corners + 1), .system = 1};
  for (std::int32_t k = 0; k <= corners; ++k) {
    const std::size_t at = 4 + kPoint * static_cast<std::size_t>(k);
    Op2StressPlace point = op2_place(
        k == 0 ? PlaceKind::centre : PlaceKind::corner, Face::none, k == 0 ? 0 : k - 1, 0);
    point.place.components = kSolid;
    if (k > 0) point.node = at;
    point.values = {{at + 1}, {at + 9}, {at + 15}, {at + 2}, {at + 10}, {at + 16}};
    out.places.push_back(point);
  }
  return out;
}

/// id, ply, 11, 22, 12, 13, 23, ...
Op2StressLayout ply_layout(const char* type) {
  Op2StressLayout out{.type = type, .width = 11, .ply = 1};
  Op2StressPlace centre = op2_place(PlaceKind::centre, Face::ply, 0, 0);
  centre.place.components = kPly;
  centre.place.axes = FeStressPlace::Axes::material;
  centre.values = {{2}, {3}, {4}, {6}, {5}};
  out.places.push_back(centre);
  return out;
}

std::vector<Op2StressLayout> layouts_of(const Op2ElementType& type) {
  const char* name = type.name.data();  // a literal, which ends in 0
  switch (type.family) {
    case Op2Family::rod:
      return {rod_layout(name)};
    case Op2Family::beam:
      return {cbeam_layout()};
    case Op2Family::bar:
      return {cbar_layout()};
    case Op2Family::shell_centre:
      return {centre_shell_layout(name)};
    case Op2Family::shell_corners:
      return {corner_shell_layout(name, type.corners)};
    case Op2Family::solid:
      // without corners: print files whose centre alone was asked for
      if (type.has_centre_alone()) return {solid_layout(name, type.corners), solid_layout(name, 0)};
      return {solid_layout(name, type.corners)};
    case Op2Family::plies:
      return {ply_layout(name)};
    case Op2Family::unread:
      break;
  }
  return {};
}

std::multimap<std::int64_t, Op2StressLayout> all_layouts() {
  std::multimap<std::int64_t, Op2StressLayout> out;
  for (const Op2ElementType& type : kOp2ElementTypes)
    for (Op2StressLayout& layout : layouts_of(type))
      out.emplace(type.number, std::move(layout));
  return out;
}

}  // namespace

const Op2StressLayout* op2_stress_layout(std::int64_t element_type, std::size_t width) {
  static const std::multimap<std::int64_t, Op2StressLayout> layouts = all_layouts();
  const auto [first, last] = layouts.equal_range(element_type);
  for (auto it = first; it != last; ++it)
    if (it->second.width == width) return &it->second;
  return nullptr;
}

void append_stress_places(const Op2StressLayout& layout,
                          std::int64_t element,
                          const std::function<std::int64_t(std::size_t)>& integer_at,
                          bool in_material_axes,
                          std::vector<FeStressPlace>& places) {
  for (const Op2StressPlace& each : layout.places) {
    FeStressPlace place = each.place;
    place.element = element;
    if (each.node != 0) place.node = integer_at(each.node);
    if (layout.ply != 0)
      place.level = static_cast<std::int32_t>(
                        std::clamp<std::int64_t>(integer_at(layout.ply), 1, kLargestPly)) -
                    1;
    if (layout.system != 0) place.axes = axes_of_system(integer_at(layout.system));
    if (layout.is_shell && in_material_axes) place.axes = FeStressPlace::Axes::material;
    places.push_back(place);
  }
}

std::vector<Op2ValueWords> value_words(const Op2StressLayout& layout) {
  std::vector<Op2ValueWords> out;
  for (const Op2StressPlace& place : layout.places)
    out.insert(out.end(), place.values.begin(), place.values.end());
  return out;
}

std::string op2_element_name(std::int64_t element_type) {
  const auto* const found = std::find_if(
      kOp2ElementTypes.begin(), kOp2ElementTypes.end(), [&](const Op2ElementType& each) {
        return each.number == element_type;
      });
  return found == kOp2ElementTypes.end() ? fmt::format("element type {}", element_type)
                                         : std::string(found->name);
}

}  // namespace femflex::importer
