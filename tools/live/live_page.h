// The live page as one HTML text.
#pragma once

#include <string>

namespace femflex::live {

/// The whole page; it refers to no other file and no other host.
std::string live_page();

}  // namespace femflex::live
