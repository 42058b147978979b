// Writes and reads the journal of a table of runs. A line is appended by one write, so a killed
// process leaves at most one incomplete line, the last. A lock of the operating system excludes a
// second process and ends with the process that has it.
#include "runs/run_journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "femflex/errors.h"

#include "document/json_text.h"

namespace femflex::tools {
namespace {

constexpr const char* kFirstBytes = "{\"femflex\":\"runs\"";

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

std::filesystem::path journal_of(const std::filesystem::path& table) {
  return table.string() + ".rows";
}

RunJournal::RunJournal(const std::filesystem::path& path, const RunTable& table) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw UsageError("cannot-write",
                     fmt::format("cannot be written: {}", std::strerror(errno)),
                     {path.string()});
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw UsageError("in-use",
                     "another femflex is writing these rows",
                     {path.string()},
                     "wait for it, or name another --output");
  }
  // The lines are written to a new file that then takes the name, so that no row is lost if the
  // process is killed; the lock of the old file is kept until then.
  const std::string fresh = path.string() + ".new";
  const int old = descriptor_;
  descriptor_ = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  const bool is_open = descriptor_ >= 0;
  if (is_open) {
    ::flock(descriptor_, LOCK_EX | LOCK_NB);
    write(head_json(table).dump_line());
    for (const RunRow& row : table.rows)
      write(row_json(row).dump_line());
  }
  const bool is_renamed = is_open && std::rename(fresh.c_str(), path.c_str()) == 0;
  const int error = errno;
  ::close(old);
  if (!is_renamed)
    throw UsageError("cannot-write",
                     fmt::format("cannot be written: {}", std::strerror(error)),
                     {path.string()});
}

RunJournal::~RunJournal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunJournal::append(const RunRow& row) {
  write(row_json(row).dump_line());
}

void RunJournal::write(const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw UsageError("cannot-write",
                       fmt::format("cannot be written: {}", std::strerror(errno)),
                       {path_.string()},
                       "make room on the disk, then go on with --resume");
    done += static_cast<std::size_t>(count);
  }
}

void RunJournal::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

bool is_run_journal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string first(64, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  return without_blanks(first).starts_with(kFirstBytes);
}

RunTable read_run_journal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  RunTable out = table_of_head(parse_json(line, path.string()));
  std::map<std::int64_t, RunRow> rows;
  // a last line without a line end was not written completely
  while (std::getline(file, line) && !file.eof()) {
    RunRow row = row_of(parse_json(line, path.string()));
    if (row.samples.size() != out.parameters.size() ||
        (row.failure.empty() && row.measures.size() != out.measures.size()))
      throw ParseError("damaged", "a row has another number of values", {path.string()});
    rows.insert_or_assign(row.index, std::move(row));
  }
  for (auto& [index, row] : rows)
    out.rows.push_back(std::move(row));
  return out;
}

}  // namespace femflex::tools
