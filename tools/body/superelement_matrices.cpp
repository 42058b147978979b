// Takes the matrices of a superelement, exactly symmetric, to the writers of MATLAB and OUTPUT4
// files.
#include "body/superelement_matrices.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/acting_part.h"
#include "femflex/errors.h"
#include "femflex/flexfile/superelement.h"
#include "femflex/importer/op4_writer.h"

namespace femflex::tools {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using flexfile::Superelement;

MatrixXd symmetric(const MatrixXd& matrix) {
  return 0.5 * (matrix + matrix.transpose());
}

NamedMatrices simscape_fields(const Superelement& element, const std::filesystem::path& path) {
  const auto count = static_cast<Index>(element.nodes.size());
  MatrixXd P(count, 3), Q = MatrixXd::Zero(count, 4), nodes(count, 1);
  for (Index k = 0; k < count; ++k) {
    const flexfile::SuperelementNode& each = element.nodes[static_cast<std::size_t>(k)];
    if (each.components != 6)
      throw ModelError(
          "interface",
          fmt::format("node {} has no rotations, and an interface frame of Simscape has six DOFs",
                      each.node.id),
          {path.string()},
          "attach the part by a spider (import --spider)");
    P.row(k) = each.node.position.transpose();
    Q(k, 0) = 1.0;  // the axes of all frames are those of the body
    nodes(k, 0) = static_cast<double>(each.node.id);
  }
  return {{{"K", symmetric(element.stiffness)},
           {"M", symmetric(element.mass)},
           {"C", symmetric(element.damping)},
           {"P", P},
           {"Q", Q},
           {"nodes", nodes}},
          {}};
}

/// A symmetric matrix with all its entries, as OUTPUT4 holds it.
importer::RawMatrix raw_matrix(std::string name, const MatrixXd& matrix) {
  const MatrixXd whole = symmetric(matrix);
  importer::RawMatrix out;
  out.name = std::move(name);
  out.rows = whole.rows();
  out.cols = whole.cols();
  out.form = importer::RawMatrix::Form::symmetric;
  out.is_dense = true;
  out.layout = importer::RawMatrix::Layout::dense;
  out.values.assign(whole.data(), whole.data() + whole.size());
  return out;
}

void write_op4_superelement(const FlexBody& body,
                            const Superelement& element,
                            const std::filesystem::path& path) {
  std::vector<importer::RawMatrix> matrices = {raw_matrix("KAAX", element.stiffness),
                                               raw_matrix("MAAX", element.mass)};
  if (!element.damping.isZero(0.0)) matrices.push_back(raw_matrix("BAAX", element.damping));
  importer::Op4Format format;
  format.layout = importer::Op4Format::Layout::dense;
  format.ascii = true;
  std::filesystem::path points = path;
  flexfile::write_superelement_points(
      body, element, path.filename().string(), points.replace_extension(".asm"));
  importer::write_op4(matrices, format, path);
}

}  // namespace

bool is_superelement_matrix_file(const std::filesystem::path& path) {
  return path.extension() == ".mat" || path.extension() == ".op4";
}

void write_matrices_of_superelement(const FlexBody& body,
                                    const std::filesystem::path& path,
                                    MatLevel level,
                                    flexfile::FrameMotion frame,
                                    Diagnostics& diagnostics) {
  if (!has_only_acting_modes(body)) {
    diagnostics.warn("acting-modes",
                     "matrices of a superelement have no place for modes that do not act: they are "
                     "left out",
                     {path.string()});
    return write_matrices_of_superelement(acting_part(body), path, level, frame, diagnostics);
  }
  const Superelement element = flexfile::superelement_of(body, frame);
  if (path.extension() == ".op4")
    write_op4_superelement(body, element, path);
  else
    write_matrices(simscape_fields(element, path), path, level);
  flexfile::warn_of_matrices(body, path, diagnostics);
}

}  // namespace femflex::tools
