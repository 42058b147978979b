// Goes through the lines of a CalculiX or Abaqus deck and of the files that it includes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/progress.h"

#include "calculix/inp_keyword.h"

namespace femflex::importer {

/// Takes the lines of a deck in the order in which they count.
class InpLineSink {
 public:
  InpLineSink() = default;
  InpLineSink(const InpLineSink&) = delete;
  InpLineSink& operator=(const InpLineSink&) = delete;
  InpLineSink(InpLineSink&&) = delete;
  InpLineSink& operator=(InpLineSink&&) = delete;
  virtual ~InpLineSink() = default;
  /// Takes a keyword line, except an INCLUDE.
  virtual void begin_keyword(InpKeyword keyword) = 0;
  /// Takes a data line without blanks around it.
  virtual void read_data(std::string_view line) = 0;
};

/// The lines of an INCLUDE stand in its place, also amid the data lines of a keyword; those of
/// INPUT=file behind the keyword line that names it.
class InpFiles {
 public:
  InpFiles(InpLineSink& sink, Diagnostics& diagnostics, Progress& progress)
      : sink_(sink), diagnostics_(diagnostics), progress_(progress) {}

  /// Passes all lines on. Warns of files that do not exist.
  /// @throws ParseError  INCLUDEs without end, or without a file
  void read(const std::filesystem::path& path);

  /// File and line of the line passed on last.
  Where here() const { return {file_, line_}; }
  /// The file that includes the others.
  const std::string& deck() const { return deck_; }
  /// Size of all files read so far.
  std::int64_t bytes() const { return bytes_; }

 private:
  void read_file(const std::filesystem::path& path, int depth);
  void keyword_line(std::string_view line, const std::filesystem::path& file, int depth);
  void include(const std::filesystem::path& path, int depth);
  [[noreturn]] void fail(const std::string& what) const;

  InpLineSink& sink_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  std::string deck_, file_;
  std::string including_;  // keyword that includes a file
  std::int64_t line_ = 0, files_ = 0, bytes_ = 0;
};

}  // namespace femflex::importer
