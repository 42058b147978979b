// Collects materials and sections of CalculiX and Abaqus decks, from which stresses are computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/importer/contents.h"

#include "calculix/inp_dialect.h"
#include "calculix/inp_keyword.h"
#include "calculix/inp_orientations.h"
#include "calculix/inp_sets.h"
#include "calculix/inp_temperatures.h"

namespace femflex::importer {

/// Reads these keyword lines; what their data lines hold is on the right:
///
///   *MATERIAL, NAME=                then *ELASTIC, TYPE=ISO, ORTHO or ENGINEERING CONSTANTS,
///                                   and *DENSITY
///   *SOLID SECTION, ELSET=, MATERIAL=, ORIENTATION=        area of trusses
///   *SHELL SECTION, ELSET=, MATERIAL=, OFFSET=, ORIENTATION=   thickness
///   *BEAM SECTION, ELSET=, MATERIAL=, SECTION=RECT or CIRC     sizes along axes 1, 2, for CIRC of
///                                   Abaqus the radius; then axis 1
///   *ORIENTATION                    InpOrientations
///
/// Elastic constants and densities of several temperatures are those of the temperature of the
/// model, or, if the deck gives none, those of the first row, as in CalculiX; a warning says which.
class InpMaterials {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::string& keyword, const InpParameters& parameters);
  /// Takes a data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// Takes an element with the type of its deck (C3D20R).
  void element(std::int64_t id, std::string_view type);
  /// Number of sections so far.
  std::size_t section_count() const { return sections_.size(); }
  /// Turns the axes of the sections [first, last) with the instance of their part.
  void turn(std::size_t first, std::size_t last, const Eigen::Matrix3d& rotation);
  /// Adds materials, properties and the sections of all elements that have one.
  /// The last section of an element counts, as in CalculiX.
  /// @param temperature  of the elements
  /// @param dialect      circles and orientations differ between the programs
  /// @param file         for warnings
  void finish(const InpSets& element_sets,
              const InpTemperature& temperature,
              const InpDialect& dialect,
              const std::string& file,
              FileContents& contents,
              Diagnostics& diagnostics);

 private:
  enum class Open : std::uint8_t { nothing, elastic, density, section };
  struct Section {
    FeProperty property;
    std::string set, shape, orientation;
    std::vector<double> sizes;
    /// the second size; the first one if it is not given
    double second_size() const { return sizes.size() < 2 ? first_size() : sizes[1]; }
    double first_size() const { return sizes.empty() ? FeProperty::kNone : sizes[0]; }
    Eigen::Vector3d axis{0.0, 0.0, -1.0};                ///< axis 1 of a beam
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< of the instance
    bool is_beam = false;
    double offset = 0.0;  ///< relative to the thickness
  };
  void begin_section(const std::string& keyword, const InpParameters& parameters);
  void section_line(const std::vector<std::string_view>& fields);
  struct Elastic {  ///< *ELASTIC of a material
    std::string type;
    std::vector<double> pending_row;        ///< numbers of a row that lacks some
    std::vector<std::vector<double>> rows;  ///< constants, then the temperature
    std::size_t constants() const;
  };
  static void set_elastic(const Elastic& elastic,
                          const InpTemperature& temperature,
                          const std::string& file,
                          FeMaterial& material,
                          Diagnostics& diagnostics);
  using Rows = std::vector<std::vector<double>>;
  static void set_density(const Rows& rows,
                          const InpTemperature& temperature,
                          const std::string& file,
                          FeMaterial& material,
                          Diagnostics& diagnostics);
  void orient(const Section& section,
              const InpDialect& dialect,
              FeProperty& property,
              Eigen::Vector3d& direction) const;
  static void set_beam(const Section& section, const InpDialect& dialect, FeProperty& property);
  void warn_of_circles(const std::string& file, Diagnostics& diagnostics) const;

  Open open_ = Open::nothing;
  int lines_ = 0;
  std::vector<FeMaterial> materials_;
  std::vector<Elastic> elastic_;  ///< of each material
  std::vector<Rows> densities_;   ///< of each material: density, then the temperature
  std::vector<Section> sections_;
  InpOrientations orientations_;
  struct Element {
    std::int64_t id = 0;
    ElementIntegration integration = ElementIntegration::full;
    bool is_rigid_in_shear = false;  ///< B33
  };
  std::vector<Element> elements_;
};

}  // namespace femflex::importer
