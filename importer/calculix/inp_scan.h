// Reads what a line of a CalculiX or Abaqus deck consists of: comments, fields between commas,
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/errors.h"

namespace femflex::importer {

/// True for a comment: `** text`, also after the `>` of a mailed deck, or a lone `*`. `line` has no
/// blanks around it.
bool is_inp_comment(std::string_view line);
/// The text without surrounding blanks and quotes.
std::string unquoted(std::string_view text);
/// Fields between commas, blanks around them removed.
std::vector<std::string_view> fields_of(std::string_view line);
/// A field as a number. @throws ParseError  at `where`
std::int64_t inp_integer(std::string_view field, const Where& where);
double inp_real(std::string_view field, const Where& where);
/// Field k as a number; 0 if it is blank or missing. @throws ParseError  at `where`
double inp_real_or_zero(const std::vector<std::string_view>& fields,
                        std::size_t k,
                        const Where& where);

}  // namespace femflex::importer
