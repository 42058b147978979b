// is_one_of: for lists in which every force law must be entered, such as those that may switch. A
// new law that is missing in one does not compile.
#pragma once

#include <type_traits>

namespace femflex::mbd_solver {

/// True if `Law` is among `Laws`.
template <class Law, class... Laws>
inline constexpr bool is_one_of = (std::is_same_v<Law, Laws> || ...);

}  // namespace femflex::mbd_solver
