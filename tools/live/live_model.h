// LiveModel: the interface between a live page and a running model, which is a lattice or a system.
// live_lattice() and live_system() implement it.
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

/// The drawing of a model. Between pictures, only the positions of the vertices change.
struct Drawing {
  struct Item {
    std::string name;   ///< "node 3", "joint pin"
    std::string path;   ///< path of its numbers in the document, such as "nodes/2"; empty: none
    std::string place;  ///< place on which a load can act: a node's number, "chassis/301"; empty:
                        ///< none
  };
  std::size_t vertices = 0;
  std::size_t grips = 0;              ///< number of vertices that can be picked and dragged; they
                                      ///< come first
  std::size_t first_sign_line = 0;    ///< lines from this index on are signs of hinges and loads
  std::vector<std::uint32_t> points;  ///< vertices drawn as points
  std::vector<std::uint32_t> lines;   ///< two vertices per line
  std::vector<std::uint32_t> triangles;      ///< three vertices per triangle
  std::vector<std::uint8_t> held;            ///< one per point: 1 if it cannot move
  std::vector<Item> items;                   ///< items that can be picked
  std::vector<std::int32_t> item_of_vertex;  ///< index into `items`, -1: none
  std::vector<std::int32_t> item_of_line;    ///< index into `items`, -1: none
  bool is_planar = false;
  double size = 1.0;  ///< [m] size of the whole picture
};

struct LiveEnergy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< [J]
  double work = 0.0;       ///< by forces without potential, minus the energy of broken springs [J]
};

struct LiveFrequency {
  double hz = 0.0;       ///< |eigenvalue| / 2 pi
  double damping = 0.0;  ///< damping ratio; negative if the motion grows
};

/// Integrator and step of a model.
struct LiveStepping {
  std::string integrator;
  std::vector<std::string> integrators;  ///< those that the model can use
  double step = 0.0;                     ///< integrators that the model supports
  /// [s] largest stable step; infinity: all steps are stable; NaN: unknown
  double stable_step = 0.0;
};

/// The state of a running model, from which the same or a changed model can continue.
class LiveState {
 public:
  LiveState() = default;
  LiveState(const LiveState&) = delete;
  LiveState& operator=(const LiveState&) = delete;
  LiveState(LiveState&&) = delete;
  LiveState& operator=(LiveState&&) = delete;
  virtual ~LiveState() = default;
};

/// A running model. It does not depend on clocks and pages.
class LiveModel {
 public:
  LiveModel() = default;
  LiveModel(const LiveModel&) = delete;
  LiveModel& operator=(const LiveModel&) = delete;
  LiveModel(LiveModel&&) = delete;
  LiveModel& operator=(LiveModel&&) = delete;
  virtual ~LiveModel() = default;

  virtual const Drawing& drawing() const = 0;
  /// Writes x, y, z of every vertex [m].
  virtual void places(std::vector<float>& out) = 0;
  /// Writes the force of each line for its colour: -127 (compression) to 127 (tension), -128:
  /// broken. Empty: unknown.
  virtual void tensions(std::vector<std::int8_t>& out) = 0;

  virtual double time() const = 0;
  /// Makes `steps` steps. Returns false if a step failed; failure() then gives the reason.
  virtual bool advance(std::int64_t steps) = 0;
  virtual std::string failure() const = 0;
  virtual LiveEnergy energy() = 0;
  /// Frequencies at the present state, in ascending order.
  /// @param asked  false: empty if the computation takes longer than a picture; true: also for
  /// large models
  /// @throws Error  (only if asked) the reason why there are none
  virtual std::vector<LiveFrequency> frequencies(bool asked) = 0;

  /// True if frequencies(false) takes less time than a picture.
  virtual bool is_quick_to_linearise() const { return true; }

  virtual LiveStepping stepping() const = 0;
  /// Computes the largest stable step at the present state.
  virtual void look_at_stability() = 0;
  /// @param step  [s]; 0: chosen by the model
  /// @throws UsageError  no such integrator
  virtual void set_stepping(const std::string& integrator, double step) = 0;

  /// Connects a vertex to a pointer by a spring and a damper.
  /// @throws UsageError  the vertex is fixed
  virtual void grab(std::size_t vertex, const Eigen::Vector3d& pointer) = 0;
  virtual void drag(const Eigen::Vector3d& pointer) = 0;
  virtual void release() = 0;
  /// Breaks a spring. Returns false if the model does not support this; the document must then be
  /// changed.
  virtual bool cut(const std::string& path) = 0;

  virtual std::unique_ptr<LiveState> state() const = 0;
  /// Continues from a state of this or a changed model. Returns false if the state does not match.
  virtual bool take_over(const LiveState& state) = 0;

  virtual const std::vector<mbd_solver::Channel>& channels() const = 0;
  virtual std::vector<double> values() = 0;
  /// Name ("lattice" or "picture") and content of the text that a result stores for pictures.
  virtual std::pair<std::string, std::string> picture() const = 0;
};

}  // namespace femflex::live
