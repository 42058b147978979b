// The element types of NASTRAN's tables of stresses: number, name, and the family that says how an
// entry is laid out. OUTPUT2 files and punch files give the number, print files the name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace femflex::importer {

enum class Op2Family : std::uint8_t {
  rod,
  beam,
  bar,
  shell_centre,   ///< stresses at the centre alone
  shell_corners,  ///< at the centre and the corners
  solid,
  plies,  ///< of a composite shell
  unread,
};

struct Op2ElementType {
  std::int64_t number;
  std::string_view name;
  Op2Family family;
  std::int32_t corners;  ///< with stresses: shells with corners and solids

  /// Whether print files may have its centre alone, with the same number.
  constexpr bool has_centre_alone() const { return family == Op2Family::solid && corners != 5; }
};

// clang-format off
inline constexpr std::array kOp2ElementTypes = {
    Op2ElementType{  1, "CROD",    Op2Family::rod,           0},
    Op2ElementType{  2, "CBEAM",   Op2Family::beam,          0},
    Op2ElementType{  3, "CTUBE",   Op2Family::rod,           0},
    Op2ElementType{  4, "CSHEAR",  Op2Family::unread,        0},
    Op2ElementType{ 10, "CONROD",  Op2Family::rod,           0},
    Op2ElementType{ 11, "CELAS1",  Op2Family::unread,        0},
    Op2ElementType{ 12, "CELAS2",  Op2Family::unread,        0},
    Op2ElementType{ 13, "CELAS3",  Op2Family::unread,        0},
    Op2ElementType{ 14, "CELAS4",  Op2Family::unread,        0},
    Op2ElementType{ 33, "CQUAD4",  Op2Family::shell_centre,  0},
    Op2ElementType{ 34, "CBAR",    Op2Family::bar,           0},
    Op2ElementType{ 38, "CGAP",    Op2Family::unread,        0},
    Op2ElementType{ 39, "CTETRA",  Op2Family::solid,         4},
    Op2ElementType{ 40, "CBUSH1D", Op2Family::unread,        0},
    Op2ElementType{ 53, "CTRIAX6", Op2Family::unread,        0},
    Op2ElementType{ 64, "CQUAD8",  Op2Family::shell_corners, 4},
    Op2ElementType{ 67, "CHEXA",   Op2Family::solid,         8},
    Op2ElementType{ 68, "CPENTA",  Op2Family::solid,         6},
    Op2ElementType{ 70, "CTRIAR",  Op2Family::shell_corners, 3},
    Op2ElementType{ 74, "CTRIA3",  Op2Family::shell_centre,  0},
    Op2ElementType{ 75, "CTRIA6",  Op2Family::shell_corners, 3},
    Op2ElementType{ 82, "CQUADR",  Op2Family::shell_corners, 4},
    Op2ElementType{ 85, "CTETRA",  Op2Family::unread,        0},
    Op2ElementType{ 88, "CTRIA3",  Op2Family::unread,        0},
    Op2ElementType{ 90, "CQUAD4",  Op2Family::unread,        0},
    Op2ElementType{ 91, "CPENTA",  Op2Family::unread,        0},
    Op2ElementType{ 93, "CHEXA",   Op2Family::unread,        0},
    Op2ElementType{ 94, "CBEAM",   Op2Family::unread,        0},
    Op2ElementType{ 95, "CQUAD4",  Op2Family::plies,         0},
    Op2ElementType{ 96, "CQUAD8",  Op2Family::plies,         0},
    Op2ElementType{ 97, "CTRIA3",  Op2Family::plies,         0},
    Op2ElementType{ 98, "CTRIA6",  Op2Family::plies,         0},
    Op2ElementType{100, "CBAR",    Op2Family::unread,        0},
    Op2ElementType{102, "CBUSH",   Op2Family::unread,        0},
    Op2ElementType{144, "CQUAD4",  Op2Family::shell_corners, 4},
    Op2ElementType{227, "CTRIAR",  Op2Family::shell_centre,  0},
    Op2ElementType{228, "CQUADR",  Op2Family::shell_centre,  0},
    Op2ElementType{232, "CQUADR",  Op2Family::plies,         0},
    Op2ElementType{233, "CTRIAR",  Op2Family::plies,         0},
    Op2ElementType{255, "CPYRAM",  Op2Family::solid,         5},
    Op2ElementType{269, "CHEXA",   Op2Family::unread,        0},
    Op2ElementType{270, "CPENTA",  Op2Family::unread,        0},
    Op2ElementType{306, "CHEXA",   Op2Family::unread,        0},
    Op2ElementType{307, "CPENTA",  Op2Family::unread,        0}};
// clang-format on

}  // namespace femflex::importer
