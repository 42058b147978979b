#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex::mbd_solver::formula {

/// Times in (start, end] from which a formula goes another way because of the time alone: where a
/// step(), if(), sign(), abs(), min(), max(), floor(), ceil() or mod() of the first variable turns.
/// Each is the first number behind the turn. What turns twice within a 2000th of the span is
/// missed.
std::vector<double> switch_times(std::string_view text,
                                 const std::vector<std::string>& variables,
                                 double start,
                                 double end);

/// The part of a formula that jumps with a variable other than the first, time: "sign(v)"; empty
/// where none does. Of v itself it is tried whether the whole formula jumps: v sign(v) does not.
std::string state_jump(std::string_view text, const std::vector<std::string>& variables);

}  // namespace femflex::mbd_solver::formula
