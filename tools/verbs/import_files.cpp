// Imports the files, sets name and provenance, and writes the model if a file is given.
#include "verbs/import_files.h"

#include "femflex/importer/fe_model_file.h"

#include "body/held_mass.h"

namespace femflex::verbs {

importer::ImportResult import_files(const ImportFilesRequest& request,
                                    Diagnostics& diagnostics,
                                    Progress& progress) {
  importer::ImportResult out = importer::import_model(request.parts, diagnostics, progress);
  if (request.name) out.model.name = *request.name;
  out.model.provenance.options = request.provenance;
  tools::warn_of_held_mass(out.model, diagnostics);
  if (request.output) importer::write_fe_model(out.model, *request.output);
  return out;
}

}  // namespace femflex::verbs
