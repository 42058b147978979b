// The HTML page on which models are watched live, as one text.
#pragma once

#include <string>

namespace femflex::live {

/// The page, whole: it names no other file and no other host.
std::string live_page();

}  // namespace femflex::live
