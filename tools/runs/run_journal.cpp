// Implements the journal of a study. Each finished run is one line; if the process is killed, at
// most the last line is incomplete. flock() prevents a second process from writing the file; the
// system releases the lock when the process ends.
#include "runs/run_journal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
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

[[noreturn]] void refuse_writing(const std::filesystem::path& path) {
  throw UsageError(
      "cannot-write", fmt::format("cannot be written: {}", std::strerror(errno)), {path.string()});
}

/// Opens a file and locks it against other processes.
/// @throws UsageError  another process holds the lock; the file cannot be opened
Descriptor locked(const std::filesystem::path& path) {
  // Between open() and flock(), another process may have finished starting its journal and replaced
  // the file. The lock is then on the replaced file, so the new file is tried.
  constexpr int kTries = 20;
  for (int k = 0; k < kTries; ++k) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (file.number() < 0) refuse_writing(path);
    if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) refuse_writing(path);
      break;
    }
    struct stat opened = {}, named = {};
    if (::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
        opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
      return file;
  }
  throw UsageError("in-use",
                   "another femflex is writing these rows",
                   {path.string()},
                   "wait for it, or name another --output");
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::filesystem::path journal_of(const std::filesystem::path& table) {
  return table.string() + ".rows";
}

RunJournal::RunJournal(const std::filesystem::path& path, const RunTable& table)
    : path_(path), descriptor_(-1) {
  const Descriptor old = locked(path);
  // The lines are written to PATH.new, which is then renamed to PATH, so that no row is lost if the
  // process is killed. The old file stays locked until the renaming is done.
  const std::string fresh = path.string() + ".new";
  descriptor_ =
      Descriptor(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
  if (descriptor_.number() < 0) refuse_writing(path);
  ::flock(descriptor_.number(), LOCK_EX | LOCK_NB);
  write(head_json(table).dump_line());
  for (const RunRow& row : table.rows)
    write(row_json(row).dump_line());
  if (std::rename(fresh.c_str(), path.c_str()) != 0) refuse_writing(path);
}

void RunJournal::append(const RunRow& row) {
  write(row_json(row).dump_line());
}

void RunJournal::write(const std::string& line) {
  const std::string bytes = line + "\n";
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor_.number(), bytes.data() + done, bytes.size() - done);
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
  // a last line without a line end is incomplete
  while (std::getline(file, line) && !file.eof()) {
    RunRow row = row_of(parse_json(line, path.string()));
    if (row.samples.size() != out.parameters.size() ||
        (row.failure.empty() && row.measures.size() != out.measures.size()))
      throw ParseError("damaged",
                       "a row and the head of the journal differ in the number of values",
                       {path.string()});
    rows.insert_or_assign(row.index, std::move(row));
  }
  for (auto& [index, row] : rows)
    out.rows.push_back(std::move(row));
  check_rows(out, path);
  return out;
}

}  // namespace femflex::tools
