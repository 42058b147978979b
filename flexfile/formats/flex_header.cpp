// Reads and writes the comment lines of FLEX files: table of node numbers, scaling,
// orthogonalisation, rejected modes.
#include "formats/flex_header.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "femflex/text.h"

namespace femflex::flexfile {
namespace {

/// The number that follows `key` in `line`; empty if there is none.
template <class Number>
std::optional<Number> number_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + key.size());
  const std::string_view word = take_word(rest);
  Number value{};
  const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end.ec != std::errc()) return std::nullopt;
  return value;
}

template <class Number>
Number required_after(const LineCursor& lines, std::string_view line, std::string_view key) {
  const std::optional<Number> value = number_after<Number>(line, key);
  if (!value)
    lines.fail(
        "bad-number", fmt::format("there is no number after '{}'", trimmed(key)), "header comment");
  return *value;
}

void parse_node_pairs(const LineCursor& lines, std::string_view line, FlexHeader& header) {
  std::string_view rest = line.substr(1);
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const std::string_view second = take_word(rest);
    FlexHeader::Pair pair;
    const auto a = std::from_chars(word.data(), word.data() + word.size(), pair.id);
    const auto b = std::from_chars(second.data(), second.data() + second.size(), pair.number);
    if (second.empty() || a.ec != std::errc() || b.ec != std::errc() ||
        a.ptr != word.data() + word.size() || b.ptr != second.data() + second.size())
      lines.fail("bad-number",
                 fmt::format("'{} {}' is not a pair of node numbers", word, second),
                 "table of node numbers",
                 word.data() - line.data() + 1);
    header.nodes.push_back(pair);
  }
}

}  // namespace

FlexHeader parse_flex_header(LineCursor& lines) {
  FlexHeader header;
  bool in_table = false;
  while (!lines.at_end() && (lines.peek().starts_with('*') || trimmed(lines.peek()).empty())) {
    const std::string_view line = lines.next();
    if (line.size() < 2 || trimmed(line.substr(1)).empty()) {
      in_table = false;
    } else if (line.find("---------") != std::string_view::npos) {
      in_table = true;
    } else if (line.find("NUMBER OF RIGID BODY MODES SPECIFIED:") != std::string_view::npos) {
      header.rigid_modes = required_after<int>(lines, line, "SPECIFIED:");
    } else if (line.find("NUMBER OF REJECTED MODES:") != std::string_view::npos) {
      header.rejected = required_after<int>(lines, line, "MODES:");
    } else if (line.find("EIGENVALUES LESS THAN") != std::string_view::npos) {
      header.rejected_below = required_after<int>(lines, line, "OF WHICH");
      header.below = required_after<double>(lines, line, "LESS THAN");
    } else if (line.find("EIGENVALUES GREATER THAN") != std::string_view::npos) {
      header.rejected_above = required_after<int>(lines, line, "AND");
      header.above = required_after<double>(lines, line, "GREATER THAN");
    } else if (line.find("ORTHOGONALIZED") != std::string_view::npos) {
      header.orthogonalised = line.find("NOT ") == std::string_view::npos;
    } else if (line.find("SCALED") != std::string_view::npos) {
      header.scaled = line.find("NOT ") == std::string_view::npos;
    } else if (in_table) {
      parse_node_pairs(lines, line, header);
    }
  }
  if (header.rejected < 0 || header.rejected > 1000000 || header.rejected_below < 0 ||
      header.rejected_above < 0 || header.rejected_below > header.rejected - header.rejected_above)
    lines.fail("bad-count",
               fmt::format("{} rejected modes do not agree with {} below and {} above the limits",
                           header.rejected,
                           header.rejected_below,
                           header.rejected_above),
               "header comment");
  return header;
}

void put_flex_header(const FlexBody& body, TextSink& out) {
  out.put('*');
  for (int k = 0; k < 5; ++k)
    out.put("   NASTRAN DADS");
  for (const char* part : {"   Node Node   ", "   No.  No.    ", "   ---------   "}) {
    out.put("\n*");
    for (int k = 0; k < 5; ++k)
      out.put(part);
  }
  const auto digits = [](std::int64_t number) { return fmt::formatted_size("{}", number); };
  const std::size_t id_width =
      std::max<std::size_t>(5, digits(body.nodes.empty() ? 0 : body.nodes.back().id));
  const std::size_t number_width =
      std::max<std::size_t>(4, digits(static_cast<std::int64_t>(body.nodes.size())) + 1);
  for (std::size_t k = 0; k < body.nodes.size(); ++k) {
    if (k % 5 == 0) out.put("\n*");
    out.put("   ");
    out.integer(body.nodes[k].id, id_width);
    out.integer(static_cast<std::int64_t>(k) + 1, number_width);
    out.put("   ");
  }
  out.put("\n*\n* NUMBER OF RIGID BODY MODES SPECIFIED:");
  out.integer(body.path.rigid_modes, 3);
  out.put(body.path.scaled ? "\n*\n* SCALED" : "\n*\n* NOT SCALED");
  out.put(body.path.orthogonalised ? "\n* ORTHOGONALIZED\n*\n" : "\n* NOT ORTHOGONALIZED\n*\n");
  if (!body.path.orthogonalised) return;
  const auto count_of = [&](RejectionReason reason) {
    return std::count_if(body.rejected.begin(), body.rejected.end(), [&](const RejectedMode& r) {
      return r.reason == reason;
    });
  };
  out.put(
      fmt::format("* NUMBER OF REJECTED MODES:{:3}\n"
                  "* OF WHICH{:3} MODES HAVE EIGENVALUES LESS THAN{:14.6E}\n"
                  "* AND{:3} MODES HAVE EIGENVALUES GREATER THAN{:14.6E}\n*\n",
                  body.rejected.size(),
                  count_of(RejectionReason::below_limit),
                  body.path.reject_below,
                  count_of(RejectionReason::above_limit),
                  body.path.reject_above));
}

}  // namespace femflex::flexfile
