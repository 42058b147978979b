// Converts each form of a given part (bar, text, matrices, polynomials, transfer function, state
// space, body file) to a dynamic stiffness.
#include "assembly/given_part.h"

#include <fstream>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/bars.h"
#include "femflex/substructure/flex_part.h"
#include "femflex/substructure/text_form.h"

#include "body/inputs.h"
#include "document/json_numbers.h"

namespace femflex::tools {

namespace fs = std::filesystem;
using substructure::DynamicStiffness;

fs::path resolved_path(const fs::path& folder, const fs::path& file) {
  return file.is_absolute() ? file : folder / file;
}

std::optional<DynamicStiffness> GivenPart::read(ObjectReader& reader,
                                                const std::string& number,
                                                std::map<std::string, Json>& attributes) {
  if (const Json* value = reader.find("bar")) {
    ObjectReader bar(*value, fmt::format("bar '{}'", number));
    const auto number_or_zero = [&](std::string_view key) {
      const Json* given = bar.find(key);
      return given == nullptr ? 0.0 : given->number();
    };
    const substructure::Bar data{
        number_or_zero("mass"), number_or_zero("stiffness"), number_or_zero("damping")};
    bar.finish();
    attributes.try_emplace("mass", data.mass);
    return substructure::bar_part(data);
  }
  if (const Json* text = reader.find("text")) {
    return substructure::read_text(text->text(), number);
  }
  if (const Json* file = reader.find("text_file")) return text_file(*file);
  if (const Json* value = reader.find("matrices")) {
    ObjectReader matrices(*value, fmt::format("matrices of '{}'", number));
    const Eigen::MatrixXd K = matrix(matrices.need("K"));
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(K.rows(), K.rows());
    const Json* C = matrices.find("C");
    const Json* M = matrices.find("M");
    matrices.finish();
    return substructure::from_matrices(
        M == nullptr ? zero : matrix(*M), C == nullptr ? zero : matrix(*C), K);
  }
  if (const Json* rows = reader.find("polynomials")) {
    substructure::PolynomialMatrix entries;
    for (const Json& row : rows->items()) {
      auto& list = entries.emplace_back();
      for (const Json& entry : row.items())
        list.push_back(numbers(entry));
    }
    return substructure::from_polynomials(entries);
  }
  if (const Json* value = reader.find("transfer_function")) {
    ObjectReader function(*value, fmt::format("transfer function of '{}'", number));
    const auto numerator = numbers(function.need("numerator"));
    const auto denominator = numbers(function.need("denominator"));
    function.finish();
    return substructure::from_transfer_function(numerator, denominator);
  }
  if (const Json* value = reader.find("state_space")) {
    ObjectReader space(*value, fmt::format("state space of '{}'", number));
    const Eigen::MatrixXd B = matrix(space.need("B"));
    const Eigen::MatrixXd A = matrix(space.need("A"));
    const Eigen::MatrixXd C = matrix(space.need("C"));
    const Json* D = space.find("D");
    space.finish();
    return substructure::from_state_space(
        A, B, C, D == nullptr ? Eigen::MatrixXd::Zero(C.rows(), B.cols()) : matrix(*D));
  }
  if (const Json* value = reader.find("flex")) return flexible_body(*value);
  return {};
}

DynamicStiffness GivenPart::text_file(const Json& file) const {
  std::ifstream in(resolved_path(folder_, file.text()), std::ios::binary);
  if (!in) file.fail("no-file", fmt::format("no file '{}'", file.text()));
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16U);
  const substructure::TextLimits limits;
  // slightly more than the limit, so that read_text() can report that the file is too large
  while (in && text.size() <= limits.bytes) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
  }
  return substructure::read_text(text, file.text(), limits);
}

DynamicStiffness GivenPart::flexible_body(const Json& value) {
  ObjectReader flex(value, "'flex'");
  const fs::path path = resolved_path(folder_, flex.need("file").text());
  std::vector<std::int64_t> nodes;
  if (const Json* list = flex.find("nodes")) {
    for (const Json& node : list->items())
      nodes.push_back(whole(node, 1, 2'000'000'000));
  }
  const std::string components = flex.text("components", "123456");
  flex.finish();
  return substructure::from_flex_body(
      load_body(path, {}, diagnostics_, progress_), nodes, components);
}

}  // namespace femflex::tools
