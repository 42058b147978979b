// Skips byte-order mark, blanks and comments, and decides by the first remaining character.
#include "lattice/lattice_text.h"

#include <algorithm>

#include "femflex/text.h"

namespace femflex::tools {
namespace {

/// Offset of the first character outside blanks and comments (# or //).
std::size_t first_sign(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '#' || text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (static_cast<unsigned char>(text[at]) <= ' ')
      ++at;
    else
      break;
  }
  return at;
}

/// True for a state "[3]", with which a polynomial may start; "[]" and "[{" are not states.
bool is_state(std::string_view text) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  return next != std::string_view::npos && is_digit(text[next]);
}

}  // namespace

LatticeText lattice_text_of(std::string_view text) {
  text = without_byte_order_mark(text);
  text.remove_prefix(first_sign(text));
  if (text.empty()) return LatticeText::empty;
  const char c = text.front();
  if (c == '{' || text.starts_with("/*")) return LatticeText::json;
  if (c == '<') return LatticeText::fydik;
  if (c == 'H' || (c == '[' && is_state(text))) return LatticeText::polynomial;
  if (c == '[') return LatticeText::list;
  if (c == '+' || c == '-' || c == '.' || is_digit(c)) return LatticeText::matrix;
  return LatticeText::unknown;
}

}  // namespace femflex::tools
