// Fuzz target: any bytes as the canonical text form of a part. The text must be read, or refused
// with an Error of femflex. A part that is read, written and read again must be the same.
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
