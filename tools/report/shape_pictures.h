// Pictures of the first shapes of a body, as lines of its mesh, for the HTML pages.
#pragma once

#include <string>

#include "femflex/flex_body.h"

namespace femflex::report {

/// One SVG with a picture for each of the first `count` shapes, deformed over undeformed, seen from
/// the front right above; empty for a body without shapes or with fewer than two nodes.
std::string svg_of_shapes(const FlexBody& body, Eigen::Index count);

}  // namespace femflex::report
