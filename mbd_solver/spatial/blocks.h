// Evaluation of the blocks of control at the state of a workspace: outputs, states by the
// integration rule, and the memory of relays, plays and samples.
#pragma once

#include <Eigen/Core>

namespace femflex::mbd_solver {

struct Model;
struct Workspace;

/// Computes outputs, states and rates of all blocks at the kinematics in ws. The states z fulfil
/// the integration rule z = state_constants + state_gain z'.
void evaluate_blocks(const Model& model, Workspace& ws);

/// The output that a motion follows, with its first two derivatives by time.
struct BlockJet {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};
BlockJet block_jet(const Model& model, const Workspace& ws, int output);

/// Updates relays and plays at the end of a step; needs evaluate_blocks(). Returns whether a relay
/// switched.
bool update_block_events(const Model& model, const Workspace& ws, Eigen::VectorXd& events);

struct BlockModel;
/// Whether a block takes a sample, or exchanges with its guest, at `time` [s].
bool is_sampled_at(const BlockModel& block, double time);
/// The first sample of any block after `time` [s]; infinite if there is none.
double next_sample(const Model& model, double time);
/// Takes the samples but those of guests that are due at `time`, all of values at ws; needs
/// evaluate_blocks(). Returns whether there was one.
bool take_samples(const Model& model, const Workspace& ws, double time, Eigen::VectorXd& events);

}  // namespace femflex::mbd_solver
