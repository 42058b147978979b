// Runs:  03_write_body_files DATA FOLDER   (DATA: the folder data/double_mass_spring; FOLDER: for
// the files)
//
// A body is reduced once and written for four solvers; content that a format cannot hold is
// reported, and each file is read back.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/import_model.h"
#include "femflex/modal/reduce.h"

int main(int count, char** words) {
  using namespace femflex;
  if (count != 3) {
    std::fprintf(stderr, "usage: 03_write_body_files DATA FOLDER\n");
    return 2;
  }
  const std::filesystem::path data = words[1];
  const std::filesystem::path folder = words[2];
  try {
    // 1. A body with two modes.
    Diagnostics notes;
    const FeModel model =
        importer::import_model({.files = {data / "dms.bdf", data / "dms.ou1.op4", data / "dms.op2"},
                                .units = parse_units("m-kg-s")},
                               notes)
            .model;
    const FlexBody body = modal::reduce(
        model, {.select = modal::parse_selection("dynamic:1-2"), .orthogonalise = true}, notes);
    // 2. Four files, each read back.
    for (const char* ending : {".fbm", ".flex", ".SID_FEM", ".fem"}) {
      const std::filesystem::path file = folder / (std::string("dms") + ending);
      flexfile::write_body(body, file, {}, notes);
      const FlexBody again = flexfile::read_body(file, {}, notes);
      std::printf("%-9s %d modes, mass %.1f kg\n",
                  ending,
                  static_cast<int>(again.mode_count()),
                  again.invariants.mass);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
