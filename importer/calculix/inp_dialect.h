// Which program a deck of *-keywords is for. CalculiX and Abaqus read the same keywords, but differ
// in what the steps after a perturbation keep.
#pragma once

#include <cstdint>
#include <string>

#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"

namespace femflex::importer {

/// Tells from keywords and parameters that one of the programs alone has.
class InpDialect {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::string& keyword, const InpParameters& parameters);
  /// Parts, or keywords of Abaqus: *PREPRINT, *STEP with a NAME, *OUTPUT of FIELD or HISTORY ...
  bool is_abaqus() const { return is_abaqus_; }
  /// SOLVER= or STORAGE= of a procedure.
  bool is_calculix() const { return is_calculix_; }

 private:
  bool is_abaqus_ = false, is_calculix_ = false;
};

/// A step whose loads differ in two readings of one deck; 0 if there is none.
std::int64_t step_that_differs(const RawLoads& one, const RawLoads& other);

}  // namespace femflex::importer
