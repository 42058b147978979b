// Tests the division of a block of nodes into planes and strips, in whose order the fast kernels
// work. Truth: counts by hand, and simple steps plane by plane with integers.
#include "kernels/strips.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/planes.h"

namespace femflex::hamiltonian::tiles {
namespace {

/// Bonds of a block of nodes, x fastest: along the axes and one diagonal or two.
std::vector<Bond> block_bonds(int nx, int ny, int nz, bool both_diagonals) {
  std::vector<Bond> bonds;
  const auto add = [&](int x, int y, int z, int dx, int dy, int dz) {
    if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny || z + dz >= nz) return;
    bonds.push_back({(z * ny + y) * nx + x, ((z + dz) * ny + y + dy) * nx + x + dx, 1.0, 1.0});
  };
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        add(x, y, z, 1, 0, 0);
        add(x, y, z, 0, 1, 0);
        add(x, y, z, 0, 0, 1);
        add(x, y, z, 1, 1, 1);
        if (both_diagonals) add(x, y, z, -1, -1, 1);
      }
    }
  }
  return bonds;
}

std::vector<std::int32_t> as_numbered(std::int32_t nodes) {
  std::vector<std::int32_t> place;
  for (std::int32_t i = 0; i < nodes; ++i)
    place.push_back(i);
  return place;
}

// Truth: planes of nx ny nodes; the farthest partner in one's own plane is nx + 1 places away.
TEST(Planes, AreThoseOfABlockWhereverItsDiagonalsLean) {
  for (const bool both : {true, false}) {
    const auto planes = find_planes(block_bonds(5, 24, 4, both), as_numbered(480));
    ASSERT_TRUE(planes.has_value());
    EXPECT_EQ(planes->count, 4);
    EXPECT_EQ(planes->nodes, 120);
    EXPECT_EQ(planes->reach, 6);
  }
}

// Truth: the last node of a plane and the first of the next but one.
TEST(Planes, AreNoneWhereABondLeadsElsewhere) {
  std::vector<Bond> bonds = block_bonds(5, 24, 4, true);
  bonds.push_back({119, 240, 1.0, 1.0});
  EXPECT_FALSE(find_planes(bonds, as_numbered(480)).has_value());
}

// Truth: 60 nodes fill 8 blocks, the reach of 6 one more.
TEST(Planes, BeginAtBlocksBehindAGap) {
  std::vector<std::int32_t> place = as_numbered(180);
  const Planes planes = spread({3, 60, 60, 6}, place);
  EXPECT_EQ(planes.pitch, 72);
  EXPECT_EQ(place[59], 59);
  EXPECT_EQ(place[60], 72);
  EXPECT_EQ(place[179], 2 * 72 + 59);
}

/// Whole numbers instead of masses: each is mixed from all that a block may need.
class Mixed {
 public:
  explicit Mixed(const Planes& planes)
      : planes_(planes.count),
        pitch_(planes.pitch / 8),
        blocks_((planes.nodes + 7) / 8),
        reach_((planes.reach + 7) / 8) {
    for (auto& values : values_)
      values.assign(static_cast<std::size_t>(planes_ * pitch_), 0);
    for (std::size_t i = 0; i < values_[0].size(); ++i)
      values_[0][i] = i * i + 1;
  }
  void step(int from, std::int64_t first, std::int64_t last) {
    const auto& old = values_[static_cast<std::size_t>(from)];
    auto& next = values_[static_cast<std::size_t>(1 - from)];
    for (std::int64_t block = first; block < last; ++block) {
      std::uint64_t sum = 0;
      const std::int64_t plane = block / pitch_;
      const std::int64_t at = block % pitch_;
      for (std::int64_t p = plane - 1; p <= plane + 1; ++p) {
        for (std::int64_t b = at - reach_; b <= at + reach_; ++b) {
          if (p < 0 || p >= planes_ || b < 0 || b >= blocks_) continue;
          sum = 31 * sum + old[static_cast<std::size_t>(p * pitch_ + b)];
        }
      }
      next[static_cast<std::size_t>(block)] = sum;
    }
  }
  void plain_step(int from) {
    for (std::int64_t p = 0; p < planes_; ++p)
      step(from, p * pitch_, p * pitch_ + blocks_);
  }
  const std::vector<std::uint64_t>& values(int which) const {
    return values_[static_cast<std::size_t>(which)];
  }

 private:
  std::int64_t planes_, pitch_, blocks_, reach_;
  std::vector<std::uint64_t> values_[2];
};

class StripsOf : public ::testing::TestWithParam<std::tuple<int, int>> {};

// Truth: plane by plane, step by step.
TEST_P(StripsOf, PlanesGiveTheNumbersOfStepByStep) {
  const auto [nodes, workers] = GetParam();
  std::vector<std::int32_t> place;
  const Planes planes = spread({7, nodes, nodes, 11}, place);
  Strips strips(planes, 60000.0, static_cast<std::size_t>(workers));
  EXPECT_GT(strips.steps(), 1);
  const int steps = 3 * strips.steps() - 1;  // the last pass is shorter
  Mixed plain(planes);
  Mixed mixed(planes);
  for (int s = 0; s < steps; ++s)
    plain.plain_step(s % 2);
  for (int done = 0, pass = 0; done < steps; done += strips.steps(), ++pass) {
    const int count = std::min(strips.steps(), steps - done);
    std::vector<std::jthread> crew;
    for (int worker = 0; worker < workers; ++worker) {
      crew.emplace_back([&, worker] {
        strips.run_share(static_cast<std::size_t>(worker),
                         pass,
                         count,
                         [&](int s, std::int64_t first, std::int64_t last) {
                           mixed.step((done + s) % 2, first, last);
                         });
      });
    }
  }
  EXPECT_TRUE(mixed.values(steps % 2) == plain.values(steps % 2));
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         StripsOf,
                         ::testing::Combine(::testing::Values(300, 1001),
                                            ::testing::Values(1, 2, 3)));

// Truth: nodes without bonds belong to no plane.
TEST(Planes, AreNoneWithoutBonds) {
  EXPECT_FALSE(find_planes({}, as_numbered(50)).has_value());
}

}  // namespace
}  // namespace femflex::hamiltonian::tiles
