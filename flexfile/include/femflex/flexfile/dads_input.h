// Reads and writes formatted DADS inputs, and defines the data of their blocks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// A body of a formatted DADS input. Position and orientation are those of its frame in ground.
struct DadsBody {
  std::string name;
  bool is_ground = false;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();     ///< [m]
  Eigen::Vector3d orientation = Eigen::Vector3d::Zero();  ///< Euler angles as written
  double mass = 1.0;                                      ///< [kg]
  Eigen::Vector3d inertia = Eigen::Vector3d::Ones();      ///< Ixx Iyy Izz [kg m^2]
  Eigen::Vector3d products = Eigen::Vector3d::Zero();     ///< Ixy Iyz Izx [kg m^2]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();     ///< [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();         ///< [rad/s]
};

/// A bracket joint: two bodies without relative motion. Three points on each body define a triad:
/// origin, a point on the joint z axis, a point on the joint x axis; relative to the node if one is
/// given.
struct DadsBracket {
  std::string name;
  std::string body_i;
  std::string body_j;
  std::int64_t node_i = 0;  ///< FE node; 0: points relative to the body frame
  std::int64_t node_j = 0;  ///< FE node; 0: points relative to the body frame
  std::array<Eigen::Vector3d, 3> triad_i{
      Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX()};
  std::array<Eigen::Vector3d, 3> triad_j{
      Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX()};
};

/// A constant force on an FE node of a flexible body, acting from the start of the simulation.
struct DadsNodeForce {
  std::int64_t node = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< [N], in the body frame
};

/// Makes a body of the list flexible.
struct DadsFlexible {
  std::string name;                   ///< name of the block: "DMSSFLEX"
  int code = 6;                       ///< number before the name; kept as found
  std::string body;                   ///< name of the body that it makes flexible
  std::vector<double> damping_ratio;  ///< relative damping beta, one per mode
  std::vector<DadsNodeForce> forces;
  FlexBody flex;  ///< the FLEX content; its modes carry the damping ratios
};

/// Contents of a formatted DADS input. The meaning of the unnamed numbers is inferred from the one
/// published file and its response; docs/formats/dads.md lists the records and marks these numbers.
struct DadsInput {
  std::vector<std::string> title;
  std::string units = "SI";
  std::string analysis = "DYNAMIC";
  double length_factor = 1.0;                         ///< [m] per unit of length
  Eigen::Vector3d gravity_direction{0.0, 0.0, -1.0};  ///< unit vector
  double gravity = 0.0;                               ///< [m/s^2] along gravity_direction
  double start = 0.0;                                 ///< [s]
  double end = 1.0;                                   ///< [s]
  double print_step = 0.05;                           ///< [s]
  double redundancy_tolerance = 1e-12;                ///< for finding redundant constraints
  double assembly_tolerance = 1e-3;                   ///< for the initial assembly
  double max_step = 0.05;                             ///< [s]
  double integration_tolerance = 1e-3;
  double constraint_tolerance = 1e-4;
  std::vector<DadsBracket> brackets;
  std::vector<DadsBody> bodies;
  std::vector<DadsFlexible> flexible;
};

/// True if the content looks like a formatted DADS input.
bool is_dads_input(std::string_view head);

/// Reads a formatted DADS input. Warns of damping ratios outside 0 to 1.
/// @throws UsageError  no such file;  ParseError  a record that breaks the layout (line, column)
DadsInput read_dads_input(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The same from its text; `file` is for messages.
DadsInput parse_dads_input(std::string_view text,
                           const std::string& file,
                           Diagnostics& diagnostics);

/// An input for a single body: the ground, the body at rest, and, if all modes leave a node at rest
/// (the body was held there when they were computed), a bracket that holds the node to the ground.
/// No gravity, no forces, one second. Warns of what is left out.
DadsInput dads_input_of(const FlexBody& body, Diagnostics& diagnostics);

/// Writes the complete file or nothing. Bodies carry nodal_masses(), as in FLEX files.
void write_dads_input(const DadsInput& input,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics);

}  // namespace femflex::flexfile
