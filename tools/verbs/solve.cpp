// Makes a folder, puts the deck and its included files there, runs the FE code, and imports what it
// wrote. The folder is removed, unless the run or the import failed or the user wants to keep it.
#include "verbs/solve.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

#include "body/inputs.h"
#include "verbs/outside_program.h"

namespace femflex::verbs {
namespace {

namespace fs = std::filesystem;
using tools::FeCode;

constexpr std::string_view kJob = "job";  // name of the deck in the folder of the run
/// When each file of a folder was last written.
using FileTimes = std::map<fs::path, fs::file_time_type>;

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

/// The FE code for a deck: the one that is asked for, else the one whose name is in that of the
/// program, else the first one that is installed.
FeCode code_for(const SolveRequest& request) {
  const tools::FileKind kind = tools::kind_of(request.deck);
  if (kind == tools::FileKind::body || kind == tools::FileKind::fe_model ||
      kind == tools::FileKind::result)
    throw UsageError("not-a-deck",
                     "'solve' needs a deck of an FE code, and this is a file that follows from one",
                     {request.deck.string()},
                     "give the deck (.inp, .bdf); 'femflex modes' computes modes of a model");
  if (request.code) return *request.code;
  if (tools::is_keyword_deck(io::MappedFile(request.deck).bytes())) return FeCode::calculix;
  const std::string program =
      request.program ? lower_case(fs::path(*request.program).filename().string()) : "";
  for (const FeCode code : {FeCode::nastran, FeCode::mystran})
    if (request.program ? program.find(program_of(code)) != std::string::npos
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
                         failure ? "the folder cannot be made" : "the folder exists already",
                         {path_.string()},
                         "name a new folder");
      return;
    }
    const fs::path beside = request.import.output ? request.import.output->parent_path() : "";
    std::string name = (beside / ".femflex-solve-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UsageError(
          "folder", "no folder for the run can be made", {beside.empty() ? "." : beside.string()});
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

/// The first line of a file that tells an error, after ": "; empty if there is none.
std::string error_in(const fs::path& path) {
  std::error_code failure;
  if (fs::file_size(path, failure) == 0 || failure) return "";
  const io::MappedFile file(path);
  const std::string upper = upper_case(std::string(file.bytes()));
  const std::size_t at = std::min(upper.find("*ERROR"), upper.find("FATAL"));
  if (at == std::string::npos) return "";
  const std::string_view rest = file.bytes().substr(at);
  return ": " + std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

/// The first error that the program printed, or wrote to the F06 file as NASTRAN does.
std::string error_of_run(const fs::path& log) {
  const std::string printed = error_in(log);
  return printed.empty() ? error_in(log.parent_path() / (std::string(kJob) + ".f06")) : printed;
}

FileTimes file_times(const fs::path& folder) {
  FileTimes out;
  for (const fs::directory_entry& each : fs::directory_iterator(folder))
    if (each.is_regular_file()) out[each.path()] = each.last_write_time();
  return out;
}

/// Files with the matrices of a run; empty if it wrote none.
/// @param before  the files that the run found, such as included ones
std::vector<fs::path> matrices_in(const fs::path& folder, FeCode code, const FileTimes& before) {
  const auto is_matrix = [&](const fs::path& path) {
    const std::string ending = lower_case(path.extension().string());
    switch (code) {
      case FeCode::calculix:
        return path.stem() == kJob && (ending == ".sti" || ending == ".mas" || ending == ".dof");
      case FeCode::mystran:
        return ending == ".ou1" || ending == ".op4";
      case FeCode::nastran:
        break;
    }
    return ending == ".pch";
  };
  std::vector<fs::path> out;
  for (const auto& [path, time] : file_times(folder)) {
    const auto found = before.find(path);
    const bool is_new = found == before.end() || found->second != time;
    if (is_new && is_matrix(path) && fs::file_size(path) > 0) out.push_back(path);
  }
  const bool is_complete = code != FeCode::calculix || out.size() == 3;
  return is_complete ? out : std::vector<fs::path>{};
}

std::vector<std::string> arguments_for(FeCode code, const std::string& job) {
  if (code == FeCode::calculix) return {std::string(kJob)};
  if (code == FeCode::mystran) return {job};
  return {job, "scr=yes", "old=no", "bat=no", "news=no"};
}

void fill_folder(const fs::path& folder, const tools::SolverDeck& deck, const std::string& job) {
  for (const tools::DeckInclude& each : deck.includes) {
    const fs::path target = folder / each.target;
    if (each.target == job)
      throw UsageError("include",
                       fmt::format("the deck includes {}, which is the name of the run", job),
                       {each.source.string()},
                       "rename the included file");
    if (!target.parent_path().empty()) fs::create_directories(target.parent_path());
    fs::copy_file(each.source, target, fs::copy_options::skip_existing);
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
    throw UsageError(
        "no-program",
        fmt::format("this deck needs the program {}, which is not installed", out.program),
        {request.deck.string()},
        "install it, name one with --program, or write the deck for another machine "
        "with --deck FILE");
  RunFolder folder(request);
  const std::string job = fmt::format("{}.{}", kJob, code == FeCode::calculix ? "inp" : "bdf");
  fill_folder(folder.path(), deck, job);
  const FileTimes before = file_times(folder.path());
  const fs::path log = fs::absolute(folder.path()) / "run.log";
  std::string program = out.program;
  if (program.find('/') != std::string::npos) program = fs::absolute(program).string();
  progress.begin(fmt::format("run {}", out.program), 0.0, "");
  const bool is_done =
      run_outside({program, arguments_for(code, job), folder.path(), log}, progress);
  progress.end();
  std::vector<fs::path> matrices = matrices_in(folder.path(), code, before);
  if (!is_done || matrices.empty()) {
    folder.keep();
    throw NumericalError(
        "program-failed",
        fmt::format(
            "{} {}{}", out.program, is_done ? "wrote no matrices" : "failed", error_of_run(log)),
        {request.deck.string()},
        fmt::format("see {}", (folder.path() / "run.log").string()));
  }
  ImportFilesRequest import = request.import;
  import.parts.files = std::move(matrices);  // first, since the deck may hold matrices of its own
  import.parts.files.push_back(request.deck);
  try {
    out.imported = import_files(import, diagnostics, progress);
    if (!out.imported->model.stiffness)
      throw ModelError("no-matrices",
                       fmt::format("the files of {} hold no stiffness matrix", out.program),
                       {request.deck.string()},
                       "see the files of the run");
  } catch (const std::exception&) {
    folder.keep();  // a solution may have taken hours
    diagnostics.warn("folder-kept",
                     fmt::format("the files of the run are kept in {}", folder.path().string()));
    throw;
  }
  if (import.output) out.outputs.push_back(import.output->string());
  if (request.keep) out.outputs.push_back(request.keep->string());
  return out;
}

}  // namespace femflex::verbs
