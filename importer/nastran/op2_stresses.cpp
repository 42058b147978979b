// Collects element stresses and strains from the tables of OUTPUT2 files. In SORT1 order a record
// holds one mode or load case for all elements; in SORT2 order it holds all of them for one
// element.
#include "nastran/op2_stresses.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

constexpr std::size_t kStressIdentWords = 146;
constexpr std::int64_t kStressCode = 5;

/// Copies the stresses of `count` entries of `width` words to `out`, one entry after the other.
/// Instantiated for both byte orders, because a test inside the loop costs much of the speed.
template <typename Real, bool Swap>
void copy_stresses(const char* entries,
                   std::size_t count,
                   std::size_t width,
                   const std::vector<Op2ValueWords>& rows,
                   double* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const char* entry = entries + i * width * sizeof(Real);
    for (const Op2ValueWords& row : rows) {
      auto value = static_cast<double>(load<Real>(entry + row.first * sizeof(Real), Swap));
      if (row.second != 0)
        value += static_cast<double>(load<Real>(entry + row.second * sizeof(Real), Swap));
      *out++ = value;
    }
  }
}

void copy_stresses(const Op2Words& data,
                   std::size_t count,
                   std::size_t width,
                   const std::vector<Op2ValueWords>& rows,
                   double* out) {
  const char* from = data.bytes().data();
  const Op2Layout layout = data.layout();
  if (layout.word == 4)
    layout.swap ? copy_stresses<float, true>(from, count, width, rows, out)
                : copy_stresses<float, false>(from, count, width, rows, out);
  else
    layout.swap ? copy_stresses<double, true>(from, count, width, rows, out)
                : copy_stresses<double, false>(from, count, width, rows, out);
}

/// True for results of normal modes and of buckling modes; other results belong to loads.
bool is_modal_approach(std::int64_t approach) {
  return approach == 2 || approach == 7 || approach == 8;
}

}  // namespace

bool Op2Stresses::is_stress_table(const std::string& name, const Op2Words& ident) {
  return (name.starts_with("OES") || name.starts_with("OSTR")) &&
         ident.size() == kStressIdentWords && ident.integer(1) > 0 &&
         ident.integer(1) % 1000 == kStressCode;
}

Op2Stresses::Ident Op2Stresses::decode(const Op2Words& ident) {
  Ident out;
  out.approach = ident.integer(0) / 10;
  out.is_sort2 = ident.integer(1) / 1000 >= 2;
  out.element_type = ident.integer(2);
  out.subcase = ident.integer(3);
  out.number = ident.integer(4);
  out.format = ident.integer(8);
  out.width = static_cast<std::size_t>(std::max<std::int64_t>(0, ident.integer(9)));
  out.code = ident.integer(10);
  return out;
}

void Op2Stresses::read_table(const std::string& name,
                             const Op2Words& first,
                             Op2Records& records,
                             InputFile& file,
                             Progress& progress) {
  bool is_first = true;
  do {
    const Op2Words words = is_first ? first : records.rest_of_record();
    is_first = false;
    if (!is_stress_table(name, words)) {
      ++unread_[name];
      continue;
    }
    const Ident ident = decode(words);
    if (!records.next_record()) break;
    const Op2Words data = records.rest_of_record();
    // a record of unknown form is counted, not an error, so that the tables after it can be read
    if (ident.width == 0 || data.size() % ident.width != 0)
      ++unread_[name];
    else
      add(name, ident, data);
    file.release_before(records.position());
    progress.step(static_cast<double>(records.position()));
  } while (records.next_record());
}

void Op2Stresses::add(const std::string& name, const Ident& ident, const Op2Words& data) {
  const Op2StressLayout* layout =
      ident.format == 1 ? op2_stress_layout(ident.element_type, ident.width) : nullptr;
  const std::size_t count = data.size() / ident.width;
  // curvatures of a shell are not strains of its faces
  if (layout == nullptr || (layout->is_shell && ident.is_curvature())) {
    const char* what = layout != nullptr ? " curvature" : "";
    const std::size_t elements = ident.is_sort2 ? 1 : count;
    unread_[fmt::format("{} {}{}", name, op2_element_name(ident.element_type), what)] +=
        static_cast<std::int64_t>(elements);
    return;
  }
  std::vector<std::int64_t> id_words(count);
  for (std::size_t i = 0; i < count; ++i)
    id_words[i] = data.integer(i * ident.width);
  Group& group = group_for(name, ident, *layout, id_words);
  if (ident.is_sort2)
    add_sort2(group, ident, data);
  else
    add_sort1(group, ident, data);
}

Op2Stresses::Group& Op2Stresses::group_for(const std::string& name,
                                           const Ident& ident,
                                           const Op2StressLayout& layout,
                                           const std::vector<std::int64_t>& id_words) {
  const auto kind =
      is_modal_approach(ident.approach) ? RawModes::Kind::normal : RawModes::Kind::displacement;
  const auto found = std::find_if(groups_.rbegin(), groups_.rend(), [&](const Group& group) {
    return group.layout == &layout && group.stress.source == name &&
           group.ident.is_sort2 == ident.is_sort2 && group.ident.code == ident.code &&
           group.ident.approach == ident.approach && group.stress.subcase == ident.subcase &&
           group.id_words == id_words;
  });
  if (found != groups_.rend()) return *found;
  Group group;
  group.ident = ident;
  group.layout = &layout;
  group.id_words = id_words;
  group.stress.source = name;
  group.stress.type = layout.type;
  group.stress.is_strain = ident.is_strain();
  group.stress.kind = kind;
  group.stress.subcase = ident.subcase;
  if (ident.is_sort2) group.stress.numbers = id_words;
  groups_.push_back(std::move(group));
  return groups_.back();
}

void Op2Stresses::add_places(Group& group,
                             const Ident& ident,
                             const Op2Words& entry,
                             std::int64_t element) {
  append_stress_places(
      *group.layout,
      element,
      [&](std::size_t k) { return entry.integer(k); },
      ident.has_material_axes(),
      group.stress.places);
}

void Op2Stresses::add_sort1(Group& group, const Ident& ident, const Op2Words& data) {
  const std::size_t count = group.id_words.size();
  const std::vector<Op2ValueWords> rows = value_words(*group.layout);
  if (group.filled == 0)
    for (std::size_t i = 0; i < count; ++i)
      add_places(group, ident, data.from(i * ident.width), group.id_words[i] / 10);
  Eigen::MatrixXd& values = group.stress.values;
  if (group.filled == values.cols()) {  // pages not yet written to take no memory
    const Eigen::Index columns = group.filled < 4 ? 4 : group.filled + group.filled / 2;
    values.conservativeResize(static_cast<Eigen::Index>(rows.size() * count), columns);
  }
  copy_stresses(data, count, ident.width, rows, values.col(group.filled).data());
  group.stress.numbers.push_back(ident.number);
  ++group.filled;
}

void Op2Stresses::add_sort2(Group& group, const Ident& ident, const Op2Words& data) {
  const std::vector<Op2ValueWords> rows = value_words(*group.layout);
  const std::size_t count = group.stress.numbers.size();
  if (count == 0) return;
  add_places(group, ident, data, ident.number / 10);
  const std::size_t before = group.by_element.size();
  group.by_element.resize(before + rows.size() * count);
  copy_stresses(data, count, ident.width, rows, group.by_element.data() + before);
}

void Op2Stresses::finish_sort2(Group& group) {
  const auto rows = static_cast<Eigen::Index>(value_words(*group.layout).size());
  const auto count = static_cast<Eigen::Index>(group.stress.numbers.size());
  if (count == 0) return;
  const Eigen::Index elements = static_cast<Eigen::Index>(group.by_element.size()) / (rows * count);
  group.stress.values.resize(rows * elements, count);
  for (Eigen::Index e = 0; e < elements; ++e)
    group.stress.values.middleRows(rows * e, rows) =
        Eigen::Map<const Eigen::MatrixXd>(group.by_element.data() + rows * count * e, rows, count);
  group.by_element = {};
}

void Op2Stresses::finish(FileContents& contents, std::map<std::string, std::int64_t>& unread) {
  for (Group& group : groups_) {
    if (group.ident.is_sort2)
      finish_sort2(group);
    else
      group.stress.values.conservativeResize(group.stress.values.rows(), group.filled);
    contents.stresses.push_back(std::move(group.stress));
  }
  groups_.clear();
  for (const auto& [name, count] : unread_)
    unread[name] += count;
}

}  // namespace femflex::importer
