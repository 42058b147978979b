// ask(): the verb `ask`. Requests a part from an agent (a server of parts) and solves it, without
// an assembly file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"

namespace femflex::verbs {

/// Input of ask().
struct AskRequest {
  std::string place;         ///< http://host:port or https://host:port, or a directory file
  bool is_registry = false;  ///< true: `place` is a registry, which gives the addresses of agents
  std::string part;          ///< number of the part; empty: list the parts
  std::string token_env;     ///< environment variable with the token to send; empty: none
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system
  double timeout = 5.0;      ///< [s] longest wait for an agent

  std::vector<std::int64_t> fixed;  ///< ports to fix
  std::vector<std::int64_t> ports;  ///< the force acts at the first port; displacements are
                                    ///< computed at the others
  double force = 1.0;               ///< [N] force of the responses over time
  std::optional<modal::FrequencyBand> band;
  std::int64_t points = 200;  ///< number of frequencies in `band`, evenly spaced on a logarithmic
                              ///< axis
  bool step = false;
  bool impulse = false;
  std::optional<double> end;  ///< [s] end of the responses over time
  std::optional<double> dt;   ///< [s] time step; absent: a thousandth of `end`

  std::filesystem::path output, csv, frf_csv;  ///< see AssemblyOutputs
};

/// Requests a part from an agent and computes poles, frequency responses and responses over time.
/// Without a part number, the document lists the parts of the agent or registry.
/// @throws UsageError  ports or a time are missing in the request; see write_assembly()
/// @throws AgentError  the agent cannot be reached, rejects the request, or sends invalid data
tools::AssemblyResult ask(const AskRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
