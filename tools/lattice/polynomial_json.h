// Reads and writes polynomial Hamiltonians in JSON: as three arrays or as text, with start state
// and ports.
#pragma once

#include <vector>

#include "femflex/hamiltonian/polynomial.h"

#include "document/json.h"
#include "lattice/lattice_json.h"

namespace femflex::tools {

/// A polynomial Hamiltonian with the run options and ports of its file.
struct PolynomialDocument {
  hamiltonian::Polynomial polynomial;
  std::vector<double> start;  ///< states in the order of blocks; empty: not given
  LatticeDocument run;        ///< name, step, run options, ports; no nodes
};

/// True if the document has the member "polynomial".
bool is_polynomial_json(const Json& document);

/// Reads a polynomial model: docs/formats/lattice.md, "Polynomial, JSON".
/// @throws ParseError  unknown keys, values of a wrong type, a wrong number of start states
/// @throws ModelError  see make_polynomial()
PolynomialDocument read_polynomial_json(const Json& document);

/// The document in JSON, as three arrays; numbers read back exactly.
Json polynomial_json(const PolynomialDocument& document);

}  // namespace femflex::tools
