// Fuzz target: any bytes as a body file of one text format. The file must be read completely, or
// refused with an Error of femflex.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"

#include "bytes/line_cursor.h"
#include "formats/exudyn.h"
#include "formats/flex.h"
#include "formats/mbdyn_fem.h"
#include "formats/sid.h"

namespace {

void parse(std::string_view format, std::string_view text) {
  using namespace femflex;            // NOLINT: a program of one file
  using namespace femflex::flexfile;  // NOLINT
  Diagnostics ignored;
  if (format == "flex") {
    LineCursor lines(text, "fuzz");
    make_flex_body(parse_flex(lines, true, ignored, no_progress()));
  } else if (format == "sid") {
    make_flex_body(parse_sid(text, "fuzz", ignored, no_progress()));
  } else if (format == "mbdyn") {
    make_flex_body(parse_mbdyn_fem(text, "fuzz", ignored, no_progress()));
  } else if (format == "exudyn") {
    make_flex_body(parse_exudyn_npz(text, "fuzz", ignored));
  } else {
    parse_dads_input(text, "fuzz", ignored);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    parse(FEMFLEX_FUZZ_FORMAT, {reinterpret_cast<const char*>(data), size});  // NOLINT: bytes
  } catch (const femflex::Error&) {
  }
  return 0;
}
