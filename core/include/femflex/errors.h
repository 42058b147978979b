// The exceptions that the libraries throw, and the place in the input that they name.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace femflex {

/// Where in the input an error is. Fields that are not known stay empty or negative.
struct Where {
  std::string file;
  std::int64_t line = -1;    ///< 1-based
  std::int64_t column = -1;  ///< 1-based
  std::int64_t byte = -1;    ///< offset from the start of the file
  std::string record;        ///< card, table, group or JSON path

  /// `file:12: GRID 4711`, `file:byte 8184: KAA`, or less if less is known.
  std::string text() const;
};

/// Base of every exception that leaves a femflex library. Holds what was found, what was expected,
/// where, and how to fix it; `what()` joins these in one line.
class Error : public std::exception {
 public:
  const char* what() const noexcept override { return line_.c_str(); }
  /// Name of the class as users see it in `--json` and in Python: "ParseError", ...
  std::string_view kind() const noexcept { return kind_; }
  /// Stable short name for scripts, in kebab case: "truncated", "unknown-key", ...
  const std::string& code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const Where& where() const noexcept { return where_; }
  /// What to do about it; may be empty.
  const std::string& fix() const noexcept { return fix_; }

 protected:
  Error(std::string_view kind, std::string code, std::string message, Where where, std::string fix);

 private:
  std::string_view kind_;
  std::string code_, message_;
  Where where_;
  std::string fix_, line_;
};

/// A file breaks its own format. Exit code 2.
class ParseError : public Error {
 public:
  ParseError(std::string code, std::string message, Where where = {}, std::string fix = {});
};

/// The numbers contradict physics or each other. Exit code 2.
class ModelError : public Error {
 public:
  ModelError(std::string code, std::string message, Where where = {}, std::string fix = {});
};

/// An algorithm failed, for example did not converge. Exit code 3.
class NumericalError : public Error {
 public:
  NumericalError(std::string code, std::string message, Where where = {}, std::string fix = {});
};

/// What the user requested is impossible: wrong options, missing input files, outputs that cannot
/// be written (unwritable folder, full disk). Exit code 2.
class UsageError : public Error {
 public:
  UsageError(std::string code, std::string message, Where where = {}, std::string fix = {});
};

/// The user asked to stop. Exit code 130, the shell convention for Ctrl-C (128 + SIGINT).
class Cancelled : public Error {
 public:
  Cancelled();
};

}  // namespace femflex
