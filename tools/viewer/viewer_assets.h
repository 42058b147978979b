// The parts of the viewer page (HTML, CSS, JavaScript) that the build embeds in the program.
#pragma once

#include <span>
#include <string_view>

namespace femflex::viewer {

/// page.html, style.css and the bundled script, in pieces (embed.cmake).
std::span<const std::string_view> page_text();
std::span<const std::string_view> style_text();
std::span<const std::string_view> script_text();

}  // namespace femflex::viewer
