// Tests that names at namespace scope do not collide among the sources of one CMake target, so that
// a unity build can combine any of these sources. The test parses the sources itself, without a
// build. Its parser knows namespaces, braces and declarations, but neither types nor overload
// resolution.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;
using Tokens = std::span<const std::string>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the raw string, comment or literal that starts at `at`; `at` if there is none.
std::size_t end_of_ignored(std::string_view text, std::size_t at) {
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) return after("*/", at + 2);
  if (rest.starts_with("R\"") && (at == 0 || !is_word(text[at - 1]))) {
    const std::size_t open = text.find('(', at);
    return after(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  const bool is_separator = at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0;
  if (text[at] != '"' && (text[at] != '\'' || is_separator)) return at;  // 1'000 is a number
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at])
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

bool is_first_in_line(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    --at;
  return at == 0 || text[at - 1] == '\n';
}

/// Splits a source into words, numbers, "::" and single characters. Comments and directives are
/// omitted; literals become `""`.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_ignored(text, at);
    if (end > at) {
      if (text[at] != '/') out.emplace_back("\"\"");
      at = end;
    } else if (text[at] == '#' && is_first_in_line(text, at)) {
      do {
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
      } while (at < text.size() && text[at - 2] == '\\');
    } else if (is_word(text[at])) {
      std::size_t last = at;
      while (last < text.size() && (is_word(text[last]) || (text[last] == '\'' && last > at)))
        ++last;
      out.emplace_back(text.substr(at, last - at));
      at = last;
    } else if (text.substr(at).starts_with("::")) {
      out.emplace_back("::");
      at += 2;
    } else {
      if (std::isspace(static_cast<unsigned char>(text[at])) == 0) out.emplace_back(1, text[at]);
      ++at;
    }
  }
  return out;
}

/// A definition at namespace scope.
struct Definition {
  std::string name;       ///< name with its namespaces, without anonymous ones
  std::string signature;  ///< parameter types of a function; target of an alias; otherwise empty
};

/// Finds the definitions at namespace scope of one source.
class Parser {
 public:
  explicit Parser(Tokens tokens) : tokens_(tokens) { scope(""); }

  const std::vector<Definition>& definitions() const { return found_; }
  /// Whether the braces match. If not, some definitions may be missing.
  bool is_complete() const { return is_complete_ && at_ == tokens_.size(); }

 private:
  bool at_end() const { return at_ >= tokens_.size(); }
  bool next_is(std::string_view token, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead] == token;
  }

  /// Skips from an opening bracket to the position after the matching closing bracket.
  void skip_brackets() {
    int depth = 0;
    do {
      const std::string& token = tokens_[at_++];
      if (token == "{" || token == "(" || token == "[") ++depth;
      if (token == "}" || token == ")" || token == "]") --depth;
    } while (depth > 0 && !at_end());
    if (depth != 0) is_complete_ = false;
  }

  /// Reads declarations up to the end of the text or of the namespace.
  void scope(const std::string& path) {
    while (!at_end() && !next_is("}")) {
      if (next_is("namespace") && !next_is("=", 2)) {
        enter_namespace(path);
      } else if (next_is("extern") && next_is("\"\"", 1) && next_is("{", 2)) {
        at_ += 3;
        scope(path);
        ++at_;
      } else if (!skip_macro()) {
        declaration(path);
      }
    }
  }

  /// Skips a macro that stands for declarations: NAME(...) without body or semicolon.
  bool skip_macro() {
    const std::string& name = tokens_[at_];
    const bool is_capital = std::none_of(name.begin(), name.end(), [](unsigned char c) {
      return std::islower(c) != 0 || (std::isalnum(c) == 0 && c != '_');
    });
    if (!is_capital || !next_is("(", 1)) return false;
    const std::size_t begin = at_++;
    skip_brackets();
    if (!next_is("{") && !next_is(";")) return true;
    at_ = begin;
    return false;
  }

  void enter_namespace(std::string path) {
    for (++at_; !at_end() && !next_is("{"); ++at_)
      path += tokens_[at_];
    ++at_;
    scope(path.empty() || path.ends_with("::") ? path : path + "::");
    if (at_end()) is_complete_ = false;
    ++at_;
  }

  /// Reads one declaration, up to its semicolon or to the end of a function body.
  void declaration(const std::string& path) {
    const std::size_t begin = at_;
    std::size_t head = 0;  // end of the part before the first brace or '='
    bool has_body = false;
    while (!at_end() && !next_is(";")) {
      if (head == 0 && (next_is("{") || next_is("="))) head = at_;
      const bool is_brace = next_is("{");
      if (is_brace || next_is("(") || next_is("[")) {
        const Tokens before = tokens_.subspan(begin, at_ - begin);
        skip_brackets();
        has_body = is_brace && is_function(tokens_.subspan(begin, head - begin)) &&
                   !ends_in_member(before);
        if (has_body) break;
      } else if (next_is("}")) {
        return;  // a macro without a semicolon at the end of its scope
      } else {
        ++at_;
      }
    }
    if (head == 0) head = std::min(at_, tokens_.size());
    const Tokens all = tokens_.subspan(begin, std::min(at_, tokens_.size()) - begin);
    if (!has_body) ++at_;
    add(path, tokens_.subspan(begin, head - begin), all, has_body);
  }

  /// Position of the parenthesis before the parameters of a function; the number of tokens if there
  /// is none.
  static std::size_t parameters_at(Tokens head) {
    int angles = 0;
    for (std::size_t k = 1; k < head.size(); ++k) {
      if (head[k] == "<") ++angles;
      if (head[k] == ">") --angles;
      if (head[k] == "(" && angles == 0 && is_word(head[k - 1].back())) return k;
      if (head[k] == "(" || head[k] == "[") k = closing(head, k);
    }
    return head.size();
  }
  static std::size_t closing(Tokens tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < tokens.size(); ++k) {
      if (tokens[k] == "(" || tokens[k] == "[") ++depth;
      if ((tokens[k] == ")" || tokens[k] == "]") && --depth == 0) return k;
    }
    return tokens.size();
  }
  /// Whether a constructor's list of initialisers ends with the name of a member, so that a
  /// following brace contains the value of that member.
  static bool ends_in_member(Tokens head) {
    const std::size_t close = closing(head, parameters_at(head));
    const bool has_list =
        std::find(head.begin() + static_cast<std::ptrdiff_t>(std::min(close, head.size())),
                  head.end(),
                  ":") != head.end();
    return has_list && is_word(head.back().back());
  }
  static bool is_type(Tokens head) {
    static const std::set<std::string> kWords = {"struct", "class", "enum", "union"};
    const Tokens rest = without_template(head);
    return !rest.empty() && kWords.contains(rest.front());
  }
  static bool is_function(Tokens head) {
    return !is_type(head) && parameters_at(without_template(head)) < without_template(head).size();
  }
  static Tokens without_template(Tokens head) {
    while (head.size() > 1 && head[0] == "template") {
      int depth = 0;
      std::size_t k = 1;
      do {
        if (head[k] == "<") ++depth;
        if (head[k] == ">") --depth;
        ++k;
      } while (depth > 0 && k < head.size());
      head = head.subspan(k);
    }
    return head;
  }

  void add(const std::string& path, Tokens head, Tokens all, bool has_body) {
    const bool is_template = !head.empty() && head.front() == "template";
    const Tokens rest = without_template(head);
    if (rest.empty() || rest[0] == "friend" || rest[0] == "static_assert") return;
    if (rest[0] == "using") {
      if (all.size() > 2 && all[2] == "=") store(path, all[1], joined(all.subspan(3)));
      return;
    }
    // an alias; the compiler refuses two different ones with the same name
    if (rest[0] == "namespace") return;
    if (is_type(head)) {
      if (all.size() > head.size()) add_type(path, rest);
      return;
    }
    const std::size_t open = parameters_at(rest);
    if (open < rest.size()) {
      if (has_body) add_function(path, rest, open, is_template ? joined(head) : std::string());
      return;
    }
    // a variable: its name is the last word before '=', '{', '[' or the end
    std::size_t last = rest.size();
    while (last > 0 &&
           (rest[last - 1] == "]" || rest[last - 1] == "[" || (last > 1 && rest[last] == "]")))
      --last;
    if (last > 1 && rest[0] != "extern" && is_word(rest[last - 1].back()) && rest[last - 2] != "::")
      store(path, rest[last - 1], {});
  }

  void add_type(const std::string& path, Tokens head) {
    std::size_t k = 1;
    while (k < head.size() && (head[k] == "class" || head[k] == "struct" || head[k] == "["))
      k = head[k] == "[" ? closing(head, k) + 1 : k + 1;
    const bool has_name = k < head.size() && is_word(head[k].front());
    const bool is_partial = k + 1 < head.size() && (head[k + 1] == "::" || head[k + 1] == "<");
    if (has_name && !is_partial) store(path, head[k], {});
  }

  void add_function(const std::string& path,
                    Tokens head,
                    std::size_t open,
                    const std::string& template_head) {
    const std::string& name = head[open - 1];
    const std::size_t close = closing(head, open);
    if (open == 1) {  // a macro, because there is no return type
      if (name.starts_with("TEST") && close == open + 4)
        store(path, head[open + 1] + "_" + head[open + 3], {});
      return;
    }
    // a member of a class, or an operator
    if (head[open - 2] == "::" || head[open - 2] == "operator") return;
    store(
        path, name, "(" + types_of(head.subspan(open + 1, close - open - 1)) + ")" + template_head);
  }

  /// Parameter types of a function, without names, default values, `const` of values, and
  /// namespaces.
  static std::string types_of(Tokens parameters) {
    static const std::set<std::string> kNoName = {
        "const", "::", "unsigned", "typename", "long", "short", "auto", "signed"};
    std::string out;
    std::vector<std::string> one;
    int depth = 0;
    bool is_default = false;
    const auto finish = [&]() {
      const std::size_t n = one.size();
      if (n > 1 && is_word(one[n - 1].back()) && !kNoName.contains(one[n - 2])) one.pop_back();
      const bool is_by_value = !one.empty() && one.back() != "&" && one.back() != "*";
      for (std::size_t k = 0; k < one.size(); ++k) {
        const bool is_qualifier = one[k] == "::" || (k + 1 < one.size() && one[k + 1] == "::");
        if (!is_qualifier && !(is_by_value && k == 0 && one[k] == "const")) out += one[k] + " ";
      }
      out += ",";
      one.clear();
      is_default = false;
    };
    for (const std::string& token : parameters) {
      if (token == "(" || token == "<" || token == "[" || token == "{") ++depth;
      if (token == ")" || token == ">" || token == "]" || token == "}") --depth;
      if (token == "=" && depth == 0) is_default = true;
      if (token == "," && depth == 0) {
        finish();
      } else if (!is_default) {
        one.push_back(token);
      }
    }
    finish();
    return out;
  }

  static std::string joined(Tokens tokens) {
    std::string out;
    for (const std::string& token : tokens)
      out += token + " ";
    return out;
  }
  void store(const std::string& path, const std::string& name, std::string signature) {
    found_.push_back({path + name, std::move(signature)});
  }

  Tokens tokens_;
  std::size_t at_ = 0;
  bool is_complete_ = true;
  std::vector<Definition> found_;
};

std::vector<std::string> words_at_blanks(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// The commands of a CMakeLists.txt with name and arguments. Lists that the file sets itself are
/// substituted.
std::vector<std::vector<std::string>> commands_in(std::string text) {
  for (std::size_t k = 0; (k = text.find('#', k)) != std::string::npos;)
    text.erase(k, text.find('\n', k) - k);
  std::map<std::string, std::vector<std::string>> lists;  // keys have the form "${name}"
  std::vector<std::vector<std::string>> out;
  for (std::size_t open = 0; (open = text.find('(', open + 1)) != std::string::npos;) {
    std::size_t first = open;
    while (first > 0 && is_word(text[first - 1]))
      --first;
    std::vector<std::string> command = {text.substr(first, open - first)};
    const std::size_t size = text.find(')', open) - open - 1;
    for (const std::string& word : words_at_blanks(text.substr(open + 1, size))) {
      const auto list = lists.find(word);
      if (list == lists.end())
        command.push_back(word);
      else
        command.insert(command.end(), list->second.begin(), list->second.end());
    }
    const bool sets = command[0] == "set" && command.size() > 1;
    const bool appends = command[0] == "list" && command.size() > 2 && command[1] == "APPEND";
    if (sets || appends) {
      std::vector<std::string>& list = lists["${" + command[sets ? 1 : 2] + "}"];
      if (sets) list.clear();
      list.insert(list.end(), command.begin() + (sets ? 2 : 3), command.end());
    }
    out.push_back(std::move(command));
  }
  return out;
}

/// The sources of each target; the key is the folder of its CMakeLists.txt and its name.
std::map<std::string, std::vector<fs::path>> targets_of(const fs::path& root) {
  static const std::set<std::string> kCommands = {
      "add_library", "add_executable", "femflex_room", "femflex_test", "target_sources"};
  std::map<std::string, std::vector<fs::path>> out;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
    const fs::path folder = at->path().parent_path();
    const std::string name = at->path().filename().string();
    const bool is_foreign = name == "build" || name == "node_modules" || name == "prebuilt";
    if (at->is_directory() && (is_foreign || name.starts_with("."))) at.disable_recursion_pending();
    if (name != "CMakeLists.txt") continue;
    for (const std::vector<std::string>& command : commands_in(read_text(at->path()))) {
      if (!kCommands.contains(command[0]) || command.size() < 2) continue;
      std::string target = command[1];  // femflex_test(x) makes the target x_tests
      if (target.ends_with("_tests")) target.resize(target.size() - std::string("_tests").size());
      std::vector<fs::path>& sources = out[fs::relative(folder, root).string() + ":" + target];
      for (const std::string& word : command)
        if (word.ends_with(".cpp") && fs::exists(folder / word)) sources.push_back(folder / word);
    }
  }
  return out;
}

std::vector<Definition> definitions_in(std::string_view text) {
  const std::vector<std::string> tokens = tokens_of(text);
  return Parser(tokens).definitions();
}

// Truth: the definitions of a text, listed by hand.
TEST(LocalNames, AreFoundAtNamespaceScopeAlone) {
  const std::vector<Definition> found = definitions_in(R"x(
#define MACRO(x) { x
namespace a::b {
namespace {
constexpr int kOne = 1'000;  // { not a brace
const char* const kText = "} nor this";
struct Point { int x; };
enum class Kind : char { one };
using List = std::vector<int>;
std::vector<int> table[2] = {{1}, {2}};
template <typename T> T twice(const T& t) { return t; }
int call(const std::string& name, int count = 3) { const auto f = [] { return 1; }; return f(); }
int declared_only(int);
}
int Type::member(int x) { return x; }
}
TEST(Suite, Case) {}
)x");
  std::vector<std::string> names;
  for (const Definition& each : found)
    names.push_back(each.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"a::b::kOne",
                                      "a::b::kText",
                                      "a::b::Point",
                                      "a::b::Kind",
                                      "a::b::List",
                                      "a::b::table",
                                      "a::b::twice",
                                      "a::b::call",
                                      "Suite_Case"}));
  EXPECT_EQ(found[7].signature, "(const string & ,int ,)");
}

// Truth: a translation unit may define a type, a variable, or a function with given parameters only
// once.
TEST(LocalNames, OfOneTargetDoNotCollide) {
  const fs::path root = data("").parent_path().parent_path();
  const auto targets = targets_of(root);
  EXPECT_GT(targets.size(), 30U);
  for (const auto& [target, sources] : targets) {
    std::map<std::string, std::pair<Definition, fs::path>> known;  // key: name and parameters
    for (const fs::path& source : sources) {
      const std::vector<std::string> tokens = tokens_of(read_text(source));
      const Parser parser(tokens);
      EXPECT_TRUE(parser.is_complete()) << source.string() << ": the braces do not match";
      for (const Definition& each : parser.definitions()) {
        const bool is_function = each.signature.starts_with('(');
        const std::string key = each.name + (is_function ? each.signature : std::string());
        const auto [at, is_new] = known.try_emplace(key, each, source);
        const auto& [other, where] = at->second;
        if (is_new || where == source) continue;
        EXPECT_TRUE(!is_function && !each.signature.empty() && each.signature == other.signature)
            << fmt::format("{}: {} and {} both define {}; give one of them a more specific name",
                           target,
                           fs::relative(where, root).string(),
                           fs::relative(source, root).string(),
                           key);
      }
    }
  }
}

}  // namespace
}  // namespace femflex::testing
