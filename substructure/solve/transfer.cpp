// Computes transfer functions of a part in pole-residue form. docs/theory/substructures.md eq. (11)
// to (13). Residues of simple poles come from the shapes of the poles; residues of multiple poles
// and the polynomial part come from contour integrals.
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "partition.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;

namespace {

// number of points of the trapezoidal rule on a circle; the error is 2^-64 for a pole at half or
// twice its radius
constexpr int kContourPoints = 64;
// a sum below this share of the largest value is zero up to round-off
constexpr double kContourRounding = 1e-11;
// poles closer than this, relative to their size, form one cluster
constexpr double kSamePole = 1e-5;

/// Poles that are close together, such as the members of a Jordan chain.
struct Cluster {
  Complex centre;
  std::vector<Index> members;
};

std::vector<Cluster> clusters_of(const Eigen::VectorXcd& values) {
  std::vector<Cluster> out;
  for (Index k = 0; k < values.size(); ++k) {
    // round-off moves the two members of a double pole apart by its square root, relative to the
    // pole; poles at zero are exact zeros
    const double reach = kSamePole * std::abs(values(k));
    const auto distance = [&](const Cluster& c) { return std::abs(c.centre - values(k)); };
    auto nearest =
        std::min_element(out.begin(), out.end(), [&](const Cluster& a, const Cluster& b) {
          return distance(a) < distance(b);
        });
    if (nearest == out.end() || distance(*nearest) > reach)
      nearest = out.insert(out.end(), Cluster{values(k), {}});
    nearest->members.push_back(k);
    Complex sum = 0.0;
    for (const Index m : nearest->members)
      sum += values(m);
    nearest->centre = sum / static_cast<double>(nearest->members.size());
  }
  return out;
}

/// Derivative of R at s on the free coordinates times x.
Eigen::VectorXcd slope_times(const Partition& partition, Complex s, const Eigen::VectorXcd& x) {
  Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(x.size());
  Complex power = 1.0;
  for (std::size_t k = 1; k < partition.coefficients().size(); ++k) {
    Eigen::VectorXcd term(x.size());
    term.real() = partition.coefficients()[k] * x.real();
    term.imag() = partition.coefficients()[k] * x.imag();
    sum += static_cast<double>(k) * power * term;
    power *= s;
  }
  return sum;
}

using Transfer = std::function<Complex(Complex)>;

void drop_trailing_zeros(auto& values) {
  while (!values.empty() && values.back() == 0.0)
    values.pop_back();
}

/// Residue of a simple pole:  c x y' b / (y' R' x)
Complex simple_residue(const Partition& partition,
                       const Poles& poles,
                       Index k,
                       const Input& input,
                       const Output& output) {
  const Complex p = poles.values(k);
  Eigen::VectorXcd x(partition.free_count());
  Eigen::VectorXcd y(partition.free_count());
  for (Index i = 0; i < x.size(); ++i) {
    const Index from = partition.free()[static_cast<std::size_t>(i)];
    x(i) = poles.shapes(from, k);
    y(i) = poles.left.size() > 0 ? poles.left(from, k) : x(i);
  }
  const Complex output_factor = (partition.left_side(output, p).transpose() * x).value();
  const Complex input_factor = (y.transpose() * partition.right_side(input, p)).value();
  const Complex slope = (y.transpose() * slope_times(partition, p, x)).value();
  return output_factor * input_factor / slope;
}

/// Residues of a multiple pole: Laurent coefficients from a circle that encloses no other pole.
std::vector<Complex> cluster_residues(const Transfer& H, const Cluster& cluster, double radius) {
  const Complex p = cluster.centre;
  std::vector<Complex> values;
  std::vector<Complex> offsets;
  for (int k = 0; k < kContourPoints; ++k) {
    offsets.push_back(std::polar(radius, 2.0 * M_PI * (k + 0.5) / kContourPoints));
    values.push_back(H(p + offsets.back()));
  }
  double size = 0.0;
  for (const Complex& v : values)
    size = std::max(size, std::abs(v));
  std::vector<Complex> residues;
  for (std::size_t j = 0; j < cluster.members.size(); ++j) {
    Complex sum = 0.0;
    for (int k = 0; k < kContourPoints; ++k) {
      const auto i = static_cast<std::size_t>(k);
      sum += values[i] * std::pow(offsets[i], static_cast<double>(j) + 1.0);
    }
    sum /= kContourPoints;
    if (std::abs(sum) < kContourRounding * size * std::pow(radius, static_cast<double>(j) + 1.0))
      sum = 0.0;
    if (p.imag() == 0.0) sum = sum.real();
    residues.push_back(sum);
  }
  drop_trailing_zeros(residues);
  return residues;
}

/// Radii of circles around zero that stay away from all poles: outside the largest one, inside the
/// smallest one, and in the widest gap between two of them.
std::vector<double> radii_between(const std::vector<Cluster>& clusters) {
  std::vector<double> sizes;
  for (const Cluster& cluster : clusters)
    if (cluster.centre != 0.0) sizes.push_back(std::abs(cluster.centre));
  if (sizes.empty()) return {1.0};
  std::sort(sizes.begin(), sizes.end());
  std::vector<double> radii = {2.0 * sizes.back(), 0.5 * sizes.front()};
  double widest = 4.0;  // ratio of two sizes; the circle stays a factor of two away from both
  for (std::size_t k = 1; k < sizes.size(); ++k)
    if (const double ratio = sizes[k] / sizes[k - 1]; ratio > widest) {
      widest = ratio;
      radii.resize(2);
      radii.push_back(std::sqrt(sizes[k] * sizes[k - 1]));
    }
  return radii;
}

/// Sum of the magnitudes of all pole terms at s.
double size_of_poles(const TransferFunction& H, Complex s) {
  double sum = 0.0;
  for (const PoleTerm& term : H.terms) {
    double factor = 1.0 / std::abs(s - term.pole);
    for (const Complex& residue : term.residues) {
      sum += std::abs(residue) * factor;
      factor /= std::abs(s - term.pole);
    }
  }
  return sum;
}

/// Coefficients of the polynomial part of H, which is H less its pole terms. They come from the
/// first circle, around all poles, where the pole terms add nothing, unless errors are far smaller
/// on another one: with a term d s^2, low coefficients would be lost on a large circle.
/// @param H  has only its pole terms in `poles`
std::vector<double> direct_part(const Transfer& H,
                                const TransferFunction& poles,
                                const std::vector<double>& radii,
                                int terms) {
  std::vector<double> out(static_cast<std::size_t>(terms), 0.0);
  std::vector<double> errors(out.size(), std::numeric_limits<double>::infinity());
  constexpr double kFarSmaller = 1e-3;
  for (const double radius : radii) {
    const bool is_first = radius == radii.front();
    std::vector<Complex> sums(out.size(), 0.0);
    double size = 0.0;
    for (int k = 0; k < kContourPoints; ++k) {
      const Complex turn = std::polar(1.0, 2.0 * M_PI * (k + 0.5) / kContourPoints);
      const Complex value = H(radius * turn);
      const Complex of_poles = is_first ? 0.0 : poles(radius * turn);
      size = std::max(size, std::abs(value));
      if (!is_first) size = std::max(size, size_of_poles(poles, radius * turn));
      for (int j = 0; j < terms; ++j)
        sums[static_cast<std::size_t>(j)] +=
            (value - of_poles) * std::pow(turn, -static_cast<double>(j));
    }
    for (int j = 0; j < terms; ++j) {
      const auto i = static_cast<std::size_t>(j);
      const double unit = std::pow(radius, j);
      const double error = kContourRounding * size / unit;
      if (!is_first && !(error < kFarSmaller * errors[i])) continue;
      errors[i] = error;
      out[i] = sums[i].real() / (kContourPoints * unit);
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i)
    if (std::abs(out[i]) < errors[i]) out[i] = 0.0;
  drop_trailing_zeros(out);
  return out;
}

}  // namespace

Complex TransferFunction::operator()(Complex s) const {
  Complex value = 0.0;
  Complex power = 1.0;
  for (const double d : direct) {
    value += d * power;
    power *= s;
  }
  for (const PoleTerm& term : terms) {
    Complex factor = 1.0 / (s - term.pole);
    for (const Complex& residue : term.residues) {
      value += residue * factor;
      factor /= s - term.pole;
    }
  }
  return value;
}

TransferFunction transfer_function(const DynamicStiffness& part,
                                   const Supports& supports,
                                   const Poles& poles,
                                   const Input& input,
                                   const Output& output) {
  const Partition partition(part, supports);
  partition.check(input);
  partition.check(output);
  if (poles.shapes.rows() != part.size()) {
    throw ModelError("sizes-differ", "the poles belong to another part");
  }
  const Transfer H = [&](Complex s) { return evaluate_transfer(partition, input, output, s); };
  double largest_pole = 0.0;
  for (Index k = 0; k < poles.values.size(); ++k) {
    largest_pole = std::max(largest_pole, std::abs(poles.values(k)));
  }
  if (largest_pole == 0.0) largest_pole = 1.0;

  TransferFunction out;
  const std::vector<Cluster> clusters = clusters_of(poles.values);
  for (const Cluster& cluster : clusters) {
    const Complex p = cluster.centre;
    PoleTerm term{p, {}};
    if (cluster.members.size() == 1 && p != 0.0) {
      term.residues = {simple_residue(partition, poles, cluster.members.front(), input, output)};
    } else {
      double radius = p == 0.0 ? largest_pole : std::abs(p);
      for (const Cluster& other : clusters) {
        if (&other != &cluster) radius = std::min(radius, 0.5 * std::abs(other.centre - p));
      }
      term.residues = cluster_residues(H, cluster, radius);
    }
    if (!term.residues.empty()) out.terms.push_back(std::move(term));
  }
  const bool is_elastic = partition.coefficients().size() == 1;  // without mass and damping
  const bool may_be_direct = is_elastic || poles.infinite != 0 ||
                             input.kind == Input::Kind::motion ||
                             output.kind == Output::Kind::reaction;
  if (may_be_direct) out.direct = direct_part(H, out, radii_between(clusters), part.order() + 2);
  return out;
}

}  // namespace femflex::substructure
