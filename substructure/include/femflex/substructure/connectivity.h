// Reads tables that say which ports of which parts are joined, and assembles the parts.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// Connections between ports: a row {a, p, b, q} joins port p of part a to port q of part b, and a
/// row {a, p, 0, 0} leaves the port free.  Parts and ports count from 1.  Rows may form chains, so
/// that any number of ports meet at a node.  Nodes are numbered by the first row that names them;
/// ports without a row follow, part by part.
using ConnectionTable = std::vector<std::array<int, 4>>;

/// Nodes of parts: for each part, the node of each of its ports.  Nodes count from 1 without gaps;
/// 0 leaves the port free, with a node of its own after the others.
using ObjectTable = std::vector<std::vector<int>>;

/// The node of every port.
/// @param port_counts  one per part
/// @throws ModelError  a part or port that does not exist, a port declared free and joined, a
///                     connection of a port with itself
ObjectTable object_table(const ConnectionTable& connections, const std::vector<int>& port_counts);

/// The connection table of these nodes: one row per join, in ascending order of nodes.
/// object_table() gets the same numbering from it.
/// @throws ModelError  node numbers with gaps or negative
ConnectionTable connection_table(const ObjectTable& objects);

/// Numbers free ports: each zero becomes a separate node. Returns the number of nodes.
/// @throws ModelError  node numbers with gaps or negative
int number_nodes(ObjectTable& objects);

/// The joined parts as one part:  R = sum L_e' R_e L_e  (eq. 3).  Ports are the nodes, named "1",
/// "2", ...; inner coordinates follow part by part.  Entries at the same place are added in
/// ascending order of value, so that the sums are the same bit for bit for any order of parts or
/// rows.
/// @throws ModelError  tables and parts do not match
DynamicStiffness assembled(std::span<const DynamicStiffness* const> parts,
                           const ObjectTable& objects,
                           std::string name = {});
DynamicStiffness assembled(std::span<const DynamicStiffness* const> parts,
                           const ConnectionTable& connections,
                           std::string name = {});

}  // namespace femflex::substructure
