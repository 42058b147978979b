// Reads eigenvalue tables, eigenvectors and element stresses from a NASTRAN print file, page by
// page. Successive vectors of one subcase on the same points form one group of shapes.
#include "nastran/f06.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "nastran/eigenvalues.h"
#include "nastran/f06_stresses.h"

namespace femflex::importer {
namespace {

constexpr std::string_view kEigenvalueHeading = "R E A L   E I G E N V A L U E S";
constexpr std::string_view kEigenvectorHeading = "R E A L   E I G E N V E C T O R   N O .";
constexpr std::string_view kMystranVector = "OUTPUT FOR EIGENVECTOR";
constexpr std::string_view kMystranSubcase = "OUTPUT FOR SUBCASE";
constexpr std::string_view kMystranDofs = "DEGREE OF FREEDOM TABLE SORTED ON GRID POINT";

/// Takes a real off the front of `text`, with the asterisk that MYSTRAN may put after it.
/// False if there is none.
bool take_marked_real(std::string_view& text, double& value) {
  if (!take_real(text, value)) return false;
  if (!text.empty() && text.front() == '*') text.remove_prefix(1);
  return true;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

/// Takes a DOF off the front of `line`: `101-2  213-2`, grid 101 component 2, then an internal
/// number, which is ignored; or `-3  -3`, component 3 of the same grid as in the line before.
bool take_dof(std::string_view& line, Dof& dof) {
  line = trimmed(line);
  if (line.empty() || (line.front() != '-' && !take_integer(line, dof.node))) return false;
  std::int64_t component = 0;
  std::int64_t internal = 0;
  if (!take_integer(line, component) || component > -1 || component < -6) return false;
  dof.component = static_cast<std::int8_t>(-component);
  if (!take_integer(line, internal)) return false;
  return internal < 0 || take_integer(line, internal);
}

class F06Reader {
 public:
  F06Reader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    contents_.encoding = "ascii";
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      report_lines(file_, lines_, progress_);
      if (line.find("MYSTRAN") != std::string_view::npos) contents_.program = "MYSTRAN";
      if (line.empty()) continue;
      if (line.front() == '0') read_subcase(line);
      if (line.front() == '1') page_eigenvalue_.reset();
      if (F06Stresses::is_heading(line)) {
        stresses_.read_table(lines_, {subcase_, page_eigenvalue_, mystran_mode_});
        continue;
      }
      if (line.find(kEigenvalueHeading) != std::string_view::npos) {
        read_eigenvalues();
      } else if (const std::size_t at = line.find("EIGENVALUE ="); at != std::string_view::npos) {
        read_vector_eigenvalue(line.substr(at + 12));
      } else if (const std::size_t vector = line.find(kEigenvectorHeading);
                 vector != std::string_view::npos) {
        read_vector(line.substr(vector + kEigenvectorHeading.size()));
      } else if (const std::size_t output = line.find(kMystranSubcase);
                 output != std::string_view::npos) {
        std::string_view rest = line.substr(output + kMystranSubcase.size());
        take_integer(rest, subcase_);
        mystran_mode_ = 0;
      } else if (const std::size_t mystran = line.find(kMystranVector);
                 mystran != std::string_view::npos) {
        read_mystran_vector(line.substr(mystran + kMystranVector.size()));
      } else if (line.find(kMystranDofs) != std::string_view::npos) {
        read_dofs();
      } else if (line.find("C O M P L E X   E I G E N V E C T O R") != std::string_view::npos) {
        ++complex_pages_;
      }
    }
    finish();
    return std::move(contents_);
  }

 private:
  /// One eigenvector, collected over its pages.
  struct Vector {
    std::int64_t number = 0;
    std::int64_t subcase = 0;
    std::optional<double> eigenvalue;
    std::vector<std::int64_t> points;
    std::vector<std::uint8_t> is_scalar;
    std::vector<double> values;
  };

  /// The eigenvalue as the pages of a mode have it.
  struct Printed {
    std::int64_t subcase = 0;
    double eigenvalue = 0.0;
    std::int64_t number = 0;
  };

  void read_subcase(std::string_view line) {
    const std::size_t at = line.find("SUBCASE ");
    if (at == std::string_view::npos) return;
    std::string_view rest = line.substr(at + 8);
    std::int64_t subcase = 0;
    if (take_integer(rest, subcase)) subcase_ = subcase;
  }

  void read_vector_eigenvalue(std::string_view text) {
    double value = 0.0;
    if (!take_marked_real(text, value)) return;
    next_eigenvalue_ = value;
    page_eigenvalue_ = value;
  }

  /// Reads rows of mode, order and five reals. Each page repeats the heading; it continues the
  /// table of the page before if its mode numbers go on.
  void read_eigenvalues() {
    RawEigenvalues* table = contents_.eigenvalues.empty() ? nullptr : &contents_.eigenvalues.back();
    bool has_rows = false;
    int titles = 0;
    while (lines_.next()) {
      std::string_view line = lines_.line();
      std::int64_t mode = 0;
      std::int64_t order = 0;
      std::array<double, 5> values{};
      bool is_row = take_integer(line, mode) && !line.empty() && line.front() == ' ' &&
                    take_integer(line, order);
      for (std::size_t i = 0; is_row && i < 5; ++i)
        is_row = take_marked_real(line, values[i]);
      if (!is_row || !trimmed(line).empty()) {
        // up to three lines of titles may precede the rows; anything else ends the table
        if (trimmed(lines_.line()).empty() || (!has_rows && ++titles <= 3)) continue;
        lines_.back();
        return;
      }
      if (!has_rows && (table == nullptr || table->subcase != subcase_ || table->mode.empty() ||
                        table->mode.back() + 1 != mode)) {
        contents_.eigenvalues.emplace_back();
        table = &contents_.eigenvalues.back();
        table->source = "REAL EIGENVALUES";
        table->subcase = subcase_;
      }
      has_rows = true;
      table->mode.push_back(mode);
      table->eigenvalue.push_back(values[0]);
      table->frequency_hz.push_back(values[2]);
      table->generalised_mass.push_back(values[3]);
    }
  }

  /// The vector that is being read, or a new one if number or subcase differ.
  Vector& vector_of(std::int64_t number) {
    if (vectors_.empty() || vectors_.back().number != number ||
        vectors_.back().subcase != subcase_) {
      vectors_.emplace_back();
      vectors_.back().number = number;
      vectors_.back().subcase = subcase_;
    }
    return vectors_.back();
  }

  void read_vector(std::string_view text) {
    std::int64_t number = 0;
    if (!take_integer(text, number)) return;
    Vector& vector = vector_of(number);
    if (next_eigenvalue_) vector.eigenvalue = next_eigenvalue_;
    if (next_eigenvalue_ && (printed_.empty() || printed_.back().number != number ||
                             printed_.back().subcase != subcase_))
      printed_.push_back({subcase_, *next_eigenvalue_, number});
    next_eigenvalue_.reset();
    bool has_rows = false;
    while (lines_.next()) {
      std::string_view line = lines_.line();
      std::int64_t id = 0;
      if (line.starts_with("1") || line.starts_with("0") || !take_integer(line, id)) {
        if (line.starts_with("1") || line.starts_with("0") || has_rows) {
          lines_.back();
          return;
        }
        continue;  // column titles
      }
      line = trimmed(line);
      if (line.empty() || (line.front() != 'G' && line.front() != 'S')) {
        lines_.back();
        return;
      }
      has_rows = true;
      const bool scalar = line.front() == 'S';
      line.remove_prefix(1);
      std::array<double, 6> values{};
      std::size_t count = 0;
      while (count < 6 && take_marked_real(line, values[count]))
        ++count;
      if (scalar) {
        for (std::size_t k = 0; k < count; ++k)
          add_point(vector, id + static_cast<std::int64_t>(k), true, {values[k]});
      } else if (count == 6) {
        add_point(vector, id, false, values);
      } else {
        fail(fmt::format("grid {} of eigenvector {} has {} values, expected 6", id, number, count));
      }
    }
  }

  void read_mystran_vector(std::string_view text) {
    std::int64_t number = 0;
    if (!take_integer(text, number)) return;
    mystran_mode_ = number;
    bool has_rows = false;
    while (lines_.next()) {
      std::string_view line = lines_.line();
      if (F06Stresses::is_heading(line)) {
        lines_.back();
        return;
      }
      if (line.find("------") != std::string_view::npos) return;
      std::int64_t id = 0;
      std::int64_t system = 0;
      std::array<double, 6> values{};
      bool is_row = take_integer(line, id) && take_integer(line, system);
      for (std::size_t i = 0; is_row && i < 6; ++i)
        is_row = take_marked_real(line, values[i]);
      if (is_row && trimmed(line).empty()) {
        has_rows = true;
        add_point(vector_of(number), id, false, values);
      } else if (lines_.line().find("OUTPUT FOR") != std::string_view::npos ||
                 (has_rows && !trimmed(lines_.line()).empty())) {
        lines_.back();
        return;
      }
    }
  }

  static void add_point(Vector& vector,
                        std::int64_t id,
                        bool scalar,
                        const std::array<double, 6>& values) {
    vector.points.push_back(id);
    vector.is_scalar.push_back(scalar ? 1 : 0);
    vector.values.insert(vector.values.end(), values.begin(), values.end());
  }

  /// Reads the table of MYSTRAN's PARAM,PRTDOF: `id-component internal-component` and, column by
  /// column, the row of the DOF in each displacement set (0: not in it). Further lines of the same
  /// grid leave the id out.
  void read_dofs() {
    std::vector<std::string> sets;
    std::vector<std::map<std::int64_t, Dof>> rows;
    Dof dof;
    int headings = 0;
    while (lines_.next()) {
      std::string_view line = lines_.line();
      if (trimmed(line).empty()) continue;
      if (sets.empty()) {
        const std::size_t at = line.find("NUMBER    NUMBER");
        if (at != std::string_view::npos) {
          sets = words_of(line.substr(at + 16));
        } else if (++headings > 8) {
          return;
        }
        if (sets.size() > 64) return;
        rows.resize(sets.size());
        continue;
      }
      if (!take_dof(line, dof)) {
        lines_.back();  // this line belongs to the next section
        break;
      }
      for (std::size_t s = 0; s < sets.size(); ++s) {
        std::int64_t row = 0;
        if (!take_integer(line, row)) break;
        if (row > 0) rows[s][row] = dof;
      }
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::vector<Dof> order;
      for (const auto& [row, named] : rows[s]) {
        if (row != static_cast<std::int64_t>(order.size()) + 1) break;
        order.push_back(named);
      }
      // a later table (after AUTOSPC) replaces an earlier one
      if (order.size() == rows[s].size() && !order.empty())
        contents_.set_rows[sets[s]] = std::move(order);
    }
    if (contents_.set_rows.contains("G")) contents_.row_map = contents_.set_rows["G"];
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw ParseError("eigenvector", what, {file_.name(), lines_.number()});
  }

  /// Number of the n-th mode (from 0) whose page has this eigenvalue; 0: none.
  std::int64_t mode_of(std::int64_t subcase, double eigenvalue, std::size_t n) const {
    for (const Printed& each : printed_)
      if (each.subcase == subcase && each.eigenvalue == eigenvalue && n-- == 0) return each.number;
    return 0;
  }

  void finish() {
    stresses_.finish(contents_, [this](std::int64_t subcase, double eigenvalue, std::size_t n) {
      return mode_of(subcase, eigenvalue, n);
    });
    for (std::size_t i = 0; i < vectors_.size();) {
      std::size_t end = i + 1;
      while (end < vectors_.size() && vectors_[end].subcase == vectors_[i].subcase &&
             vectors_[end].points == vectors_[i].points &&
             vectors_[end].number > vectors_[end - 1].number)
        ++end;
      if (!vectors_[i].points.empty()) add_modes(i, end);
      i = end;
    }
    if (complex_pages_ > 0)
      contents_.unread.push_back({"C O M P L E X   E I G E N V E C T O R", complex_pages_});
    if (!contents_.modes.empty()) {
      diagnostics_.warn(
          "few-digits",
          "the shapes of a print file have only six or seven digits; give the OP2, punch or "
          "OP4 file of the same run if there is one",
          {file_.name()});
    }
  }

  /// Stores the vectors [first, end) as one group of shapes, with the eigenvalues of the tables.
  void add_modes(std::size_t first, std::size_t end) {
    RawModes modes;
    modes.source = "EIGENVECTOR";
    modes.subcase = vectors_[first].subcase;
    modes.points = vectors_[first].points;
    modes.is_scalar = vectors_[first].is_scalar;
    for (std::size_t i = first; i < end; ++i)
      modes.numbers.push_back(vectors_[i].number);
    modes.single_precision = true;
    const auto rows = static_cast<Eigen::Index>(6 * modes.points.size());
    modes.shapes.resize(rows, static_cast<Eigen::Index>(end - first));
    bool all_known = true;
    for (std::size_t i = first; i < end; ++i) {
      Vector& vector = vectors_[i];
      modes.shapes.col(static_cast<Eigen::Index>(i - first)) =
          Eigen::Map<const Eigen::VectorXd>(vector.values.data(), rows);
      vector.values = {};
      double hertz = 0.0;
      double mass = std::numeric_limits<double>::quiet_NaN();
      for (const RawEigenvalues& table : contents_.eigenvalues) {
        const std::optional<std::size_t> k =
            find_mode(table, vector.number, i - first, vector.eigenvalue);
        if (!k) continue;
        vector.eigenvalue = table.eigenvalue[*k];
        hertz = table.frequency_hz[*k];
        mass = table.generalised_mass[*k];
        break;
      }
      if (!vector.eigenvalue) {
        all_known = false;
        continue;
      }
      if (hertz == 0.0) hertz = std::sqrt(std::abs(*vector.eigenvalue)) / (2.0 * std::numbers::pi);
      modes.eigenvalues.push_back(*vector.eigenvalue);
      modes.frequencies_hz.push_back(hertz);
      modes.generalised_mass.push_back(mass);
    }
    if (!all_known) {
      modes.eigenvalues.clear();
      modes.frequencies_hz.clear();
    }
    if (!all_known || std::any_of(modes.generalised_mass.begin(),
                                  modes.generalised_mass.end(),
                                  [](double m) { return std::isnan(m); }))
      modes.generalised_mass.clear();
    contents_.modes.push_back(std::move(modes));
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  FileContents contents_;
  std::vector<Vector> vectors_;
  std::vector<Printed> printed_;
  std::optional<double> next_eigenvalue_;
  std::optional<double> page_eigenvalue_;  ///< of the page that is being read
  std::int64_t mystran_mode_ = 0;          ///< of the last heading; 0: none
  F06Stresses stresses_;
  std::int64_t subcase_ = 1;
  std::int64_t complex_pages_ = 0;
};

}  // namespace

bool is_f06(const FileHead& head) {
  const auto has = [&](std::string_view text) {
    return head.bytes.find(text) != std::string_view::npos;
  };
  if (has(std::string_view("\0", 1))) return false;
  if (head.bytes.substr(0, 2000).find("MYSTRAN Version") != std::string_view::npos)
    return has("MYSTRAN BEGIN");
  // pages of a print file: carriage control 1 in column 1 and the word PAGE on the same line
  std::size_t at = 0;
  while (at < head.bytes.size()) {
    const std::size_t end = std::min(head.bytes.find('\n', at), head.bytes.size());
    const std::string_view line = head.bytes.substr(at, end - at);
    // "MSC.NASTRAN" before 2018, "MSC Nastran" since, "SIMCENTER NASTRAN"; OptiStruct writes none
    if (line.starts_with("1  ") && line.find(" PAGE ") != std::string_view::npos &&
        (line.find("NASTRAN") != std::string_view::npos ||
         line.find("Nastran") != std::string_view::npos))
      return true;
    at = end + 1;
  }
  return has(kEigenvalueHeading) || has(kEigenvectorHeading);
}

FileContents read_f06(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  InputFile file(path);
  return F06Reader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
