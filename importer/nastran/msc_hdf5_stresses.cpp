// Reads the stress and strain tables of MSC Nastran's HDF5 files. Copies the fields of each record
// to the positions (words) that they have in an OUTPUT2 file. StressEntries then interprets these
// words.
#include "nastran/msc_hdf5_stresses.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// A field of a dataset, and the index from 0 of the OUTPUT2 word that holds its first entry.
struct FieldWord {
  const char* field;
  std::size_t word;
};

/// Records of one kind. Entry k of an array field is `stride` words after entry k - 1.
struct RecordForm {
  std::vector<FieldWord> fields;
  std::size_t head = 0;    ///< words before the first entry of arrays; without arrays, all words
  std::size_t stride = 0;  ///< words per entry of the arrays; 0: no arrays
};

/// All forms. A dataset has the first form of which it has all fields. In this order: composite,
/// rod (under two sets of names), bar, beam, shell with corners, shell, solid.
const std::vector<RecordForm>& record_forms() {
  static const std::vector<RecordForm> forms{
      {{{"PLY", 1}, {"X1", 2}, {"Y1", 3}, {"T1", 4}, {"L1", 5}, {"L2", 6}}, 11, 0},
      {{{"A", 1}, {"T", 3}}, 5, 0},
      {{{"AS", 1}, {"TS", 3}}, 5, 0},
      {{{"X1A", 1},
        {"X2A", 2},
        {"X3A", 3},
        {"X4A", 4},
        {"AX", 5},
        {"X1B", 9},
        {"X2B", 10},
        {"X3B", 11},
        {"X4B", 12}},
       16,
       0},
      {{{"GRID", 1}, {"SD", 2}, {"XC", 3}, {"XD", 4}, {"XE", 5}, {"XF", 6}}, 1, 10},
      {{{"GRID", 2},
        {"FD1", 3},
        {"X1", 4},
        {"Y1", 5},
        {"TXY1", 6},
        {"FD2", 11},
        {"X2", 12},
        {"Y2", 13},
        {"TXY2", 14}},
       2,
       17},
      {{{"FD1", 1},
        {"X1", 2},
        {"Y1", 3},
        {"TXY1", 4},
        {"FD2", 9},
        {"X2", 10},
        {"Y2", 11},
        {"TXY2", 12}},
       17,
       0},
      {{{"GRID", 4}, {"X", 5}, {"TXY", 6}, {"Y", 13}, {"TYZ", 14}, {"Z", 19}, {"TZX", 20}}, 4, 21}};
  return forms;
}

/// OUTPUT2's number of an element type; 0: not read.
std::int64_t element_number(const std::string& table, bool has_grids) {
  static const std::map<std::string, std::int64_t> numbers{
      {"ROD", 1},          {"BEAM", 2},        {"TUBE", 3},        {"CONROD", 10},
      {"BAR", 34},         {"QUAD4", 33},      {"TRIA3", 74},      {"QUAD_CN", 144},
      {"QUAD4_CN", 144},   {"QUAD8", 64},      {"QUADR", 82},      {"QUADR_CN", 82},
      {"TRIA6", 75},       {"TRIAR", 70},      {"TRIAR_CN", 70},   {"TETRA", 39},
      {"PYRAM", 255},      {"PENTA", 68},      {"HEXA", 67},       {"QUAD4_COMP", 95},
      {"QUAD8_COMP", 96},  {"TRIA3_COMP", 97}, {"TRIA6_COMP", 98}, {"QUADR_COMP", 232},
      {"TRIAR_COMP", 233}, {"TRIAR_NC", 227},  {"QUADR_NC", 228}};
  if (!has_grids && table == "QUADR") return 228;
  if (!has_grids && table == "TRIAR") return 227;
  const auto found = numbers.find(table);
  return found == numbers.end() ? 0 : found->second;
}

class MscStresses {
 public:
  MscStresses(const io::Hdf5File& file,
              const std::function<StressShape(std::int64_t)>& shape_of,
              FileContents& contents,
              Progress& progress)
      : file_(file), shape_of_(shape_of), contents_(contents), progress_(progress) {}

  void read() {
    const std::string group = "/NASTRAN/RESULT/ELEMENTAL";
    if (!file_.has(group)) return;
    double tables = 0.0;
    for (const std::string& quantity : file_.children(group))
      for (const std::string& table : tables_of(group + "/" + quantity)) {
        const std::string name = quantity + "/" + table;
        const std::string path = group + "/" + name;
        const bool is_wanted = quantity == "STRESS" || quantity == "STRAIN";
        if (!is_wanted || !read_table(name, path, table, quantity == "STRAIN")) count_unread(name);
        progress_.step(++tables);
      }
    entries_.finish(contents_);
  }

 private:
  /// Names in a group; none if `path` is something else.
  std::vector<std::string> tables_of(const std::string& path) const {
    try {
      return file_.children(path);
    } catch (const Error&) {
      return {};
    }
  }

  /// Names of fields; none if `path` is not a table.
  std::vector<std::string> fields_of(const std::string& path) const {
    try {
      return file_.fields(path);
    } catch (const Error&) {
      return {};
    }
  }

  bool has_fields(const std::string& path, const RecordForm& form) const {
    const std::vector<std::string> all = fields_of(path);
    return std::all_of(form.fields.begin(), form.fields.end(), [&](const FieldWord& each) {
      return std::find(all.begin(), all.end(), each.field) != all.end();
    });
  }

  /// False if the table is of a kind that is not read.
  bool read_table(const std::string& name,
                  const std::string& path,
                  const std::string& table,
                  bool is_strain) {
    const auto& forms = record_forms();
    const auto form = std::find_if(
        forms.begin(), forms.end(), [&](const RecordForm& each) { return has_fields(path, each); });
    if (form == forms.end()) return false;
    const std::int64_t number = element_number(table, form->stride != 0);
    if (number == 0) return false;
    const std::vector<std::int64_t> elements = file_.read_field_integers(path, "EID");
    const std::vector<std::int64_t> domains = file_.read_field_integers(path, "DOMAIN_ID");
    const std::size_t rows = elements.size();
    if (rows == 0) return true;
    const std::vector<std::vector<double>> fields = read_fields(path, *form, rows);
    if (domains.size() != rows) fail(path);
    const std::size_t points = form->stride == 0 ? 1 : fields.front().size() / rows;
    // the head of a solid record holds the id of a coordinate system in word 1
    const std::vector<double> systems =
        form->head == 4 ? file_.read_field_reals(path, "CID") : std::vector<double>();
    std::vector<double> words(form->head + points * form->stride);
    for (std::size_t i = 0; i < rows; ++i) {
      words[0] = static_cast<double>(elements[i]);
      if (i < systems.size()) words[1] = systems[i];
      for (std::size_t f = 0; f < fields.size(); ++f)
        for (std::size_t k = 0; k < points; ++k)
          words[form->fields[f].word + k * form->stride] = fields[f][i * points + k];
      StressShape shape = shape_of_(domains[i]);
      shape.source = name;
      shape.is_strain = is_strain;
      const StressEntries::Added added = entries_.add(shape, number, words, false);
      if (added == StressEntries::Added::yes) continue;
      add_unread(name + (added == StressEntries::Added::curvature ? " curvature" : ""), 1);
    }
    return true;
  }

  std::vector<std::vector<double>> read_fields(const std::string& path,
                                               const RecordForm& form,
                                               std::size_t rows) const {
    std::vector<std::vector<double>> out;
    for (const FieldWord& each : form.fields) {
      out.push_back(file_.read_field_reals(path, each.field));
      const bool fits = form.stride == 0 ? out.back().size() == rows
                                         : !out.back().empty() && out.back().size() % rows == 0 &&
                                               out.back().size() == out.front().size();
      if (!fits) fail(path);
    }
    return out;
  }

  [[noreturn]] void fail(const std::string& path) const {
    throw ParseError("shape", "its fields differ in length", {file_.name(), -1, -1, -1, path});
  }

  void count_unread(const std::string& name) {
    const std::string path = "/NASTRAN/RESULT/ELEMENTAL/" + name;
    const std::vector<std::string> all = fields_of(path);
    const bool has_domains = std::find(all.begin(), all.end(), "DOMAIN_ID") != all.end();
    add_unread(name,
               has_domains
                   ? static_cast<std::int64_t>(file_.read_field_integers(path, "DOMAIN_ID").size())
                   : 1);
  }

  void add_unread(const std::string& name, std::int64_t count) {
    if (contents_.unread.empty() || contents_.unread.back().what != name)
      contents_.unread.push_back({name, 0});
    contents_.unread.back().count += count;
  }

  const io::Hdf5File& file_;
  const std::function<StressShape(std::int64_t)>& shape_of_;
  FileContents& contents_;
  Progress& progress_;
  StressEntries entries_;
};

}  // namespace

void read_msc_stresses(const io::Hdf5File& file,
                       const std::function<StressShape(std::int64_t)>& shape_of,
                       FileContents& contents,
                       Progress& progress) {
  MscStresses(file, shape_of, contents, progress).read();
}

}  // namespace femflex::importer
