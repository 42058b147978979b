// Record of the files, program and options from which a value was made.
#pragma once

#include <string>
#include <vector>

namespace femflex {

/// Where a value came from. Files are named without their folder, so that outputs are reproducible.
struct Provenance {
  struct Source {
    std::string file;
    std::string sha256;  ///< lower-case hex
  };
  std::vector<Source> sources;
  std::string program;  ///< FE code and version as the files declare them; may be empty
  std::string options;  ///< options of the femflex call that made the value
};

}  // namespace femflex
