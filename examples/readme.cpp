// The program of README.md: reads a NASTRAN model, reduces it to two modes, and writes a body file.
#include "femflex/flexfile/flexfile.h"
#include "femflex/importer/import_model.h"
#include "femflex/modal/reduce.h"

int main() {
  femflex::Diagnostics notes;
  const femflex::FeModel model =
      femflex::importer::import_model(
          {.files = {"dms.bdf", "dms.ou1.op4", "dms.op2"}, .units = femflex::parse_units("m-kg-s")},
          notes)
          .model;
  const femflex::FlexBody body = femflex::modal::reduce(
      model,
      {.select = femflex::modal::parse_selection("dynamic:1-2"), .orthogonalise = true},
      notes);
  femflex::flexfile::write_body(body, "dms.flex", {}, notes);
}
