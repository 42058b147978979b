// The texts of the live page, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace femflex::live {

/// live.html, live.css and live.js of page/, in pieces (viewer/embed.cmake).
std::span<const std::string_view> page_text();
std::span<const std::string_view> style_text();
std::span<const std::string_view> script_text();

}  // namespace femflex::live
