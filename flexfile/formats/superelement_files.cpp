// NASTRAN: large fields of 16 characters, one triangle of symmetric matrices (form 6). CalculiX:
// masses and springs of the free superelement's modes, tied to the interface by *EQUATION, since
// version 2.20 takes no matrices. ExtPtfm: lines of a fixed order. docs/formats/superelements.md
// says where each is described.
#include "superelement_files.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/flexfile/superelement.h"

#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Numbers of the elements of a superelement in a deck begin here, above those of most parts that it
// is attached to. CalculiX takes 1.7 kB for each number up to the largest, used or not.
constexpr std::int64_t kFirstElement = 100'001;

/// A row of a superelement's matrices in the other code's terms.
struct SuperelementDof {
  std::int64_t point = 0;  ///< node, or scalar point
  int component = 0;       ///< 1 to 6; 0: scalar point
};

std::int64_t largest_id(const FlexBody& body) {
  std::int64_t largest = 0;
  for (const BodyNode& node : body.nodes)
    largest = std::max(largest, node.id);
  return largest;
}

// Decimal digits that tell every double from its neighbours.
constexpr int kDigitsOfDouble = 17;

/// A number as its significant digits d1 d2 d3 ... and an exponent: d1.d2d3... x 10^exponent.
struct SignificantDigits {
  std::string digits;
  int exponent = 0;
};

SignificantDigits significant_digits(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", std::abs(value), digits - 1);
  const std::size_t mark = text.find('e');
  SignificantDigits out{text.substr(0, mark), std::stoi(text.substr(mark + 1))};
  std::erase(out.digits, '.');
  return out;
}

enum class LargeField : std::uint8_t { real, real_double };

/// NASTRAN's exponent in the fewest characters: D5, D-12 in double precision, otherwise +5, -12 or
/// nothing.
std::string field_exponent(int power, LargeField type) {
  if (type == LargeField::real_double) return fmt::format("D{}", power);
  return power == 0 ? "" : fmt::format("{:+}", power);
}

/// NASTRAN's field of 16 characters with as many significant digits as it holds: 123456.789012D9,
/// -1.2345678901D-5. The point stands where the exponent leaves most room. Matrices in double
/// precision need the D, without which a code of 32-bit words reads a single.
std::string large_field(double value, LargeField type) {
  constexpr int kWidth = 16;
  if (value == 0.0) return fmt::format("{:>16}", "0." + field_exponent(0, type));
  const int sign = value < 0.0 ? 1 : 0;
  // digits that fit, with the point after `lead` of them, or after -lead zeros of its own
  const auto room = [&](int exponent, int lead) {
    const auto power = static_cast<int>(field_exponent(exponent + 1 - lead, type).size());
    return std::min(kDigitsOfDouble, kWidth - sign - 1 - power + std::min(lead, 0));
  };
  const auto best_lead = [&](int exponent) {
    int best = 1;
    for (int lead = -kWidth; lead <= kWidth; ++lead)
      if (lead <= room(exponent, lead) && room(exponent, lead) > room(exponent, best)) best = lead;
    return best;
  };
  SignificantDigits decimal = significant_digits(value, kDigitsOfDouble);
  int lead = best_lead(decimal.exponent);
  const int unrounded = decimal.exponent;
  decimal = significant_digits(value, room(unrounded, lead));
  if (decimal.exponent != unrounded) {  // rounded up to the next power of ten
    lead = best_lead(decimal.exponent);
    decimal = significant_digits(value, room(decimal.exponent, lead));
  }
  const auto before = static_cast<std::size_t>(std::max(lead, 0));
  const std::string zeros(static_cast<std::size_t>(std::max(-lead, 0)), '0');
  return fmt::format("{:>16}",
                     fmt::format("{}{}.{}{}{}",
                                 sign == 1 ? "-" : "",
                                 decimal.digits.substr(0, before),
                                 zeros,
                                 decimal.digits.substr(before),
                                 field_exponent(decimal.exponent + 1 - lead, type)));
}

/// NASTRAN's field of 16 characters for a coordinate.
std::string coordinate_field(double value) {
  return large_field(value, LargeField::real);
}

void put_dmig_matrix(TextSink& out,
                     std::string_view name,
                     const MatrixXd& matrix,
                     const std::vector<SuperelementDof>& dofs) {
  constexpr int kSymmetric = 6, kDouble = 2;
  out.put(fmt::format("DMIG    {:<8}{:>8}{:>8}{:>8}{:>8}\n", name, 0, kSymmetric, kDouble, 0));
  for (Index j = 0; j < matrix.cols(); ++j) {
    const SuperelementDof& column = dofs[static_cast<std::size_t>(j)];
    bool is_first = true;
    for (Index i = j; i < matrix.rows(); ++i) {
      if (matrix(i, j) == 0.0) continue;
      if (is_first)
        out.put(fmt::format("DMIG*   {:<16}{:>16}{:>16}\n", name, column.point, column.component));
      is_first = false;
      const SuperelementDof& row = dofs[static_cast<std::size_t>(i)];
      out.put(fmt::format("*       {:>16}{:>16}{}\n",
                          row.point,
                          row.component,
                          large_field(matrix(i, j), LargeField::real_double)));
    }
  }
}

/// One card EXTRN: pairs of point and components.
void put_extrn(TextSink& out, const Superelement& element, std::int64_t first_scalar) {
  int fields = 0;
  out.put("EXTRN   ");
  const auto pair = [&](std::int64_t point, std::string_view components) {
    if (fields == 8) {
      out.put("\n        ");
      fields = 0;
    }
    out.put(fmt::format("{:>8}{:>8}", point, components));
    fields += 2;
  };
  for (const SuperelementNode& each : element.nodes)
    pair(each.node.id, each.components == 6 ? "123456" : "123");
  for (Index j = 0; j < element.omega_squared.size(); ++j)
    pair(first_scalar + j, "0");
  out.put('\n');
}

/// GRID, SPOINT and EXTRN.
void put_points(TextSink& out, const Superelement& element, std::int64_t first_scalar) {
  for (const SuperelementNode& each : element.nodes) {
    const Eigen::Vector3d& p = each.node.position;
    out.put(fmt::format("GRID*   {:>16}{:>16}{}{}\n*       {}\n",
                        each.node.id,
                        0,
                        coordinate_field(p.x()),
                        coordinate_field(p.y()),
                        coordinate_field(p.z())));
  }
  for (Index j = 0; j < element.omega_squared.size(); ++j)
    out.put(fmt::format("SPOINT  {:>8}\n", first_scalar + j));
  put_extrn(out, element, first_scalar);
}

// Numbers of decks have 14 digits, since CalculiX reads 20 characters of a field.

/// Nodes of CalculiX that carry up to three scalars each, as their translations.
class ScalarNodes {
 public:
  explicit ScalarNodes(std::int64_t first) : next_(first) {}
  /// Node and component of a further scalar; `is_first` starts another node.
  SuperelementDof add(bool is_first) {
    used_ = is_first ? 1 : used_ % 3 + 1;
    if (used_ == 1) ids_.push_back(next_++);
    return {ids_.back(), used_};
  }
  const std::vector<std::int64_t>& ids() const { return ids_; }
  int used_of_last() const { return used_; }

 private:
  std::int64_t next_;
  std::vector<std::int64_t> ids_;
  int used_ = 0;
};

void put_node(TextSink& out, std::int64_t id, const Eigen::Vector3d& p) {
  out.put(fmt::format("{}, {:.13e}, {:.13e}, {:.13e}\n", id, p.x(), p.y(), p.z()));
}

/// Holds what the last node of scalars does not use, and gives the nodes a place.
void put_scalar_nodes(TextSink& out, const ScalarNodes& nodes, const Eigen::Vector3d& place) {
  for (const std::int64_t id : nodes.ids())
    put_node(out, id, place);
  if (!nodes.ids().empty() && nodes.used_of_last() < 3)
    out.put(fmt::format("*BOUNDARY\n{}, {}, 3\n", nodes.ids().back(), nodes.used_of_last() + 1));
}

/// *EQUATION: 0 = -q_i + sum T_ij u_j, four terms per line.
void put_equation(TextSink& out,
                  const SuperelementDof& dependent,
                  const Eigen::VectorXd& factors,
                  const std::vector<SuperelementDof>& dofs) {
  const Index count = 1 + (factors.array() != 0.0).count();
  out.put(fmt::format("*EQUATION\n{}\n{}, {}, -1", count, dependent.point, dependent.component));
  int in_line = 1;
  for (Index j = 0; j < factors.size(); ++j) {
    if (factors(j) == 0.0) continue;
    out.put(in_line % 4 == 0 ? ",\n" : ", ");
    const SuperelementDof& dof = dofs[static_cast<std::size_t>(j)];
    out.put(fmt::format("{}, {}, {:.13e}", dof.point, dof.component, factors(j)));
    ++in_line;
  }
  out.put('\n');
}

}  // namespace

void write_dmig(const FlexBody& body, const SuperelementFile& file) {
  const Superelement element = superelement_of(body, file.frame);
  const std::int64_t first_scalar = largest_id(body) + 1;
  std::vector<SuperelementDof> dofs;
  for (const SuperelementNode& each : element.nodes)
    for (int c = 1; c <= each.components; ++c)
      dofs.push_back({each.node.id, c});
  for (Index j = 0; j < element.omega_squared.size(); ++j)
    dofs.push_back({first_scalar + j, 0});
  const bool is_damped = !element.damping.isZero(0.0);
  TextSink out(file.path);
  out.put(
      fmt::format("$ superelement of {}, made by femflex; numbers in {}\n"
                  "$ {} interface DOFs, {} modes. In the case control of its deck:\n"
                  "$   K2GG = KAAX\n$   M2GG = MAAX\n{}",
                  body.name.empty() ? "a body" : body.name,
                  file.units,
                  element.interface_dofs(),
                  element.omega_squared.size(),
                  is_damped ? "$   B2GG = BAAX\n" : ""));
  put_points(out, element, first_scalar);
  put_dmig_matrix(out, "KAAX", element.stiffness, dofs);
  put_dmig_matrix(out, "MAAX", element.mass, dofs);
  if (is_damped) put_dmig_matrix(out, "BAAX", element.damping, dofs);
  out.commit();
}

void write_superelement_points(const FlexBody& body,
                               const Superelement& element,
                               const std::string& matrices,
                               const std::filesystem::path& path) {
  TextSink out(path);
  out.put(
      fmt::format("$ points of the superelement {}, made by femflex; SI units\n"
                  "$ its matrices are in {}, in the order of EXTRN\n",
                  body.name.empty() ? "of a body" : body.name,
                  matrices));
  put_points(out, element, largest_id(body) + 1);
  out.commit();
}

void write_calculix_superelement(const FlexBody& body,
                                 const SuperelementFile& file,
                                 Diagnostics& diagnostics) {
  // of the largest eigenvalue: below, a mode is a rigid motion and has no spring
  constexpr double kRigid = 1e-12;
  const Superelement element = superelement_of(body, file.frame);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(element.stiffness, element.mass);
  const MatrixXd modes_of_motion = eigen.eigenvectors().transpose() * element.mass;
  const Eigen::Vector3d& place = element.nodes.front().node.position;
  std::vector<SuperelementDof> dofs;
  TextSink out(file.path);
  out.put(
      fmt::format("** superelement of {}, made by femflex; numbers in {}\n"
                  "** {} interface DOFs, {} modes\n"
                  "** its elements have numbers from {} on\n"
                  "** interface nodes; nodes whose translations are their rotations follow them\n"
                  "*NODE\n",
                  body.name.empty() ? "a body" : body.name,
                  file.units,
                  element.interface_dofs(),
                  element.omega_squared.size(),
                  kFirstElement));
  std::int64_t next = largest_id(body) + 1;
  for (const SuperelementNode& each : element.nodes) {
    put_node(out, each.node.id, each.node.position);
    if (each.components == 6) put_node(out, next, each.node.position);
    for (int c = 1; c <= each.components; ++c)
      dofs.push_back({c <= 3 ? each.node.id : next, (c - 1) % 3 + 1});
    if (each.components == 6) ++next;
  }
  ScalarNodes fixed_interface(next);
  for (Index j = 0; j < element.omega_squared.size(); ++j)
    dofs.push_back(fixed_interface.add(j == 0));
  ScalarNodes normal(next + static_cast<std::int64_t>(fixed_interface.ids().size()));
  std::vector<SuperelementDof> normal_dofs;
  for (Index i = 0; i < eigen.eigenvalues().size(); ++i)
    normal_dofs.push_back(normal.add(i == 0));
  out.put("** modes with the interface at rest, three per node\n");
  put_scalar_nodes(out, fixed_interface, place);
  out.put(
      "** modes of the free superelement, three per node, each with a mass and a spring\n*NODE\n");
  put_scalar_nodes(out, normal, place);
  std::int64_t number = 0;
  out.put("*ELEMENT, TYPE=MASS, ELSET=FLEX_MASS\n");
  for (const std::int64_t id : normal.ids())
    out.put(fmt::format("{}, {}\n", kFirstElement + number++, id));
  out.put("*MASS, ELSET=FLEX_MASS\n1.\n");
  const double rigid = kRigid * eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (Index i = 0; i < eigen.eigenvalues().size(); ++i) {
    if (eigen.eigenvalues()(i) <= rigid) continue;
    const SuperelementDof& dof = normal_dofs[static_cast<std::size_t>(i)];
    out.put(
        fmt::format("*ELEMENT, TYPE=SPRING1, ELSET=FLEX_K{}\n{}, {}\n"
                    "*SPRING, ELSET=FLEX_K{}\n{}\n{:.13e}\n",
                    i + 1,
                    kFirstElement + number++,
                    dof.point,
                    i + 1,
                    dof.component,
                    eigen.eigenvalues()(i)));
  }
  for (Index i = 0; i < eigen.eigenvalues().size(); ++i)
    put_equation(out, normal_dofs[static_cast<std::size_t>(i)], modes_of_motion.row(i), dofs);
  out.commit();
  if (!element.damping.isZero(0.0))
    diagnostics.warn("not-carried",
                     "CalculiX has no dashpots between a node and the ground: damping is left out; "
                     "*MODAL DAMPING gives it there",
                     {file.path.string()});
}

}  // namespace femflex::flexfile
