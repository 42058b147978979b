// Reads NASTRAN OUTPUT2 files table by table and passes each table to the reader of its kind:
// matrices, shapes, element stresses, DMIG, geometry or bookkeeping.
#include "nastran/op2.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/input_file.h"
#include "nastran/op2_cards.h"
#include "nastran/op2_dictionary.h"
#include "nastran/op2_matrix.h"
#include "nastran/op2_records.h"
#include "nastran/op2_shapes.h"
#include "nastran/op2_stresses.h"
#include "nastran/op2_tables.h"

namespace femflex::importer {
namespace {

/// True for formatted OUTPUT2, a text whose first line is the alphabet below.
bool is_formatted(std::string_view bytes) {
  return bytes.starts_with("X 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

class Op2Reader {
 public:
  Op2Reader(InputFile& file,
            const ReadOptions& options,
            Diagnostics& diagnostics,
            Progress& progress)
      : file_(file),
        diagnostics_(diagnostics),
        progress_(progress),
        records_(file.bytes(), file.name()),
        shapes_(options),
        cards_(contents_, file.name(), diagnostics) {}

  FileContents read() {
    contents_.encoding = "binary";
    contents_.endian = records_.big_endian() ? "big" : "little";
    contents_.word_bytes = records_.layout().word;
    contents_.program = records_.label() == "XXXXXXXX" ? "" : records_.label();
    try {
      Op2Records::Table table;
      while (records_.next_table(table)) {
        read_table(table);
        ++complete_;
        file_.release_before(records_.position());
        progress_.step(static_cast<double>(records_.position()));
      }
    } catch (const ParseError& error) {
      if (complete_ == 0 && shapes_.empty()) throw;
      diagnostics_.warn(
          "truncated",
          fmt::format(
              "only the {} tables before the error were read: {}", complete_, error.message()),
          error.where());
    }
    shapes_.finish(contents_.eigenvalues, contents_);
    stresses_.finish(contents_, unread_);
    bookkeeping_.finish(contents_);
    cards_.finish();
    for (const auto& [name, count] : unread_)
      contents_.unread.push_back({name, count});
    return std::move(contents_);
  }

 private:
  void read_table(const Op2Records::Table& table) {
    if (table.name == "XSOP2DIR") {
      while (records_.next_record())
        directory_.push_back(records_.rest_of_record().text(0, 2));
      return;
    }
    ++index_;
    if (!records_.next_record()) return;
    if (records_.record_type() == 1) {
      RawMatrix matrix = read_op2_matrix(table, records_, file_, progress_);
      set_inner_name(table, matrix);
      contents_.matrices.push_back(std::move(matrix));
      return;
    }
    bool is_known = true;
    bool skip = false;
    std::int64_t number = 0;
    const std::size_t matrices = contents_.matrices.size();
    const bool geometry = is_geometry_table(table.name) ||
                          (table.name == "EXTDB" && is_geometry_table(table.inner_name));
    do {
      ++number;
      // the rest of an unknown table (element forces, ...) is skipped without copying its blocks
      if (skip) continue;
      const Op2Words record = records_.rest_of_record();
      if (number == 1 && Op2Shapes::is_shape_ident(record)) {
        shapes_.read_table(table.name, record, records_, file_, diagnostics_, progress_);
        return;
      }
      if (number == 1 && Op2Stresses::is_stress_table(table.name, record)) {
        stresses_.read_table(table.name, record, records_, file_, progress_);
        return;
      }
      if (is_op2_dmig(record)) {
        read_op2_dmig(record, file_.name(), table, contents_);
      } else if (geometry) {
        if (!read_geometry_record(record, contents_) && record.size() >= 3 &&
            !cards_.read(record)) {
          warn_of_constraint(table, record);
          ++unread_[fmt::format("{} key {},{},{}",
                                table.name == "EXTDB" ? table.inner_name : table.name,
                                record.integer(0),
                                record.integer(1),
                                record.integer(2))];
        }
      } else if (table.name == "CASECC") {
        cards_.read_case(record);
      } else if (const std::string_view matrix = matrix_of_dictionary(table.name);
                 !matrix.empty()) {
        read_dictionary(matrix, record, table.name);
      } else if (inner_name_of(table) == "TUG1") {
        if (number == 2) contents_.recovery_rows = read_recovery_rows(record, table.trailer[1]);
      } else if (!bookkeeping_.read(table, number, record, contents_)) {
        is_known = is_known && contents_.matrices.size() > matrices;
        skip = contents_.matrices.size() == matrices;
      }
    } while (records_.next_record());
    for (std::size_t i = matrices; i < contents_.matrices.size(); ++i)
      set_inner_name(table, contents_.matrices[i]);
    if (!is_known) ++unread_[table.name];
  }

  /// Warns if the record, which is not read, holds rigid elements or equations.
  void warn_of_constraint(const Op2Records::Table& table, const Op2Words& record) {
    const std::string_view name = Op2Cards::constraint_of(record);
    if (name.empty()) return;
    diagnostics_.warn(
        "unread-constraint",
        fmt::format("the {} of table {} have an unknown layout and are not read: give "
                    "the deck as well",
                    name,
                    table.name),
        {file_.name()});
  }

  /// The tables of an external superelement all have the name EXTDB; their inner names are in the
  /// directory.
  std::string inner_name_of(const Op2Records::Table& table) const {
    return table.name == "EXTDB" && index_ <= directory_.size() ? directory_[index_ - 1]
                                                                : table.name;
  }
  void set_inner_name(const Op2Records::Table& table, RawMatrix& matrix) const {
    const std::string name = inner_name_of(table);
    if (name != table.name) matrix.inner_name = name;
  }
  /// Reads one record of KDICT and the like; superelements have one table each.
  void read_dictionary(std::string_view matrix, const Op2Words& record, const std::string& table) {
    auto it = std::find_if(contents_.dictionaries.begin(),
                           contents_.dictionaries.end(),
                           [&](const RawElementDictionary& d) { return d.matrix == matrix; });
    if (it == contents_.dictionaries.end())
      it = contents_.dictionaries.insert(it, {std::string(matrix), {}});
    if (!read_element_dictionary(record, *it)) ++unread_[table];
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Op2Records records_;
  FileContents contents_;
  Op2Shapes shapes_;
  Op2Stresses stresses_;
  Op2Bookkeeping bookkeeping_;
  Op2Cards cards_;
  std::map<std::string, std::int64_t> unread_;
  std::vector<std::string> directory_;  ///< names of the tables, if the file has XSOP2DIR
  std::size_t index_ = 0;               ///< number of the table, not counting the directory; from 1
  std::int64_t complete_ = 0;           ///< number of tables read completely
};

}  // namespace

bool is_op2(const FileHead& head) {
  return Op2Records::recognises(head.bytes) || is_formatted(head.bytes);
}

FileContents read_op2(const std::filesystem::path& path,
                      const ReadOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress) {
  InputFile file(path);
  if (is_formatted(file.bytes())) {
    throw ParseError("formatted-op2",
                     "is a formatted (text) OUTPUT2 file, which is not supported",
                     {file.name(), 1},
                     "write it with FORM=UNFORMATTED on the ASSIGN statement");
  }
  return Op2Reader(file, options, diagnostics, progress).read();
}

}  // namespace femflex::importer
