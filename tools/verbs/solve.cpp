// Makes a folder, puts the deck and its included files there, runs the FE code, and imports what it
// wrote. The folder is removed, unless the run failed or the user wants to keep it.
#include "verbs/solve.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

#include "verbs/outside_program.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;
using tools::FeCode;

constexpr std::string_view kJob = "job";  // name of the deck in the folder of the run

std::string_view program_of(FeCode code) {
  switch (code) {
    case FeCode::calculix:
      return "ccx";
    case FeCode::mystran:
      return "mystran";
    case FeCode::nastran:
      break;
  }
  return "nastran";
}

/// The FE code for a deck: the one that is asked for, else the first one that is installed.
FeCode code_for(const SolveRequest& request) {
  if (request.code) return *request.code;
  if (tools::is_keyword_deck(io::MappedFile(request.deck).bytes())) return FeCode::calculix;
  for (const FeCode code : {FeCode::nastran, FeCode::mystran})
    if (request.program ? fs::path(*request.program).filename().string().find(program_of(code)) !=
                              std::string::npos
                        : is_installed(std::string(program_of(code))))
      return code;
  return FeCode::nastran;
}

/// A folder that is removed at the end of its life unless it is kept.
class RunFolder {
 public:
  explicit RunFolder(const SolveRequest& request) : is_kept_(request.keep.has_value()) {
    if (request.keep) {
      path_ = *request.keep;
      std::error_code failure;
      if (!fs::create_directory(path_, failure))
        throw UsageError("folder",
                         failure ? "the folder cannot be made" : "the folder is there already",
                         {path_.string()},
                         "name a new folder");
      return;
    }
    const fs::path beside = request.import.output ? request.import.output->parent_path() : "";
    std::string name = (beside / ".femflex-solve-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UsageError("folder", "no folder for the run can be made", {beside.string()});
    path_ = name;
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  RunFolder(RunFolder&&) = delete;
  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder() {
    std::error_code ignored;
    if (!is_kept_) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  fs::path path_;
  bool is_kept_ = false;
};

/// The last line of a log that tells an error; empty if there is none.
std::string error_in(const fs::path& log) {
  std::error_code failure;
  if (fs::file_size(log, failure) == 0 || failure) return "";
  const io::MappedFile file(log);
  const std::string upper = upper_case(std::string(file.bytes()));
  const std::size_t at = std::min(upper.find("*ERROR"), upper.find("FATAL"));
  if (at == std::string::npos) return "";
  const std::string_view rest = file.bytes().substr(at);
  return ": " + std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

/// Files with the matrices of a run; empty if it wrote none.
std::vector<fs::path> matrices_in(const fs::path& folder, FeCode code) {
  std::vector<fs::path> out;
  const auto add = [&](const fs::path& path) {
    std::error_code failure;
    if (fs::file_size(path, failure) > 0 && !failure) out.push_back(path);
  };
  if (code == FeCode::calculix) {
    for (const char* ending : {".sti", ".mas", ".dof"})
      add(folder / (std::string(kJob) + ending));
    return out.size() == 3 ? out : std::vector<fs::path>{};
  }
  for (const fs::directory_entry& each : fs::directory_iterator(folder)) {
    const std::string ending = lower_case(each.path().extension().string());
    if (code == FeCode::nastran ? ending == ".pch" : ending == ".ou1" || ending == ".op4")
      add(each.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> arguments_for(FeCode code, const std::string& job) {
  if (code == FeCode::calculix) return {std::string(kJob)};
  if (code == FeCode::mystran) return {job};
  return {job, "scr=yes", "old=no", "bat=no", "news=no"};
}

void fill_folder(const fs::path& folder,
                 const tools::SolverDeck& deck,
                 const std::string& job,
                 const fs::path& source) {
  for (const fs::path& each : deck.includes) {
    const fs::path target = folder / each;
    if (!target.parent_path().empty()) fs::create_directories(target.parent_path());
    fs::copy_file(source / each, target, fs::copy_options::skip_existing);
  }
  io::write_file(folder / job, deck.text);
}

}  // namespace

SolveOutcome solve(const SolveRequest& request, Diagnostics& diagnostics, Progress& progress) {
  const FeCode code = code_for(request);
  const tools::SolverDeck deck = tools::deck_for_matrices(request.deck, code);
  SolveOutcome out;
  if (request.deck_only) {
    if (fs::exists(*request.deck_only) && fs::equivalent(*request.deck_only, request.deck))
      throw UsageError("same-file", "--deck names the deck itself", {request.deck.string()});
    io::write_file(*request.deck_only, deck.text);
    out.outputs.push_back(request.deck_only->string());
    return out;
  }
  out.program = request.program.value_or(std::string(program_of(code)));
  if (!is_installed(out.program))
    throw UsageError("no-program",
                     fmt::format("no program {} is installed, which this deck needs", out.program),
                     {request.deck.string()},
                     "install it, name one with --program, or write the deck for another machine "
                     "with --deck FILE");
  RunFolder folder(request);
  const std::string job = fmt::format("{}.{}", kJob, code == FeCode::calculix ? "inp" : "bdf");
  fill_folder(folder.path(), deck, job, fs::absolute(request.deck).parent_path());
  const fs::path log = fs::absolute(folder.path()) / "run.log";
  std::string program = out.program;
  if (program.find('/') != std::string::npos) program = fs::absolute(program).string();
  progress.begin(fmt::format("run {}", out.program), 0.0, "");
  const bool is_done =
      run_outside({program, arguments_for(code, job), folder.path(), log}, progress);
  progress.end();
  std::vector<fs::path> matrices = matrices_in(folder.path(), code);
  if (!is_done || matrices.empty()) {
    folder.keep();
    throw NumericalError(
        "program-failed",
        fmt::format(
            "{} {}{}", out.program, is_done ? "wrote no matrices" : "failed", error_in(log)),
        {request.deck.string()},
        fmt::format("see {}", (folder.path() / "run.log").string()));
  }
  ImportFilesRequest import = request.import;
  import.parts.files = {request.deck};
  import.parts.files.insert(import.parts.files.end(), matrices.begin(), matrices.end());
  out.imported = import_files(import, diagnostics, progress);
  if (import.output) out.outputs.push_back(import.output->string());
  if (request.keep) out.outputs.push_back(request.keep->string());
  return out;
}

}  // namespace femflex::verbs
