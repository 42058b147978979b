// FlexASCII of OpenFAST's ExtPtfm: titles that begin with '!', each before its rows of numbers.
// Versions 3 and 4 skip one line after a title, version 5 reads the numbers at once and passes over
// empty lines: the line after a title is empty. Versions 3 and 4 read "!Loading", version 5 the
// weight; each ignores the other's. docs/source/user/extptfm/input_files.rst of OpenFAST.
#include "ext_ptfm.h"

#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/unit_constants.h"

#include "bytes/text_sink.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void put_rows(TextSink& out, std::string_view title, const MatrixXd& matrix) {
  out.put(fmt::format("!{}\n\n", title));
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) {
      out.e16(matrix(i, j));
      out.put(j + 1 == matrix.cols() ? '\n' : ' ');
    }
}

/// W' such that weight - W' u is the weight in the axes of an interface that has turned by the
/// rotations in u: gravity g then acts along g - theta x g. Zero where the frame is held: the
/// forces keep their directions there.
MatrixXd weight_stiffness(const Superelement& element, FrameMotion frame) {
  MatrixXd out = MatrixXd::Zero(element.mass.rows(), element.mass.rows());
  if (frame == FrameMotion::held) return out;
  out.col(3) = kStandardGravity * element.gravity.col(1);
  out.col(4) = -kStandardGravity * element.gravity.col(0);
  return out;
}

}  // namespace

void write_ext_ptfm(const FlexBody& body, const std::filesystem::path& path, FrameMotion frame) {
  const Superelement element = superelement_of(body, frame);
  if (element.interface_dofs() != 6 || element.nodes.size() != 1)
    throw ModelError("interface",
                     fmt::format("ExtPtfm takes one interface node with six DOFs, the body has {} "
                                 "interface nodes with {} DOFs",
                                 element.nodes.size(),
                                 element.interface_dofs()),
                     {path.string()},
                     "reduce the part with one interface node, for example by a rigid spider");
  const Index n = element.mass.rows();
  TextSink out(path);
  out.put(
      fmt::format("!Superelement of {}, made by femflex\n!Flex 5 Format\n"
                  "!Dimension: {}\n!Time increment in simulation: 1.0\n"
                  "!Total simulation time in file: 1.0\n",
                  body.name.empty() ? "a body" : body.name,
                  n));
  put_rows(out, "Mass Matrix (Units (kg,m))", element.mass);
  put_rows(out, "Stiffness Matrix (Units (N,m))", element.stiffness);
  put_rows(out, "Damping Matrix (Units (N,m,kg))", element.damping);
  const MatrixXd weight = -kStandardGravity * element.gravity.col(2).transpose();
  put_rows(out, "Weight constant (Units (N,m))", weight);
  put_rows(out, "Weight stiffness (Units (N,m))", weight_stiffness(element, frame));
  // two rows, at 0 and 1 s: the time and one force per DOF
  out.put("!Loading and Wave Elevation (Units (N,m))\n\n");
  for (const std::string_view time : {"0.0", "1.0"}) {
    out.put(time);
    for (Index j = 0; j < n; ++j)
      out.put(" 0.0");
    out.put('\n');
  }
  out.commit();
}

}  // namespace femflex::flexfile
