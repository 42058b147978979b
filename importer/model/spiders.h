// Adds the spiders of an import request to the model: nodes, their ties to the mesh, and rows of
// the matrices, which have neither stiffness nor mass of their own.
#pragma once

#include <vector>

#include "femflex/importer/spider.h"

#include "model/gather.h"
#include "model/matrices.h"

namespace femflex::importer {

/// @throws UsageError  the number is taken, nodes are unknown, or they do not determine the motion
void add_spiders(const std::vector<Spider>& spiders, Gathered& gathered, Matrices& matrices);

}  // namespace femflex::importer
