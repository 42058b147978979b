// Runs:  01_import_a_model DATA        (DATA: the folder data/double_mass_spring)
//
// Two masses on a spring, as NASTRAN wrote them: deck, matrices, mode shapes. The importer joins
// the files into one model and checks that they fit each other.
#include <cstdio>
#include <filesystem>

#include "femflex/importer/import_model.h"

int main(int count, char** words) {
  using namespace femflex;
  if (count != 2) {
    std::fprintf(stderr, "usage: 01_import_a_model DATA\n");
    return 2;
  }
  const std::filesystem::path data = words[1];
  try {
    // 1. Files in any order; the unit set is not in them.
    Diagnostics notes;
    const importer::ImportResult result =
        importer::import_model({.files = {data / "dms.bdf", data / "dms.ou1.op4", data / "dms.op2"},
                                .units = parse_units("m-kg-s")},
                               notes);
    // 2. The model.
    const FeModel& model = result.model;
    std::printf("%zu nodes, %d DOFs, %d modes\n",
                model.nodes.size(),
                static_cast<int>(model.dofs.size()),
                static_cast<int>(model.modes.count()));
    // 3. The checks that it passed.
    for (const importer::Proof& proof : result.proofs)
      std::printf("%-14s %s\n", proof.name.c_str(), proof.passed ? "passed" : "failed");
  } catch (const Error& error) {
    // one clear sentence: what, where, remedy
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
