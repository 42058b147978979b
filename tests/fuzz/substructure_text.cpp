// Any bytes: the canonical text form is read, or refused with one of our errors. What is read and
// written again is the same part.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "femflex/errors.h"
#include "femflex/substructure/text_form.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace femflex::substructure;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const DynamicStiffness part = read_text(text, "fuzz", {.bytes = 1 << 16, .ports = 64});
    const DynamicStiffness again = read_text(write_text(part), "again");
    if (to_polynomials(again) != to_polynomials(part)) std::abort();
  } catch (const femflex::Error&) {
  }
  return 0;
}
