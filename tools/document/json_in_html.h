// JSON text as the content of a script element of HTML. Pages of the report and the viewer use it.
#pragma once

#include <string>

namespace femflex::tools {

/// The JSON with every "<" as \u003c: "</script" would end the element, and "<!--" with "<script"
/// would make the parser look for a second end. "<" occurs in texts only.
inline std::string json_in_html(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace femflex::tools
