// live_page(): the live page as one HTML text, which the service sends.
#pragma once

#include <string>

namespace femflex::live {

/// The page refers to no other file or host.
std::string live_page();

}  // namespace femflex::live
