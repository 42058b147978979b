// Collects eigenvectors, displacements and element stresses from NASTRAN punch files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

#include "nastran/stress_entries.h"

namespace femflex::importer {

/// Reads eigenvectors and displacements of a punch file. Lines have 80 columns with text in 1-72:
///   $TITLE, $SUBTITLE, $LABEL, $EIGENVECTOR or $DISPLACEMENTS ..., $REAL OUTPUT and the like,
///   $SUBCASE ID = n, $EIGENVALUE = x MODE = n            begin a block
///   id I10, type in column 18, three reals of 18 columns from column 19; -CONT- lines
///   continue with rotations, then with imaginary parts or phases
///   $ELEMENT STRESSES or STRAINS with $ELEMENT TYPE = n: id I10, then the words that OUTPUT2 has
///   for that type, three in a line from column 19
class PunchResults {
 public:
  PunchResults(FileContents& contents, std::string file)
      : contents_(contents), file_(std::move(file)) {}

  /// Takes a line that begins with `$`. `number` is the line number, for messages.
  void header(std::string_view line, std::int64_t number);
  /// True while lines without `$` are data of a block.
  bool in_block() const { return in_block_; }
  void data(std::string_view line, std::int64_t number);
  /// Ends the block; called at other text or at the end of the file.
  void end_block();
  /// Moves the shapes to the contents; to be called once, at the end of the file.
  void finish();

 private:
  enum class Output : std::uint8_t { none, real, rectangular, polar };
  /// Properties of a block, from its header lines.
  struct Block {
    std::string name;  ///< EIGENVECTOR, DISPLACEMENTS, SPCF, ...
    Output output = Output::none;
    std::int64_t subcase = 0;
    std::int64_t mode = 0;
    bool has_eigenvalue = false;
    double eigenvalue = 0.0;
    double eigenvalue_imaginary = 0.0;
    bool by_point = false;          ///< true for SORT2, in which each block belongs to one point
    std::int64_t element_type = 0;  ///< of element results: OUTPUT2's number
    bool in_material_axes = false;
    /// True for eigenvectors and displacements in SORT1, which are read.
    bool is_shape() const;
    /// True for real element stresses and strains in SORT1.
    bool is_stress() const;
    std::string label() const;
    bool is_complex() const { return output == Output::rectangular || output == Output::polar; }
  };
  /// Shapes of one table on the same points; `values` hold one shape after the other.
  struct Group {
    Block first;  ///< block of the first shape
    std::vector<std::int64_t> points;
    std::vector<std::uint8_t> scalar;
    std::vector<double> values, imaginary;
    std::vector<double> eigenvalues, eigenvalues_imaginary;
    std::vector<std::int64_t> numbers;  ///< modes; 0 where the file does not tell
    std::int64_t shapes = 0;
  };
  bool same_table(const Group& group) const;
  /// Stores the current point and checks its number of lines.
  void close_point(std::int64_t number);
  /// Takes a line of element stresses.
  void stress_data(std::string_view line, std::int64_t number);
  void close_element();
  void add_unread(const std::string& label, std::int64_t count);
  [[noreturn]] void fail(const char* code, std::string message, std::int64_t number) const;

  FileContents& contents_;
  std::string file_;
  Block block_;
  bool in_block_ = false;
  std::vector<Group> groups_;
  // the current block
  std::vector<std::int64_t> points_;
  std::vector<std::uint8_t> scalar_;
  std::vector<double> values_, imaginary_;
  double point_[12] = {};      ///< values of the current point: real, then imaginary
  int lines_ = 0;              ///< number of lines read of the current point
  std::vector<double> words_;  ///< words of the current element as OUTPUT2 has them
  StressEntries stresses_;
  std::vector<Unread> unread_;
};

}  // namespace femflex::importer
