// Tests that steps of generalised-alpha allocate no memory. Truth: the number of calls of operator
// new.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "flex_bodies.h"
#include "integrators/assembly.h"
#include "integrators/integrator.h"

namespace {
std::atomic<long> allocations{0};
}

// NOLINTBEGIN(cppcoreguidelines-no-malloc,misc-new-delete-overloads)
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc,misc-new-delete-overloads)

namespace femflex::mbd_solver {
namespace {

TEST(GeneralisedAlpha, AllocatesNothingInsideAStepAfterTheFirst) {
  System system;
  system.gravity = {Value(0.0), Value(0.0), Value("-9.81*(1+0.1*sin(t))")};
  Eigen::Matrix2d columns;
  columns << 0.05, 0.0, 0.15, -0.1;
  Flexible flexible;
  auto flex_body = testing::double_mass_spring(columns);
  flex_body.lumped_mass.setConstant(1.0);
  flex_body.invariants.inertia.setIdentity();
  flexible.body = std::make_shared<FlexBody>(flex_body);
  Body a, b;
  a.name = "a";
  a.kind = flexible;
  b.name = "b";
  b.kind = RigidInertia{1.0, {0, 0, 0.5}, Eigen::Matrix3d::Identity() * 0.1};
  b.position = {0, 0, 2};
  system.bodies = {a, b};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.a = "ground";
  hinge.b = "a";
  hinge.axis = Eigen::Vector3d::UnitY();
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.a = "a/3";
  ball.b = "b";
  ball.at = Eigen::Vector3d(0, 0, 2);
  system.joints = {hinge, ball};
  SpringDamper spring;
  spring.a = "a/2";
  spring.b = "b";
  spring.stiffness = 100.0;
  spring.damping = 1.0;
  system.forces = {{"spring", spring}};
  Diagnostics diagnostics;
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  AssemblyReport report;
  State state = assemble(engine, system, 0.0, report, diagnostics);
  DynamicOptions options;
  options.step = 1e-3;
  const auto integrator = make_generalised_alpha(engine, options);
  integrator->start(state);
  ASSERT_TRUE(integrator->advance(state, 2e-3));
  const long before = allocations;
  ASSERT_TRUE(integrator->advance(state, 0.1));
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(integrator->steps(), 100);
}

}  // namespace
}  // namespace femflex::mbd_solver
