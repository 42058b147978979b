// Reads a lattice file: recognises the format by its first characters and calls the reader of that
// format.
#include <algorithm>
#include <optional>
#include <utility>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

#include "document/file_kind.h"
#include "document/json_text.h"
#include "lattice/lattice_matrix.h"
#include "lattice/lattice_memory.h"
#include "lattice/lattice_text.h"
#include "lattice/plain_lattice.h"
#include "lattice/polynomial_json.h"
#include "lattice/run_lattice.h"

namespace femflex::tools {
namespace {

namespace fs = std::filesystem;
using namespace hamiltonian;

/// True if the document must be changed before it is read.
bool changes(const LatticeReadOptions& options) {
  return !options.document.sets.empty() || !options.document.variant.empty();
}

/// Reads a lattice in JSON, plain nodes and springs straight from the text. Empty if it is another
/// document, or must be read as a whole.
std::optional<LatticeDocument> read_as_plain(std::string_view text, const std::string& name) {
  const std::optional<PlainLattice> plain = take_plain_lattice(text);
  if (!plain) return std::nullopt;
  const auto plain_ones = [](const auto& list) {  // the others count by their characters
    return static_cast<double>(
        std::count_if(list.begin(), list.end(), [](const auto& each) { return each.is_plain; }));
  };
  require_memory(plain_ones(plain->nodes), plain_ones(plain->springs), {name});
  require_memory_to_read(static_cast<double>(plain->other_characters), {name});
  const Json document = parse_json(plain->rest, name);
  if (is_polynomial_json(document)) return std::nullopt;
  return read_plain_lattice(document, *plain);
}

AnyLattice read_by_content(const fs::path& path, const LatticeReadOptions& options) {
  require_file(path);
  const io::MappedFile file(path);
  const std::string_view text = without_byte_order_mark(file.bytes());
  const std::string name = path.string();
  AnyLattice out;
  if (changes(options) && lattice_text_of(text) != LatticeText::json)
    throw UsageError("usage",
                     "--set and --variant change a lattice in JSON",
                     {name},
                     "write it as JSON first: femflex lattice FILE --write FILE.json");
  switch (lattice_text_of(text)) {
    case LatticeText::empty:
      throw ParseError("empty", "the file is empty", {name});
    case LatticeText::json:
      if (!changes(options))
        if (std::optional<LatticeDocument> plain = read_as_plain(text, name)) {
          out.document = std::move(*plain);
          return out;
        }
      require_memory_to_read(static_cast<double>(text.size()), {name});
      return read_any_json(changes(options) ? load_document(path, options.document)
                                            : parse_json(text, name));
    case LatticeText::fydik:
      out.fydik = parse_fydik(text, name);
      out.document = fydik_document(*out.fydik);
      break;
    case LatticeText::polynomial:
      out.polynomial = parse_polynomial(text, options.polynomial_dimension, name);
      out.is_polynomial_text = true;
      break;
    case LatticeText::matrix:
      out.is_matrix = true;
      out.document.lattice =
          parse_lattice_matrix(text, name, options.rest_lengths_from_start, out.document.warnings);
      break;
    case LatticeText::list:
      throw ParseError(
          "unknown-format", "a list; a lattice in JSON is an object { ... }", {name, 1});
    case LatticeText::unknown:
      throw ParseError("unknown-format",
                       "neither JSON, nor a K/D matrix, nor FyDiK XML, nor a polynomial 'H = ...'",
                       {name, 1});
  }
  return out;
}

}  // namespace

AnyLattice read_any_json(const Json& document) {
  AnyLattice out;
  if (!is_polynomial_json(document)) {
    out.document = read_lattice_json(document);
    return out;
  }
  PolynomialDocument read = read_polynomial_json(document);
  out.document = std::move(read.run);
  out.polynomial = std::move(read.polynomial);
  out.start = std::move(read.start);
  return out;
}

AnyLattice read_any_lattice(const fs::path& path, const LatticeReadOptions& options) {
  try {
    return read_by_content(path, options);
  } catch (const ModelError& error) {  // errors about contradicting numbers contain no place in the
                                       // file
    if (!error.where().file.empty()) throw;
    throw ModelError(error.code(), error.message(), {path.string()}, error.fix());
  }
}

}  // namespace femflex::tools
