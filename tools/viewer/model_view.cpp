// The view of an FE model: its mesh and, if its files contain them, its mode shapes. Declared in
// viewer_page.h.
#include <utility>

#include <fmt/format.h>

#include "femflex/nodal_shapes.h"

#include "viewer_page.h"

namespace femflex::viewer {

View model_view(const FeModel& model, Blobs& blobs) {
  const Units units = model.units.value_or(Units{});
  FlexBody body;
  body.name = model.name.empty() ? "model" : model.name;
  for (const Node& node : model.nodes)
    body.nodes.push_back({node.id, units.length * node.position});
  body.elements = model.elements;
  body.shapes = nodal_shapes(model, model.modes, units);
  for (const ModeInfo& mode : model.modes.modes) {
    BodyMode shown;
    shown.kind = mode.kind;
    shown.sources = {label_of(mode)};
    shown.eigenvalue = mode.eigenvalue * units.eigenvalue();
    body.modes.push_back(std::move(shown));
  }
  View view = mode_view(body, blobs);
  tools::Json notes = tools::Json::list();
  notes.push_back(
      fmt::format("FE model: {} nodes, {} mode shapes", model.nodes.size(), model.modes.count()));
  if (model.modes.count() == 0)
    notes.push_back("no mode shapes in the file: 'femflex modes' computes them from K and M");
  if (!model.units) {
    notes.push_back("units not given: lengths are those of the file, time is taken in s");
    view.data["lengthUnit"] = "units of the file";
  }
  view.data["notes"] = std::move(notes);
  return view;
}

}  // namespace femflex::viewer
