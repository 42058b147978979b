// Reads data set 58 of universal files, in text and in binary form.
#include "femflex/importer/universal_functions.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "femflex/byte_order.h"
#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"

namespace femflex::importer {
namespace {

constexpr std::array<const char*, 13> kFunctionNames{"general function",
                                                     "time response",
                                                     "auto spectrum",
                                                     "cross spectrum",
                                                     "frequency response",
                                                     "transmissibility",
                                                     "coherence",
                                                     "auto correlation",
                                                     "cross correlation",
                                                     "power spectral density",
                                                     "energy spectral density",
                                                     "probability density",
                                                     "spectrum"};

bool is_end_of_set(std::string_view line) {
  return trimmed(line) == "-1";
}

/// Node and direction as 12+Z.
std::string place_of(std::int64_t node, std::int64_t direction) {
  constexpr std::array<const char*, 7> kDirections{"", "X", "Y", "Z", "RX", "RY", "RZ"};
  const std::int64_t axis = direction < 0 ? -direction : direction;
  if (axis == 0 || axis >= static_cast<std::int64_t>(kDirections.size()))
    return fmt::format("{}", node);
  return fmt::format(
      "{}{}{}", node, direction < 0 ? '-' : '+', kDirections[static_cast<std::size_t>(axis)]);
}

class FunctionReader {
 public:
  FunctionReader(std::string_view bytes, Lines& lines, std::string file)
      : bytes_(bytes), lines_(lines), file_(std::move(file)) {}

  UniversalFunction read(bool with_values) {
    read_first_line();
    constexpr int kTexts = 5;
    for (int k = 0; k < kTexts; ++k)
      row();
    read_place();
    read_form();
    constexpr int kAxes = 4;
    for (int k = 0; k < kAxes; ++k) {
      std::string_view line = row();
      if (k == 0) take_integer(line, out_.abscissa);
    }
    if (is_binary_)
      read_bytes(with_values);
    else
      read_text(with_values);
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_, lines_.number()}, "export the functions again");
  }

  std::string_view row() {
    if (!lines_.next() || is_end_of_set(lines_.line()))
      fail("truncated", "a function (data set 58) ends within its head");
    return lines_.line();
  }

  std::int64_t integer(std::string_view& line, const char* what) const {
    std::int64_t value = 0;
    if (!take_integer(line, value)) fail("function", fmt::format("{} is not a number", what));
    return value;
  }

  void read_first_line() {
    std::string_view line = lines_.line();
    integer(line, "the number of the data set");
    is_binary_ = trimmed(line).starts_with('b');
    if (!is_binary_) return;
    line.remove_prefix(line.find('b') + 1);
    const std::int64_t order = integer(line, "the byte order");
    const std::int64_t format = integer(line, "the format of the numbers");
    const std::int64_t texts = integer(line, "the number of lines");
    byte_count_ = integer(line, "the number of bytes");
    constexpr std::int64_t kIeee = 2, kLines = 11, kLittle = 1, kBig = 2;
    if (format != kIeee || texts != kLines || (order != kLittle && order != kBig))
      fail("function", "the binary form is not IEEE numbers behind eleven lines");
    if (byte_count_ < 0 || static_cast<std::uint64_t>(byte_count_) > bytes_.size())
      fail("truncated", fmt::format("a function claims {} bytes", byte_count_));
    swap_ = order == kBig;
  }

  void read_place() {
    // 2(I5,I10),2(1X,10A1,I10,I4): names may hold blanks, so the columns count
    const std::string_view line = row();
    constexpr std::size_t kEntity = 25;    // bytes of a name, node and direction
    constexpr std::size_t kName = 11;      // of them the name and the blank before it
    constexpr std::size_t kResponse = 30;  // where the first one begins
    constexpr std::size_t kNode = 10;
    std::string_view head = line;
    out_.type = integer(head, "the type of a function");
    const auto place = [&](std::size_t at) -> std::pair<std::int64_t, std::int64_t> {
      if (line.size() < at + kName + kNode) return {0, 0};
      const std::string_view field = line.substr(at + kName, kEntity - kName);
      const auto node = parse_integer(field.substr(0, kNode));
      const auto direction = parse_integer(field.substr(kNode));
      return {node.value_or(0), direction.value_or(0)};
    };
    const auto [node, direction] = place(kResponse);
    const auto [reference, along] = place(kResponse + kEntity);
    out_.name = place_of(node, direction);
    if (reference != 0) out_.name += "/" + place_of(reference, along);
  }

  void read_form() {
    std::string_view line = row();
    form_ = integer(line, "the form of the values");
    constexpr std::int64_t kRealSingle = 2, kRealDouble = 4, kSingle = 5, kDouble = 6;
    if (form_ != kRealSingle && form_ != kRealDouble && form_ != kSingle && form_ != kDouble)
      fail("function", fmt::format("the form of the values is {}", form_));
    out_.is_complex = form_ == kSingle || form_ == kDouble;
    is_double_ = form_ == kRealDouble || form_ == kDouble;
    count_ = integer(line, "the number of values");
    // a number takes four bytes at least, in text one digit and a blank
    if (count_ < 0 || static_cast<std::uint64_t>(count_) > bytes_.size() / 2)
      fail("function", fmt::format("a function claims {} values", count_));
    is_even_ = integer(line, "the spacing of the abscissas") == 1;
    if (!take_real(line, start_) || !take_real(line, step_)) {
      if (is_even_) fail("function", "the abscissas have no start and step");
    }
  }

  std::size_t numbers_of_value() const {
    return (out_.is_complex ? 2U : 1U) + (is_even_ ? 0U : 1U);
  }

  /// Takes the numbers of the set in their order.
  void add(double value) {
    if (!std::isfinite(value)) fail("not-finite", "a value is not finite");
    const bool is_abscissa = !is_even_ && place_ % numbers_of_value() == 0;
    (is_abscissa ? out_.x : out_.y).push_back(value);
    ++place_;
  }

  void finish_values() {
    if (place_ != static_cast<std::size_t>(count_) * numbers_of_value())
      fail("function",
           fmt::format("{} has {} numbers, expected {} values of {}",
                       out_.name,
                       place_,
                       count_,
                       numbers_of_value()));
    if (!is_even_) return;
    out_.x.resize(static_cast<std::size_t>(count_));
    for (std::size_t k = 0; k < out_.x.size(); ++k)
      out_.x[k] = start_ + static_cast<double>(k) * step_;
  }

  void read_text(bool with_values) {
    while (true) {
      if (!lines_.next()) fail("truncated", "the file ends within a function");
      std::string_view line = lines_.line();
      if (is_end_of_set(line)) break;
      if (!with_values) continue;
      double value = 0.0;
      while (take_real(line, value))
        add(value);
      if (!trimmed(line).empty())
        fail("function", fmt::format("'{}' is not a number", line.substr(0, 40)));
    }
    if (with_values) finish_values();
  }

  void read_bytes(bool with_values) {
    const std::size_t start = lines_.next_offset();
    const auto size = static_cast<std::size_t>(byte_count_);
    if (size > bytes_.size() - start)
      fail("truncated", fmt::format("the file ends within a function of {} bytes", size));
    if (with_values) {
      const std::size_t width = is_double_ ? 8 : 4;
      if (is_double_ && !is_even_)
        fail("function", "binary numbers of double precision with uneven abscissas are not read");
      if (size != static_cast<std::size_t>(count_) * numbers_of_value() * width)
        fail("function",
             fmt::format("{} has {} bytes, expected {} values of {} numbers",
                         out_.name,
                         size,
                         count_,
                         numbers_of_value()));
      for (std::size_t at = start; at < start + size; at += width)
        add(is_double_ ? load<double>(bytes_.data() + at, swap_)
                       : static_cast<double>(load<float>(bytes_.data() + at, swap_)));
      finish_values();
    }
    // behind the bytes the set ends, on their line or on the next one
    while (lines_.next()) {
      if (lines_.next_offset() <= start + size) continue;
      const std::size_t rest = lines_.offset() > start + size ? lines_.offset() : start + size;
      const std::size_t end = lines_.offset() + lines_.line().size();
      const std::string_view line =
          end > rest ? bytes_.substr(rest, end - rest) : std::string_view();
      if (is_end_of_set(line)) return;
      if (!trimmed(line).empty()) fail("function", "the bytes of a function end without -1");
    }
    fail("truncated", "the file ends within a function");
  }

  std::string_view bytes_;
  Lines& lines_;
  std::string file_;
  UniversalFunction out_;
  std::int64_t form_ = 0, count_ = 0, byte_count_ = 0;
  double start_ = 0.0, step_ = 0.0;
  std::size_t place_ = 0;  ///< numbers taken so far
  bool is_binary_ = false, is_double_ = false, is_even_ = true, swap_ = false;
};

}  // namespace

std::string text_of_function(std::int64_t type) {
  if (type >= 0 && type < static_cast<std::int64_t>(kFunctionNames.size()))
    return kFunctionNames[static_cast<std::size_t>(type)];
  return fmt::format("function of type {}", type);
}

UniversalFunction read_universal_function(std::string_view bytes,
                                          Lines& lines,
                                          bool with_values,
                                          const std::string& file) {
  return FunctionReader(bytes, lines, file).read(with_values);
}

std::vector<UniversalFunction> read_universal_functions(const std::filesystem::path& path) {
  const InputFile file(path);
  Lines lines(file.bytes());
  std::vector<UniversalFunction> out;
  bool is_inside = false;
  while (lines.next()) {
    if (is_end_of_set(lines.line())) {
      is_inside = !is_inside;
      if (!is_inside || !lines.next()) continue;
      std::string_view line = lines.line();
      std::int64_t number = 0;
      constexpr std::int64_t kFunction = 58;
      if (!take_integer(line, number) || number != kFunction) continue;
      out.push_back(read_universal_function(file.bytes(), lines, true, file.name()));
      is_inside = false;
    }
  }
  if (out.empty())
    throw ParseError("no-functions",
                     "has no functions (data set 58)",
                     {file.name()},
                     "export the history as data set 58, CSV, .mat, HDF5 or RPC III");
  return out;
}

}  // namespace femflex::importer
