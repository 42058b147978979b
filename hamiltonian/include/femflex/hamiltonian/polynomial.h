// Polynomial Hamiltonians: their text form, their evaluation, and the polynomial of a lattice of
// quartic springs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::hamiltonian {

/// H = sum over terms of  coefficient * product of states.
///
/// The states are stored in blocks, one per node: `dimension` positions, then their momenta. The
/// positions of node i (from 0) begin at index 2 dimension i, its momenta at 2 dimension i +
/// dimension.
struct Polynomial {
  int dimension = 1;        ///< number of positions in a block
  std::int32_t states = 0;  ///< number of states, twice the number of DOFs
  std::vector<double> coefficients;
  std::vector<std::int32_t> variables_per_term;
  std::vector<std::int32_t>
      variables;  ///< 0-based state indices, term by term; the x of x^2 appears twice

  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

/// The same polynomial with sorted variables, equal terms merged and zero terms dropped.
/// @throws ModelError  a state beyond `states`, states that do not fill whole blocks, a coefficient
///                     that is not finite
Polynomial make_polynomial(Polynomial polynomial);

/// Reads `H = 5*[3]*[3] + 0.5*[0]^2 - [1]*[2]`. The states form the smallest whole number of blocks
/// that contains every index.
/// @throws ParseError  with line and column
Polynomial parse_polynomial(std::string_view text, int dimension, const std::string& file);

/// Writes the text that parse_polynomial() reads; every coefficient reads back to the same bits.
std::string print_polynomial(const Polynomial& polynomial);

double evaluate(const Polynomial& polynomial, const std::vector<double>& states);
/// dH/d(state) at the given states.
std::vector<double> gradient(const Polynomial& polynomial, const std::vector<double>& states);

/// Meaning of the positions in a lattice's polynomial.
enum class PolynomialOrigin : std::uint8_t {
  absolute,      ///< the positions themselves
  displacement,  ///< positions minus start positions, so that no large powers cancel
};

/// A lattice of plain quartic springs (and linear ones of no rest length) under gravity and
/// constant loads as one polynomial. Fixed positions enter as numbers, and their states are unused.
/// @throws ModelError  a spring, hinge, damper or load that is not polynomial
Polynomial as_polynomial(const Lattice& lattice, PolynomialOrigin origin);

/// Start states of that polynomial, block by block.
std::vector<double> start_states(const Lattice& lattice, PolynomialOrigin origin);

/// The polynomial as a system to integrate.
class PolynomialSystem final : public HamiltonianSystem {
 public:
  explicit PolynomialSystem(Polynomial polynomial);
  ~PolynomialSystem() override;
  PolynomialSystem(const PolynomialSystem&) = delete;
  PolynomialSystem& operator=(const PolynomialSystem&) = delete;
  PolynomialSystem(PolynomialSystem&&) = delete;
  PolynomialSystem& operator=(PolynomialSystem&&) = delete;

  const Polynomial& polynomial() const;
  /// Converts states in block order to q and p, at time 0.
  State state(const std::vector<double>& states) const;
  /// Converts q and p back to states in block order.
  std::vector<double> states(const State& state) const;

  std::size_t dof_count() const override;
  bool is_separable() const override;
  void velocity(std::span<const double> q,
                std::span<const double> p,
                std::span<double> q_dot) const override;
  void force(const Memory& memory,
             std::span<const double> q,
             std::span<const double> p,
             std::span<double> f) const override;
  Energy energy(const Memory& memory,
                std::span<const double> q,
                std::span<const double> p) const override;
  bool energy_is_expensive() const override { return false; }
  /// Zero if there are many DOFs, because eigenvalues would then cost too much.
  FastestMotion fastest_motion(const State& state) const override;
  std::string not_finite(double /*time*/, std::span<const double> /*q*/) const override {
    return {};  // no part of a polynomial has a name
  }
  const ExternalForces* external_forces() const override { return nullptr; }
  const Events* events() const override { return nullptr; }
  const TangentStiffness* tangent_stiffness() const override { return nullptr; }
  const StabilityBounds* stability_bounds() const override { return nullptr; }
  std::unique_ptr<FastLeapfrog> fast_leapfrog() const override { return nullptr; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
