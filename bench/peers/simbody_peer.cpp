// Builds the chain of pin joints in Simbody and simulates it. This is the only file that uses
// Simbody.
#include "simbody_peer.h"

#include <Simbody.h>

namespace femflex::bench {

std::array<double, 3> simbody_tip(const PeerChain& chain, double accuracy) {
  using SimTK::Vec3;
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  const SimTK::Force::UniformGravity gravity(
      forces, matter, Vec3(chain.gravity[0], chain.gravity[1], chain.gravity[2]));
  const Vec3 centre(0.5 * chain.length, 0.0, 0.0);
  const SimTK::Inertia inertia =
      SimTK::Inertia(chain.moments[0], chain.moments[1], chain.moments[2])
          .shiftFromMassCenter(centre, chain.mass);
  const SimTK::Body::Rigid bar(SimTK::MassProperties(chain.mass, centre, inertia));
  // a pin joint turns about z of its frames; the first frame is rotated about x so that its z is
  // along y
  const std::array<SimTK::Rotation, 2> frames = {SimTK::Rotation(-0.5 * SimTK::Pi, SimTK::XAxis),
                                                 SimTK::Rotation()};
  SimTK::MobilizedBody last = matter.Ground();
  for (int i = 0; i < chain.count; ++i) {
    const SimTK::Rotation& frame = frames[static_cast<std::size_t>(i % 2)];
    last = SimTK::MobilizedBody::Pin(
        last,
        SimTK::Transform(frame, i == 0 ? Vec3(0) : Vec3(chain.length, 0.0, 0.0)),
        bar,
        SimTK::Transform(frame, Vec3(0)));
  }
  const SimTK::State state = system.realizeTopology();
  SimTK::RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  SimTK::TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  stepper.stepTo(chain.end);
  const SimTK::State& done = integrator.getState();
  system.realize(done, SimTK::Stage::Position);
  const Vec3 tip = last.findStationLocationInGround(done, Vec3(chain.length, 0.0, 0.0));
  return {tip[0], tip[1], tip[2]};
}

}  // namespace femflex::bench
