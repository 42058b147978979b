#include "assembly_json.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/bars.h"
#include "femflex/substructure/condense.h"
#include "femflex/substructure/flex_part.h"
#include "femflex/substructure/text_form.h"

#include "inputs.h"
#include "json_text.h"

namespace femflex::pipeline {

namespace fs = std::filesystem;
using substructure::ConnectionTable;
using substructure::DynamicStiffness;
using substructure::ObjectTable;

namespace {

int whole(const Json& value, int least, int most) {
  const double number = value.number();
  if (number != std::floor(number) || number < least || number > most) {
    value.fail("number",
               fmt::format("{} is not a whole number from {} to {}", number, least, most));
  }
  return static_cast<int>(number);
}

double positive(const Json& value) {
  const double number = value.number();
  if (!(number > 0.0)) value.fail("number", fmt::format("{} is not positive", number));
  return number;
}

std::vector<double> numbers(const Json& value) {
  std::vector<double> out;
  for (const Json& item : value.items())
    out.push_back(item.number());
  return out;
}

Eigen::MatrixXd matrix(const Json& value) {
  const auto& rows = value.items();
  const std::size_t columns = rows.empty() ? 0 : rows.front().items().size();
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers(rows[i]);
    if (row.size() != columns) {
      rows[i].fail("sizes-differ",
                   fmt::format("a row of {} numbers below rows of {}", row.size(), columns));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j];
    }
  }
  return out;
}

template <typename Row>
std::vector<Row> table_rows(const Json& value);

template <>
std::vector<std::vector<int>> table_rows(const Json& value) {
  ObjectTable out;
  for (const Json& row : value.items()) {
    auto& list = out.emplace_back();
    for (const Json& node : row.items())
      list.push_back(whole(node, 0, 100'000'000));
  }
  return out;
}

template <>
std::vector<std::array<int, 4>> table_rows(const Json& value) {
  ConnectionTable out;
  for (const Json& row : value.items()) {
    if (row.items().size() != 4) {
      row.fail("connection",
               fmt::format("a connection of {} numbers; part, port, part, port expected",
                           row.items().size()));
    }
    auto& to = out.emplace_back();
    for (std::size_t k = 0; k < 4; ++k)
      to[k] = whole(row.items()[k], 0, 100'000'000);
  }
  return out;
}

std::string token_of(ObjectReader& reader) {
  if (const Json* token = reader.find("token")) return token->text();
  if (const Json* name = reader.find("token_env")) {
    const char* value = std::getenv(name->text().c_str());
    if (value == nullptr || *value == '\0') {
      name->fail("token", fmt::format("the environment has no {}", name->text()));
    }
    return value;
  }
  return {};
}

Condensation read_condensation(const Json& value) {
  ObjectReader reader(value, "'condense'");
  Condensation out;
  out.method = choice(reader.need("method"), {"guyan", "craig-bampton", "balanced", "band", "at"});
  if (out.method != "guyan") out.band_hz = positive(reader.need("hz"));
  if (out.method == "balanced") out.states = whole(reader.need("states"), 0, 100'000);
  if (const Json* tolerance = reader.find("tolerance")) out.tolerance = positive(*tolerance);
  reader.finish();
  return out;
}

Shaping read_shaping(ObjectReader& reader) {
  Shaping out;
  if (const Json* dimension = reader.find("dimension")) out.dimension = whole(*dimension, 2, 3);
  if (const Json* mass = reader.find("transverse_mass")) out.transverse_mass = mass->number();
  const Json* angle = reader.find("angle_deg");
  const Json* along = reader.find("along");
  const Json* rotation = reader.find("rotation");
  if ((angle != nullptr) + (along != nullptr) + (rotation != nullptr) > 1) {
    reader.value().fail("rotation", "give one of angle_deg, along and rotation");
  }
  if (angle != nullptr) out.rotation = substructure::plane_rotation(angle->number());
  if (along != nullptr) {
    const std::vector<double> axis = numbers(*along);
    if (axis.size() == 2) {
      const double length = std::hypot(axis[0], axis[1]);
      if (!(length > 0.0)) along->fail("rotation", "the axis vanishes");
      const double c = axis[0] / length;
      const double s = axis[1] / length;
      out.rotation = (Eigen::Matrix2d() << c, s, -s, c).finished();
    } else if (axis.size() == 3) {
      out.rotation = substructure::frame_along({axis[0], axis[1], axis[2]});
    } else {
      along->fail("rotation", "an axis has two or three numbers");
    }
  }
  if (rotation != nullptr) out.rotation = matrix(*rotation);
  if (const Json* ports = reader.find("ports")) {
    for (const Json& port : ports->items())
      out.ports.push_back(whole(port, 1, 100'000'000));
  }
  if (const Json* condense = reader.find("condense")) out.condense = read_condensation(*condense);
  return out;
}

/// A part that stands in the file itself or in a file beside it.
class GivenPart {
 public:
  GivenPart(fs::path folder, Diagnostics& diagnostics, Progress& progress)
      : folder_(std::move(folder)), diagnostics_(diagnostics), progress_(progress) {}

  /// Empty where the definition is of another kind.
  std::optional<DynamicStiffness> read(ObjectReader& reader,
                                       const std::string& number,
                                       std::map<std::string, Json>& attributes) {
    if (const Json* value = reader.find("bar")) {
      ObjectReader bar(*value, fmt::format("bar '{}'", number));
      const auto amount = [&](std::string_view key) {
        const Json* given = bar.find(key);
        return given == nullptr ? 0.0 : given->number();
      };
      const substructure::Bar data{amount("mass"), amount("stiffness"), amount("damping")};
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
      const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(K.rows(), K.rows());
      const Json* C = matrices.find("C");
      const Json* M = matrices.find("M");
      matrices.finish();
      return substructure::from_matrices(
          M == nullptr ? none : matrix(*M), C == nullptr ? none : matrix(*C), K);
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

 private:
  fs::path beside(const Json& file) const {
    const fs::path path = file.text();
    return path.is_absolute() ? path : folder_ / path;
  }

  DynamicStiffness text_file(const Json& file) const {
    std::ifstream in(beside(file), std::ios::binary);
    if (!in) file.fail("no-file", fmt::format("no file '{}'", file.text()));
    std::string text;
    std::vector<char> piece(std::size_t{1} << 16U);
    const substructure::TextLimits limits;
    // a little beyond the limit, so that read_text() can say that the file is too large
    while (in && text.size() <= limits.bytes) {
      in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
      text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    return substructure::read_text(text, file.text(), limits);
  }

  DynamicStiffness flexible_body(const Json& value) {
    ObjectReader flex(value, "'flex'");
    const fs::path path = beside(flex.need("file"));
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

  fs::path folder_;
  Diagnostics& diagnostics_;
  Progress& progress_;
};

AssemblySource read_assembly_source(const Json& value, const std::string& number) {
  ObjectReader reader(value, fmt::format("assembly '{}'", number));
  AssemblySource out;
  for (const Json& item : reader.need("parts").items()) {
    Instance& instance = out.instances.emplace_back();
    if (item.is_text()) {
      instance.part = item.text();
      continue;
    }
    ObjectReader use(item, fmt::format("part {} of assembly '{}'", out.instances.size(), number));
    instance.part = use.need("part").text();
    instance.shaping = read_shaping(use);
    use.finish();
  }
  const Json* objects = reader.find("objects");
  const Json* connections = reader.find("connections");
  if ((objects == nullptr) == (connections == nullptr)) {
    value.fail("connectivity",
               fmt::format("assembly '{}' needs either 'objects' or 'connections'", number));
  }
  if (objects != nullptr) {
    out.table = table_rows<std::vector<int>>(*objects);
  } else {
    out.table = table_rows<std::array<int, 4>>(*connections);
  }
  reader.finish();
  return out;
}

RemoteSource read_remote(const Json& value, const std::string& number) {
  ObjectReader reader(value, fmt::format("remote part '{}'", number));
  RemoteSource out;
  out.url = reader.need("agent").text();
  if (!out.url.starts_with("http://")) {
    value.fail("url", fmt::format("agent '{}'; http://host:port expected", out.url));
  }
  while (out.url.ends_with('/'))
    out.url.pop_back();
  out.part = reader.text("part", number);
  if (!is_part_number(out.part)) {
    value.fail("part-number", fmt::format("'{}' is no part number", out.part));
  }
  out.token = token_of(reader);
  reader.finish();
  return out;
}

}  // namespace

bool is_part_number(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  return text.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
         std::string_view::npos;
}

substructure::Condensed condensed(const DynamicStiffness& part, const Condensation& how) {
  const double omega = 2.0 * M_PI * how.band_hz;
  if (how.method == "guyan") return {substructure::guyan(part)};
  if (how.method == "at") return {substructure::condensed_about(part, omega)};
  if (how.method == "craig-bampton") return substructure::craig_bampton(part, omega);
  if (how.method == "balanced") return substructure::balanced_truncation(part, how.states, omega);
  return substructure::band_limited(part, omega, how.tolerance);
}

DynamicStiffness shaped(const DynamicStiffness& part, const Shaping& shaping) {
  DynamicStiffness out = part;
  if (shaping.dimension) {
    out = substructure::with_dimension(out, *shaping.dimension, shaping.transverse_mass);
  }
  if (shaping.rotation) out = substructure::rotated(out, *shaping.rotation);
  if (!shaping.ports.empty()) out = substructure::with_ports(out, shaping.ports);
  if (shaping.condense) out = condensed(out, *shaping.condense).part;
  return out;
}

AssemblyFile read_assembly(const Json& document,
                           const fs::path& folder,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  ObjectReader reader(document, "the assembly file");
  AssemblyFile file;
  if (const Json* format = reader.find("femflex")) whole(*format, 1, 1);
  reader.find("$schema");
  file.name = reader.text("name", "assembly");
  if (const Json* units = reader.find("units"); units != nullptr && units->text() != "m-kg-s") {
    units->fail("units", fmt::format("units '{}'; parts are in m-kg-s", units->text()));
  }
  GivenPart given(folder, diagnostics, progress);
  for (const Json::Member& member : reader.need("parts").members()) {
    const std::string& number = member.key;
    if (!is_part_number(number)) {
      throw ParseError("part-number",
                       fmt::format("'{}' is no part number", number),
                       member.where,
                       "letters, digits, '.', '_' and '-', at most 64");
    }
    ObjectReader part(member.value, fmt::format("part '{}'", number));
    PartDefinition definition;
    definition.number = number;
    if (const Json* attributes = part.find("attributes")) {
      for (const Json::Member& attribute : attributes->members()) {
        definition.attributes[attribute.key] = attribute.value;
      }
    }
    definition.token = token_of(part);
    definition.shaping = read_shaping(part);
    const Json* assembly = part.find("assembly");
    const Json* remote = part.find("remote");
    if (assembly != nullptr) {
      definition.source = read_assembly_source(*assembly, number);
    } else if (remote != nullptr) {
      definition.source = read_remote(*remote, number);
    } else {
      std::optional<DynamicStiffness> own = given.read(part, number, definition.attributes);
      if (!own) {
        member.value.fail("no-source",
                          fmt::format("part '{}' has no dynamics", number),
                          "give bar, text, text_file, matrices, polynomials, transfer_function, "
                          "state_space, flex, assembly or remote");
      }
      const std::optional<Condensation> condense =
          std::exchange(definition.shaping.condense, std::nullopt);
      DynamicStiffness made = shaped(*own, definition.shaping);
      made.name = number;
      definition.shaping = {};
      if (condense) {
        definition.full = std::make_shared<const DynamicStiffness>(made);
        definition.shaping.condense = condense;
        made = condensed(made, *condense).part;
      }
      definition.source = std::make_shared<const DynamicStiffness>(std::move(made));
    }
    part.finish();
    file.parts.emplace(number, std::move(definition));
  }
  for (const auto& [number, definition] : file.parts) {
    if (!definition.is_assembly()) continue;
    for (const Instance& instance : std::get<AssemblySource>(definition.source).instances) {
      if (!file.parts.contains(instance.part)) {
        throw ModelError(
            "unknown-part",
            fmt::format(
                "assembly '{}' uses part '{}', which is not in the file", number, instance.part),
            document.where());
      }
    }
  }
  if (const Json* solve = reader.find("solve")) file.solve = *solve;
  reader.find("serve");
  reader.finish();
  return file;
}

AssemblyFile load_assembly(const fs::path& path, Diagnostics& diagnostics, Progress& progress) {
  return read_assembly(read_json_file(path), path.parent_path(), diagnostics, progress);
}

}  // namespace femflex::pipeline
