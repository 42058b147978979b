// Collects the surfaces of CalculiX and Abaqus decks: faces of elements, or nodes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/element_shape.h"
#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_names.h"
#include "calculix/inp_sets.h"

namespace femflex::importer {

/// Corners of the faces 1 to 6 of a solid as CalculiX and Abaqus number them, as positions in the
/// element's node list, from 0; empty for other shapes.
const std::vector<std::vector<int>>& inp_faces_of(ElementShape shape);

/// Reads *SURFACE:
///
///   *SURFACE, NAME=, TYPE=ELEMENT (default)   element or set, face: S1 to S6, SPOS, SNEG
///   *SURFACE, NAME=, TYPE=NODE                node or set
class InpSurfaces {
 public:
  struct Face {
    std::string region, label;  ///< element or set, as InpNames::here() gives it; S1 or the like
    Where where;
  };

  /// `names` must outlive the surfaces.
  explicit InpSurfaces(const InpNames& names) : names_(names) {}
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::string& keyword, const InpParameters& parameters);
  /// Takes a data line below the keyword line.
  void data(const std::vector<std::string_view>& fields, const Where& where);

  /// The faces of a surface of elements; null if there is none of that name.
  const std::vector<Face>* faces_of(std::string_view name) const;
  /// All nodes of a surface in ascending order; nothing if there is no such surface, or one of its
  /// lines is not understood.
  std::optional<std::vector<std::int64_t>> nodes_of(std::string_view name,
                                                    InpSets& node_sets,
                                                    InpSets& element_sets,
                                                    const std::vector<ElementBlock>& blocks) const;

 private:
  struct Surface {
    bool is_of_nodes = false;
    std::vector<Face> faces;
  };
  const InpNames& names_;
  std::map<std::string, Surface> surfaces_;
  Surface* current_ = nullptr;  // of the current keyword
};

}  // namespace femflex::importer
