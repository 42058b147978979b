// Rigid mechanisms from the literature, and functions that make their parts; used by the tests of
// the multibody solver.
#pragma once

#include <string>

#include "femflex/mbd_solver/system.h"

namespace femflex::testing {

// Parts of systems.
Eigen::Matrix3d turn_z(double angle);
mbd_solver::Marker at(double x, double y, double z = 0.0);
mbd_solver::Body rigid(const std::string& name,
                       double mass,
                       const Eigen::Vector3d& com,
                       const Eigen::Vector3d& inertia);
mbd_solver::Body point(const std::string& name,
                       double mass,
                       const Eigen::Vector3d& position,
                       const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero());
mbd_solver::Joint joint(const std::string& name,
                        mbd_solver::JointType type,
                        const std::string& a,
                        const std::string& b);
mbd_solver::System planar_under_gravity();

// Published mechanisms with the data of the shared benchmarks.
mbd_solver::System simple_pendulum();
mbd_solver::System four_bars(int n);
mbd_solver::System squeezer();
/// The axle is a massless body with prescribed motion.
mbd_solver::System car_axis();
mbd_solver::System crane_crab();
mbd_solver::System double_pendulum(bool planar);
mbd_solver::System spatial_slider_crank();
mbd_solver::System slider_crank(bool driven);
mbd_solver::System bushed_block(bool gravity, bool damped);
/// The car drives along +x. Heave is along y; a nose-down pitch is a rotation about -z.
mbd_solver::System half_car(double road);
mbd_solver::System elastic_pendulum();
mbd_solver::System free_asymmetric_body();

}  // namespace femflex::testing
