// Composes the one-line text of an exception from place, message and remedy: "where: message; fix".
#include "femflex/errors.h"

#include <utility>

#include <fmt/format.h>

namespace femflex {

std::string Where::text() const {
  std::string out = file;
  if (line >= 0) out += fmt::format("{}{}", out.empty() ? "line " : ":", line);
  if (line >= 0 && column >= 0) out += fmt::format(":{}", column);
  if (line < 0 && byte >= 0) out += fmt::format("{}byte {}", out.empty() ? "" : ":", byte);
  if (!record.empty()) out += fmt::format("{}{}", out.empty() ? "" : ": ", record);
  return out;
}

Error::Error(
    std::string_view kind, std::string code, std::string message, Where where, std::string fix)
    : kind_(kind),
      code_(std::move(code)),
      message_(std::move(message)),
      where_(std::move(where)),
      fix_(std::move(fix)) {
  const std::string where_text = where_.text();
  line_ = where_text.empty() ? message_ : fmt::format("{}: {}", where_text, message_);
  if (!fix_.empty()) line_ += fmt::format("; {}", fix_);
}

ParseError::ParseError(std::string code, std::string message, Where where, std::string fix)
    : Error("ParseError", std::move(code), std::move(message), std::move(where), std::move(fix)) {}

ModelError::ModelError(std::string code, std::string message, Where where, std::string fix)
    : Error("ModelError", std::move(code), std::move(message), std::move(where), std::move(fix)) {}

NumericalError::NumericalError(std::string code, std::string message, Where where, std::string fix)
    : Error(
          "NumericalError", std::move(code), std::move(message), std::move(where), std::move(fix)) {
}

UsageError::UsageError(std::string code, std::string message, Where where, std::string fix)
    : Error("UsageError", std::move(code), std::move(message), std::move(where), std::move(fix)) {}

Cancelled::Cancelled() : Error("Cancelled", "cancelled", "stopped on request", {}, {}) {}

}  // namespace femflex
