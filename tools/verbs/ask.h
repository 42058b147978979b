// The verb `ask`: requests a part from an agent and solves it, without an assembly file.
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
  bool is_registry = false;  ///< `place` is a registry, which gives the agents of parts
  std::string part;          ///< number of the part; empty: list the parts
  std::string token_env;     ///< environment variable with the token to send; empty: none
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system
  double timeout = 5.0;      ///< [s] longest wait for an agent

  std::vector<std::int64_t> fixed;  ///< ports that are held
  std::vector<std::int64_t> ports;  ///< a force at the first, displacements at the others
  double force = 1.0;               ///< [N] force of the responses over time
  std::optional<modal::FrequencyBand> band;
  std::int64_t points = 200;  ///< frequencies in `band`, evenly spaced on a logarithmic axis
  bool step = false;
  bool impulse = false;
  std::optional<double> end;  ///< [s] end of the responses over time
  std::optional<double> dt;   ///< [s] time step; absent: a thousandth of `end`

  std::filesystem::path output, csv, frf_csv;  ///< see AssemblyOutputs
};

/// Asks an agent about a part, without an assembly file: poles, frequency responses, responses over
/// time. Without a part number the document lists the parts of the agent or of the registry.
/// @throws UsageError  a request that lacks ports or a time; see write_assembly()
/// @throws AgentError  the agent cannot be reached, refuses, or sends what is not a part
tools::AssemblyResult ask(const AskRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
