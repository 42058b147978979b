// Collects shapes from the displacement and eigenvector tables of OUTPUT2 files. In SORT1 order a
// record holds one shape; in SORT2 order it holds the values of one point in all shapes, so the
// matrix is transposed at the end.
#include "nastran/op2_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "nastran/eigenvalues.h"
#include "nastran/polar.h"

namespace femflex::importer {
namespace {

constexpr std::size_t kIdentWords = 146;
constexpr double kOp2TwoPi = 2.0 * std::numbers::pi;

/// The frame of a table's values: NASTRAN codes reserve some table names for the basic system.
RawModes::Frame frame_of(const std::string& table) {
  const bool basic = table.starts_with("BOUG") || table.starts_with("BOPHI") || table == "OUGV1PAT";
  return basic ? RawModes::Frame::basic : RawModes::Frame::nodal;
}

/// Copies the entries of one record into a column of six values per point; false if the first word
/// of entry i is not ids[i]. `imaginary` is null for real shapes. Instantiated for both byte
/// orders, because a test inside the loop would cost a third of the speed.
template <typename Real, typename Integer, bool Swap>
bool copy_entries(const char* entries,
                  std::size_t count,
                  std::size_t width,
                  const std::int64_t* ids,
                  double* real,
                  double* imaginary) {
  for (std::size_t i = 0; i < count; ++i) {
    const char* entry = entries + i * width * sizeof(Integer);
    if (load<Integer>(entry, Swap) != ids[i]) return false;
    entry += 2 * sizeof(Integer);
    for (std::size_t k = 0; k < 6; ++k)
      real[6 * i + k] = static_cast<double>(load<Real>(entry + k * sizeof(Real), Swap));
    if (imaginary != nullptr) {
      for (std::size_t k = 0; k < 6; ++k) {
        imaginary[6 * i + k] =
            static_cast<double>(load<Real>(entry + (6 + k) * sizeof(Real), Swap));
      }
    }
  }
  return true;
}

bool copy_entries(const Op2Words& data,
                  std::size_t count,
                  std::size_t width,
                  const std::vector<std::int64_t>& ids,
                  double* real,
                  double* imaginary) {
  const auto pick = [&]<bool Swap>() {
    return data.layout().word == 4
               ? copy_entries<float, std::int32_t, Swap>(
                     data.bytes().data(), count, width, ids.data(), real, imaginary)
               : copy_entries<double, std::int64_t, Swap>(
                     data.bytes().data(), count, width, ids.data(), real, imaginary);
  };
  return data.layout().swap ? pick.operator()<true>() : pick.operator()<false>();
}

/// Copies the entries at `places` alone, likewise.
bool copy_kept(const Op2Words& data,
               std::size_t width,
               const std::vector<std::size_t>& places,
               const std::vector<std::int64_t>& ids,
               double* real,
               double* imaginary) {
  for (const std::size_t place : places) {
    const std::size_t at = place * width;
    if (data.integer(at) != ids[place]) return false;
    for (std::size_t k = 0; k < 6; ++k) {
      *real++ = data.real(at + 2 + k);
      if (imaginary != nullptr) *imaginary++ = data.real(at + 8 + k);
    }
  }
  return true;
}

/// from_polar() of `count` pairs.
void from_polar_pairs(double* real, double* imaginary, Eigen::Index count) {
  for (Eigen::Index i = 0; i < count; ++i)
    from_polar(real[i], imaginary[i]);
}

}  // namespace

bool Op2Shapes::is_shape_ident(const Op2Words& ident) {
  if (ident.size() != kIdentWords) return false;
  const std::int64_t code = ident.integer(1);
  const std::int64_t width = ident.integer(9);
  return code > 0 && code < 4000 && (code % 1000 == 1 || code % 1000 == 7) &&
         (width == 8 || width == 14);
}

Op2Shapes::Ident Op2Shapes::decode(const Op2Words& ident) {
  Ident result;
  result.approach = ident.integer(0) / 10;
  result.code = ident.integer(1) % 1000;
  result.sort2 = ident.integer(1) / 1000 >= 2;
  result.subcase = ident.integer(3);
  result.mode = ident.integer(4);
  result.abscissa = ident.real(4);
  result.eigenvalue = ident.real(5);
  result.eigenvalue_imaginary = ident.real(6);
  result.format = ident.integer(8);
  result.width = static_cast<std::size_t>(ident.integer(9));
  result.title = ident.text(50, 32);
  return result;
}

void Op2Shapes::read_table(const std::string& name,
                           const Op2Words& first,
                           Op2Records& records,
                           InputFile& file,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  bool warned = false;
  bool at_first = true;
  do {
    const Op2Words words = at_first ? first : records.rest_of_record();
    at_first = false;
    if (!is_shape_ident(words)) {
      if (!warned) {
        diagnostics.warn(
            "op2-ident",
            fmt::format("{}: a record has {} words, not the 146 of an "
                        "ident: it is skipped",
                        name,
                        words.size()),
            {file.name(), -1, -1, static_cast<std::int64_t>(records.position()), name});
      }
      warned = true;
      continue;
    }
    const Ident ident = decode(words);
    if (!records.next_record()) break;
    const Op2Words data = records.rest_of_record();
    if (data.size() % ident.width != 0) {
      throw ParseError(
          "damaged",
          fmt::format("a record of {} words does not consist of whole entries of {} words",
                      data.size(),
                      ident.width),
          {file.name(), -1, -1, static_cast<std::int64_t>(records.position()), name});
    }
    if (title_.empty()) title_ = ident.title;
    if (ident.sort2) {
      add_sort2(name, ident, data);
    } else {
      add_sort1(name, ident, data);
    }
    file.release_before(records.position());
    progress.step(static_cast<double>(records.position()));
  } while (records.next_record());
}

Op2Shapes::Group& Op2Shapes::start_group(const std::string& name,
                                         const Ident& ident,
                                         bool is_complex) {
  Group group;
  group.approach = ident.approach;
  group.is_complex = is_complex;
  group.sort2 = ident.sort2;
  group.modes.source = name;
  group.modes.subcase = ident.subcase;
  group.modes.frame = frame_of(name);
  if (is_complex) {
    group.modes.kind = RawModes::Kind::complex;
  } else {
    group.modes.kind = ident.code == 7 ? RawModes::Kind::normal : RawModes::Kind::displacement;
  }
  groups_.push_back(std::move(group));
  return groups_.back();
}

void Op2Shapes::add_abscissa(Group& group, const Ident& ident) {
  RawModes& modes = group.modes;
  group.numbers.push_back(ident.mode);
  switch (ident.approach) {
    case 2:  // normal modes
      modes.eigenvalues.push_back(ident.eigenvalue);
      modes.frequencies_hz.push_back(std::sqrt(std::abs(ident.eigenvalue)) / kOp2TwoPi);
      break;
    case 7:
    case 8:  // buckling: the eigenvalue is a load factor
      modes.eigenvalues.push_back(ident.eigenvalue);
      break;
    case 9:  // complex modes
      modes.eigenvalues.push_back(ident.eigenvalue);
      modes.eigenvalues_imaginary.push_back(ident.eigenvalue_imaginary);
      modes.frequencies_hz.push_back(std::abs(ident.eigenvalue_imaginary) / kOp2TwoPi);
      break;
    case 5:
      modes.frequencies_hz.push_back(ident.abscissa);
      break;
    default:  // statics and transient: no eigenvalue, only the shape
      break;
  }
}

/// Sets the points of a group from its first record.
void Op2Shapes::set_points(Group& group, const Ident& ident, const Op2Words& data) const {
  RawModes& modes = group.modes;
  modes.single_precision = data.layout().word == 4;
  modes.points.clear();
  modes.is_scalar.clear();
  group.kept.clear();
  group.id_words.resize(data.size() / ident.width);
  for (std::size_t i = 0; i < group.id_words.size(); ++i) {
    group.id_words[i] = data.integer(i * ident.width);
    const std::int64_t point = group.id_words[i] / 10;
    if (!options_.keeps(point)) continue;
    group.kept.push_back(i);
    modes.points.push_back(point);
    modes.is_scalar.push_back(data.integer(i * ident.width + 1) == 1 ? 0 : 1);
  }
}

void Op2Shapes::add_sort1(const std::string& name, const Ident& ident, const Op2Words& data) {
  const std::size_t count = data.size() / ident.width;
  const bool is_complex = ident.width == 14;
  const auto matches = [&](const Group& group) {
    return !group.sort2 && group.approach == ident.approach && group.is_complex == is_complex &&
           group.modes.subcase == ident.subcase && group.modes.source == name &&
           group.id_words.size() == count &&
           (group.modes.kind == RawModes::Kind::displacement) == (!is_complex && ident.code != 7);
  };
  Group* group = groups_.empty() || !matches(groups_.back()) ? nullptr : &groups_.back();
  if (group == nullptr) group = &start_group(name, ident, is_complex);
  for (int attempt = 0; attempt < 2; ++attempt) {
    RawModes& modes = group->modes;
    if (group->filled == 0) set_points(*group, ident, data);
    if (group->filled == modes.shapes.cols()) {  // enlarge; pages not yet written to take no memory
      const auto rows = static_cast<Eigen::Index>(6 * modes.points.size());
      const Eigen::Index columns = group->filled < 4 ? 4 : group->filled + group->filled / 2;
      modes.shapes.conservativeResize(rows, columns);
      if (is_complex) modes.imaginary.conservativeResize(rows, columns);
    }
    double* real = modes.shapes.data() + modes.shapes.rows() * group->filled;
    double* imaginary =
        is_complex ? modes.imaginary.data() + modes.shapes.rows() * group->filled : nullptr;
    const bool is_copied =
        modes.points.size() == count
            ? copy_entries(data, count, ident.width, group->id_words, real, imaginary)
            : copy_kept(data, ident.width, group->kept, group->id_words, real, imaginary);
    if (is_copied) {
      if (is_complex && ident.format == 3) from_polar_pairs(real, imaginary, modes.shapes.rows());
      break;
    }
    group = &start_group(name, ident, is_complex);  // the record has other points than the group
  }
  ++group->filled;
  add_abscissa(*group, ident);
}

void Op2Shapes::add_sort2(const std::string& name, const Ident& ident, const Op2Words& data) {
  if (!options_.keeps(ident.mode / 10)) return;
  const std::size_t count = data.size() / ident.width;
  const bool is_complex = ident.width == 14;
  std::vector<std::int64_t> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = data.integer(i * ident.width);
  const auto matches = [&](const Group& group) {
    return group.sort2 && group.approach == ident.approach && group.is_complex == is_complex &&
           group.modes.subcase == ident.subcase && group.modes.source == name &&
           group.id_words == words;
  };
  Group* group = groups_.empty() || !matches(groups_.back()) ? nullptr : &groups_.back();
  if (group == nullptr) {
    group = &start_group(name, ident, is_complex);
    group->id_words = words;
    group->numbers = words;
    group->modes.single_precision = data.layout().word == 4;
    for (std::size_t i = 0; i < count; ++i)
      group->abscissae.push_back(data.real(i * ident.width));
  }
  // one column per point until the table ends, because the number of points is not known before
  RawModes& modes = group->modes;
  const auto column = static_cast<Eigen::Index>(modes.points.size());
  if (column == modes.shapes.cols()) {
    const auto height = static_cast<Eigen::Index>(6 * count);
    const Eigen::Index columns = column < 64 ? 64 : column + column / 2;
    modes.shapes.conservativeResize(height, columns);
    if (is_complex) modes.imaginary.conservativeResize(height, columns);
  }
  double* real = modes.shapes.data() + modes.shapes.rows() * column;
  double* imaginary =
      is_complex ? modes.imaginary.data() + modes.imaginary.rows() * column : nullptr;
  std::uint8_t scalar = 0;
  for (std::size_t i = 0; i < count; ++i) {
    scalar = data.integer(i * ident.width + 1) == 1 ? 0 : 1;
    for (std::size_t k = 0; k < 6; ++k) {
      real[6 * i + k] = data.real(i * ident.width + 2 + k);
      if (is_complex) imaginary[6 * i + k] = data.real(i * ident.width + 8 + k);
    }
  }
  if (is_complex && ident.format == 3) from_polar_pairs(real, imaginary, modes.shapes.rows());
  modes.points.push_back(ident.mode / 10);
  modes.is_scalar.push_back(scalar);
}

namespace {

/// Converts a matrix of 6 * count rows, one column per point, to one of 6 * points rows, one column
/// per abscissa. Blocks of six values move along their permutation cycles, so no second copy is
/// needed.
void transpose_blocks(Eigen::MatrixXd& values, std::size_t points, std::size_t count) {
  values.conservativeResize(values.rows(), static_cast<Eigen::Index>(points));
  std::vector<bool> is_moved(points * count, false);
  double* data = values.data();
  for (std::size_t first = 0; first < is_moved.size(); ++first) {
    if (is_moved[first]) continue;
    std::array<double, 6> carried{};
    std::copy_n(data + 6 * first, 6, carried.begin());
    std::size_t at = first;
    do {
      at = at % count * points + at / count;  // target of the current block
      for (std::size_t k = 0; k < 6; ++k)
        std::swap(carried[k], data[6 * at + k]);
      is_moved[at] = true;
    } while (at != first);
  }
  values.resize(static_cast<Eigen::Index>(6 * points), static_cast<Eigen::Index>(count));
}

}  // namespace

void Op2Shapes::transpose_sort2(Group& group) {
  RawModes& modes = group.modes;
  const std::size_t count = group.id_words.size();
  transpose_blocks(modes.shapes, modes.points.size(), count);
  if (group.is_complex) transpose_blocks(modes.imaginary, modes.points.size(), count);
  if (group.approach == 5) modes.frequencies_hz = group.abscissae;
  group.filled = static_cast<Eigen::Index>(count);
}

void Op2Shapes::finish(const std::vector<RawEigenvalues>& tables, FileContents& contents) {
  if (contents.title.empty()) contents.title = title_;
  for (Group& group : groups_) {
    RawModes& modes = group.modes;
    if (group.sort2) transpose_sort2(group);
    modes.numbers = group.numbers;
    modes.shapes.conservativeResize(modes.shapes.rows(), group.filled);
    if (group.is_complex) modes.imaginary.conservativeResize(modes.shapes.rows(), group.filled);
    if (group.approach != 2) {
      contents.modes.push_back(std::move(modes));
      continue;
    }
    // join the first eigenvalue table (LAMA) that has all mode numbers of the group and, where the
    // idents give eigenvalues (SORT1 only), the same ones
    for (const RawEigenvalues& table : tables) {
      std::vector<double> value;
      std::vector<double> hertz;
      std::vector<double> mass;
      for (std::size_t i = 0; i < group.numbers.size(); ++i) {
        std::optional<double> own;
        if (!group.sort2) own = modes.eigenvalues[i];
        const std::optional<std::size_t> k = find_mode(table, group.numbers[i], i, own);
        if (!k) break;
        value.push_back(table.eigenvalue[*k]);
        hertz.push_back(table.frequency_hz[*k]);
        mass.push_back(table.generalised_mass[*k]);
      }
      if (value.size() != group.numbers.size()) continue;
      modes.eigenvalues = std::move(value);
      modes.frequencies_hz = std::move(hertz);
      modes.generalised_mass = std::move(mass);
      break;
    }
    contents.modes.push_back(std::move(modes));
  }
  groups_.clear();
}

}  // namespace femflex::importer
