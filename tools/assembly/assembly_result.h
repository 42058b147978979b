// AssemblyResult: the results of solving an assembly as JSON, text and tables. run_assembly()
// returns it.
#pragma once

#include <string>

#include "document/json.h"

namespace femflex::tools {

/// The document of `femflex assemble --json`, a summary as text, the responses as tables, and the
/// dynamics if the text form can represent them.
struct AssemblyResult {
  Json document = Json::object();
  std::string text;
  std::string csv;  ///< time, then one column per response; empty without responses
  /// Frequency [Hz], then real part, imaginary part, magnitude and phase [deg] of each frequency
  /// response; empty without frequency responses.
  std::string frf_csv;
  /// Dynamics in text form; empty for large parts.
  std::string dynamics;
};

}  // namespace femflex::tools
