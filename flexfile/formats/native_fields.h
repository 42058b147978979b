// Writes and reads the HDF5 fields shared by .fbm files and the sidecars of FLEX files.
#pragma once

#include <string>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/io/hdf5_file.h"

namespace femflex::flexfile {

// The fields: mode table, damping, geometric stiffness,
// invariants, interface, elements, rejected modes, path, back-transformation, provenance.

/// Writes all fields.
void put_fields(io::Hdf5File& file, const FlexBody& body);
/// Fills the fields of `body`, whose nodes and number of modes are already set.
/// @throws ParseError
void get_fields(const io::Hdf5File& file, FlexBody& body);

void put_vector(io::Hdf5File& file, const std::string& path, const Eigen::VectorXd& values);
/// @throws ParseError  the dataset has another size
Eigen::MatrixXd get_matrix(const io::Hdf5File& file,
                           const std::string& path,
                           Eigen::Index rows,
                           Eigen::Index cols);
Eigen::VectorXd get_vector(const io::Hdf5File& file, const std::string& path, Eigen::Index size);

}  // namespace femflex::flexfile
