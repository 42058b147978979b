// The interface between a live page and a running model, a lattice or a system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/results.h"

#include "document/json.h"

namespace femflex::live {

/// The drawing of a model. Only the places of the vertices change from picture to picture.
struct Drawing {
  struct Item {
    std::string name;   ///< "node 3", "joint pin"
    std::string path;   ///< of its numbers in the document, "nodes/2"; empty: none
    std::string place;  ///< what a load acts on: a node's number, "chassis/301"; empty: nothing
  };
  std::size_t vertices = 0;
  std::size_t grips = 0;              ///< vertices that can be picked and dragged, the first ones
  std::size_t first_sign_line = 0;    ///< lines from this one on are signs of hinges and loads
  std::vector<std::uint32_t> points;  ///< vertices drawn as points
  std::vector<std::uint32_t> lines;   ///< two vertices per line
  std::vector<std::uint32_t> triangles;      ///< three vertices per triangle
  std::vector<std::uint8_t> held;            ///< one per point: 1 if nothing moves it
  std::vector<Item> items;                   ///< what can be picked
  std::vector<std::int32_t> item_of_vertex;  ///< index into `items`, -1: none
  std::vector<std::int32_t> item_of_line;    ///< the same
  bool is_planar = false;
  double size = 1.0;  ///< [m] of the whole picture
};

struct LiveEnergy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< [J]
  double work = 0.0;       ///< by forces without potential, less the energy of broken springs [J]
};

struct LiveFrequency {
  double hz = 0.0;       ///< |eigenvalue| / 2 pi
  double damping = 0.0;  ///< ratio; negative: the motion grows
};

/// Integrator and step of a model.
struct LiveStepping {
  std::string integrator;
  std::vector<std::string> integrators;  ///< those that the model can use
  double step = 0.0;                     ///< [s]
  /// [s] largest stable step; infinity: every step is stable; NaN: not known
  double stable_step = 0.0;
};

/// The state of a running model, from which it or a changed model can continue.
class LiveState {
 public:
  LiveState() = default;
  LiveState(const LiveState&) = delete;
  LiveState& operator=(const LiveState&) = delete;
  LiveState(LiveState&&) = delete;
  LiveState& operator=(LiveState&&) = delete;
  virtual ~LiveState() = default;
};

/// A running model: a lattice or a system. It is independent of clocks and pages.
class LiveModel {
 public:
  LiveModel() = default;
  LiveModel(const LiveModel&) = delete;
  LiveModel& operator=(const LiveModel&) = delete;
  LiveModel(LiveModel&&) = delete;
  LiveModel& operator=(LiveModel&&) = delete;
  virtual ~LiveModel() = default;

  virtual const Drawing& drawing() const = 0;
  /// x, y, z of every vertex [m].
  virtual void places(std::vector<float>& out) = 0;
  /// Force of each line for its colour, -127 (pressed) to 127 (pulled), -128: broken; empty: not
  /// known.
  virtual void tensions(std::vector<std::int8_t>& out) = 0;

  virtual double time() const = 0;
  /// Makes `steps` steps; false: a step failed, and failure() says why.
  virtual bool advance(std::int64_t steps) = 0;
  virtual std::string failure() const = 0;
  virtual LiveEnergy energy() = 0;
  /// Frequencies at the present state, in ascending order.
  /// @param asked  false: empty if they take longer than a picture; true: of a large model too
  /// @throws Error  (asked) why there are none
  virtual std::vector<LiveFrequency> frequencies(bool asked) = 0;

  /// True if frequencies(false) takes less time than a picture.
  virtual bool is_quick_to_linearise() const { return true; }

  virtual LiveStepping stepping() const = 0;
  /// Computes the stable step at the present state.
  virtual void look_at_stability() = 0;
  /// @param step  [s]; 0: chosen by the model
  /// @throws UsageError  no such integrator
  virtual void set_stepping(const std::string& integrator, double step) = 0;

  /// Ties a vertex to a pointer by a spring and a damper.
  /// @throws UsageError  the vertex is held
  virtual void grab(std::size_t vertex, const Eigen::Vector3d& pointer) = 0;
  virtual void drag(const Eigen::Vector3d& pointer) = 0;
  virtual void release() = 0;
  /// Breaks a spring; false: this model has no such springs, and the document must be changed
  /// instead.
  virtual bool cut(const std::string& path) = 0;

  virtual std::unique_ptr<LiveState> state() const = 0;
  /// Continues from a state of this or of a changed model; false: it does not fit.
  virtual bool take_over(const LiveState& state) = 0;

  virtual const std::vector<mbd_solver::Channel>& channels() const = 0;
  virtual std::vector<double> values() = 0;
  /// The text that a result stores for pictures: its name ("lattice", "picture") and content.
  virtual std::pair<std::string, std::string> picture() const = 0;
};

}  // namespace femflex::live
