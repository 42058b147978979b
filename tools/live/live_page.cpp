// Inserts style and script into the HTML of the live page.
#include "live/live_page.h"

#include <span>
#include <string_view>

#include "live/live_assets.h"

namespace femflex::live {
namespace {

std::string whole(std::span<const std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces)
    out += piece;
  return out;
}

void put(std::string& page, std::string_view mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at != std::string::npos) page.replace(at, mark.size(), text);
}

}  // namespace

std::string live_page() {
  std::string page = whole(page_text());
  put(page, "@STYLE@", whole(style_text()));
  put(page, "@SCRIPT@", whole(script_text()));
  return page;
}

}  // namespace femflex::live
