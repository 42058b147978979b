// The results of solving an assembly, as JSON, text and tables; the verbs `assemble` and `ask`
// write it to files.
#pragma once

#include <string>

#include "document/json.h"

namespace femflex::tools {

/// The solution of an assembly: the document of `femflex assemble --json`, a summary as text, the
/// responses as a table, and the dynamics if the text form can hold them.
struct AssemblyResult {
  Json document = Json::object();
  std::string text;
  std::string csv;  ///< time, then one column per response; empty without responses
  /// Hz, then real part, imaginary part, magnitude and phase [deg] of each frequency response;
  /// empty without them.
  std::string frf_csv;
  /// Dynamics in canonical text form; empty for large parts.
  std::string dynamics;
};

}  // namespace femflex::tools
