// Evaluates the control blocks at the state of a workspace: outputs, states by the integration
// rule, and the memory of relays, plays and samples. forces.cpp and the integrators call it.
#pragma once

#include <Eigen/Core>

namespace femflex::mbd_solver {

struct Model;
struct Workspace;

/// Computes outputs, states and rates of all blocks at the kinematics in ws. The states z fulfil
/// the integration rule z = state_constants + state_gain z'.
void evaluate_blocks(const Model& model, Workspace& ws);

/// An output that a motion follows, with its first two time derivatives.
struct BlockJet {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};
BlockJet block_jet(const Model& model, const Workspace& ws, int output);

/// Updates relays and plays at the end of a step; needs evaluate_blocks(). Returns whether a relay
/// switched.
bool update_block_events(const Model& model, const Workspace& ws, Eigen::VectorXd& events);

struct BlockModel;
/// Whether a block takes a sample or exchanges data with its guest at `time` [s].
bool is_sampled_at(const BlockModel& block, double time);
/// Time of the first sample of any block after `time` [s]; infinite if there is none.
double next_sample(const Model& model, double time);
/// Takes the samples that are due at `time`, except those of guests. All samples use values at ws;
/// needs evaluate_blocks(). Returns whether a sample was due.
bool take_samples(const Model& model, const Workspace& ws, double time, Eigen::VectorXd& events);

}  // namespace femflex::mbd_solver
