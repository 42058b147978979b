// Reads the matrices of NASTRAN OUTPUT2 files.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/progress.h"

#include "bytes/input_file.h"
#include "nastran/op2_records.h"

namespace femflex::importer {

/// Reads a matrix table; the current record of `records` must be the first column. There is one
/// record (type 1) per column, including empty columns; each block is one string: first row
/// (1-based), then values down the column. Trailer: id, columns, rows, form, type, ... A value of
/// type 1, 2, 3, 4 (real, double, complex, double complex) takes 1, 2, 2, 4 words in 32-bit files
/// and 1, 1, 2, 2 words in 64-bit files.
/// @throws ParseError
RawMatrix read_op2_matrix(const Op2Records::Table& table,
                          Op2Records& records,
                          InputFile& file,
                          Progress& progress);

/// True if a record holds DMIG entries (MATPOOL and similar tables): key 114, 1, 120.
bool is_op2_dmig(const Op2Words& record);

/// Reads DMIG records: name (2 words), 0, form, type in, type out, polar, 0, columns, then for each
/// column gj, cj, (g, c, value)..., -1, -1; ends with -1, -1.
/// @throws ParseError
void read_op2_dmig(const Op2Words& record,
                   const std::string& file,
                   const Op2Records::Table& table,
                   FileContents& contents);

}  // namespace femflex::importer
