// svg_of_shapes(): pictures of the first shapes of a body for the HTML pages.
#pragma once

#include <string>

#include "femflex/flex_body.h"

namespace femflex::report {

/// One SVG with a picture of each of the first `count` shapes: the deformed mesh over the
/// undeformed one, viewed from the front right above. Empty for a body without shapes or with fewer
/// than two nodes.
std::string svg_of_shapes(const FlexBody& body, Eigen::Index count);

}  // namespace femflex::report
