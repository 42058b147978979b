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
/// The states come in blocks: `dimension` positions, then their momenta, so that node i (from 0)
/// has its positions from 2 dimension i and its momenta from 2 dimension i + dimension.
struct Polynomial {
  int dimension = 1;        ///< positions in a block
  std::int32_t states = 0;  ///< twice the DOFs
  std::vector<double> coefficients;
  std::vector<std::int32_t> variables_per_term;
  std::vector<std::int32_t>
      variables;  ///< 0-based state indices, term after term; x^2 appears twice

  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

/// Merges equal terms, sorts variables, drops zeros.
/// @throws ModelError  a state beyond `states`, an odd number of blocks, a number not finite
Polynomial make_polynomial(Polynomial polynomial);

/// Reads `H = 5*[3]*[3] + 0.5*[0]^2 - [1]*[2]`. The number of states is that of the smallest number
/// of whole blocks that contains every index.
/// @throws ParseError  with line and column
Polynomial parse_polynomial(std::string_view text, int dimension, const std::string& file);

/// Writes the same text form: every coefficient reads back to the same bits.
std::string print_polynomial(const Polynomial& polynomial);

double evaluate(const Polynomial& polynomial, const std::vector<double>& states);
/// dH/d(state), from the same arrays.
std::vector<double> gradient(const Polynomial& polynomial, const std::vector<double>& states);

/// What the positions of a lattice's polynomial are.
enum class PolynomialOrigin : std::uint8_t {
  absolute,      ///< positions themselves
  displacement,  ///< positions minus start positions: no large powers cancel
};

/// A lattice of plain quartic springs (and linear ones of no rest length) under gravity and
/// constant loads as one polynomial. Held positions enter as numbers; their states are unused.
/// @throws ModelError  a spring, hinge, damping or load that is not polynomial
Polynomial as_polynomial(const Lattice& lattice, PolynomialOrigin origin);

/// Start states of that polynomial, block by block.
std::vector<double> start_states(const Lattice& lattice, PolynomialOrigin origin);

/// The polynomial as a system to integrate.
class PolynomialSystem final : public HamiltonianSystem {
 public:
  explicit PolynomialSystem(Polynomial polynomial);
  ~PolynomialSystem() override;

  const Polynomial& polynomial() const;
  /// From block order to q and p, at time 0.
  State state(const std::vector<double>& states) const;
  /// From q and p back to block order.
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
  /// Computed for few DOFs; zero for many.
  FastestMotion fastest_motion(const State& state) const override;
  std::string not_finite(double /*time*/, std::span<const double> /*q*/) const override {
    return {};  // no part of a polynomial has a name
  }
  const OuterForces* outer_forces() const override { return nullptr; }
  const Events* events() const override { return nullptr; }
  const TangentStiffness* tangent_stiffness() const override { return nullptr; }
  const StabilityBounds* stability_bounds() const override { return nullptr; }
  std::unique_ptr<FastLeapfrog> fast_leapfrog() const override { return nullptr; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace femflex::hamiltonian
