// Names the format of a file that no reader supports, by signature or file extension, and tells how
// to export its contents in a supported format.
#include "foreign.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

#include "femflex/io/hdf5_file.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

constexpr std::string_view kAnsysMatrices =
    "give the .full file of the analysis with its .cdb or .rst, or write the matrices as text: "
    "/AUX2, FILE,job,full, then HBMAT,k,,,ASCII,STIFF,YES,YES and "
    "HBMAT,m,,,ASCII,MASS,YES,YES; give them with their .mapping files and a table id,x,y,z of the "
    "nodes";
constexpr std::string_view kAnsysMesh =
    "write the mesh as an archive, CDWRITE,DB,part,cdb, and give it with the .full file of the "
    "analysis, which holds the matrices";
constexpr std::string_view kMatrixMarket =
    "write each matrix as Matrix Market text, in Python scipy.io.mmwrite('K.mtx', K), and give the "
    "deck or a table id,x,y,z of the nodes as well";
constexpr std::string_view kAbaqusMatrices =
    "write K and M with *MATRIX GENERATE and *MATRIX OUTPUT, STIFFNESS, MASS, FORMAT=COORDINATE "
    "(or LABELS), and give the .mtx files with the .inp deck";
constexpr std::string_view kNastranResults =
    "write an OP2 (PARAM,POST,-1) or an HDF5 file (MDLPRM,HDF5,0) in the same run";
constexpr std::string_view kOptistructResults =
    "ask OptiStruct for an OP2 in the same run (PARAM,POST,-1), and for K and M by "
    "PARAM,EXTOUT,DMIGPCH, and give both with the deck";
constexpr std::string_view kMesh =
    "a mesh alone holds no stiffness and mass: export it as a NASTRAN or Abaqus deck, run the FE "
    "code, and give its matrices";
constexpr std::string_view kUnpack = "unpack it and give the file inside";
constexpr std::string_view kCopyAgain = "copy it again in binary mode";
constexpr std::string_view kNotFe = "give a file that an FE code wrote";

/// A format recognised by the first bytes of the file.
struct Signature {
  std::string_view bytes;
  ForeignFormat format;
};
constexpr std::array kSignatures{
    Signature{"version https://git-lfs",
              {"a git-lfs pointer, not the file itself", "fetch the file with 'git lfs pull'"}},
    Signature{"$MeshFormat", {"a gmsh mesh", kMesh}},
    Signature{"*KEYWORD", {"an LS-DYNA deck", "export the mesh as a NASTRAN or Abaqus deck"}},
    Signature{"#RADIOSS", {"a Radioss deck", "export the mesh as a NASTRAN or Abaqus deck"}},
    Signature{"# vtk DataFile", {"a legacy VTK file", kMesh}},
    Signature{"        CONTROL INFO", {"a Gambit neutral file", kMesh}},
    Signature{"ISO-10303-21", {"a STEP file (geometry)", kMesh}},
    Signature{"solid ", {"an STL surface", kMesh}},
    Signature{"CDF\x01", {"a netCDF file (Exodus)", kMesh}},
    Signature{"CDF\x02", {"a netCDF file (Exodus)", kMesh}},
    Signature{"%PDF", {"a PDF document", kNotFe}},
    Signature{"\x89PNG", {"a picture", kNotFe}},
    Signature{"\xFF\xD8\xFF", {"a picture", kNotFe}},
    Signature{"<!DOCTYPE html",
              {"a web page, not the file that it shows", "download the file itself"}},
    Signature{"<!doctype html",
              {"a web page, not the file that it shows", "download the file itself"}},
    Signature{"<html", {"a web page, not the file that it shows", "download the file itself"}},
    Signature{"<HTML", {"a web page, not the file that it shows", "download the file itself"}},
    Signature{"<VTKFile", {"a VTK file", kMesh}},
    Signature{"<?xml", {"an XML file", kNotFe}},
    Signature{"BZh", {"a file packed by bzip2", kUnpack}},
    Signature{"\xFD"
              "7zXZ",
              {"a file packed by xz", kUnpack}},
    Signature{"\x28\xB5\x2F\xFD", {"a file packed by zstd", kUnpack}},
    Signature{"7z\xBC\xAF", {"a 7z archive", kUnpack}},
    Signature{"Rar!", {"a RAR archive", kUnpack}},
    Signature{"\xD0\xCF\x11\xE0", {"an office document", kNotFe}},
    Signature{"SQLite format 3", {"an SQLite data base", kNotFe}},
    Signature{"\x7F"
              "ELF",
              {"a program", kNotFe}},
    Signature{"\xFF\xFE", {"UTF-16 text", "save it as UTF-8 (or ASCII)"}},
    Signature{"\xFE\xFF", {"UTF-16 text", "save it as UTF-8 (or ASCII)"}},
};

/// A format without a signature. It is recognised by the file extension, only for the error
/// message.
struct Extension {
  std::string_view extension;
  ForeignFormat format;
};
constexpr std::array kExtensions{
    Extension{".full", {"an ANSYS .full file by its extension", kAnsysMatrices}},
    Extension{
        ".cdb",
        {"an ANSYS archive by its extension, but without a block of nodes (NBLOCK)", kAnsysMesh}},
    Extension{".rst", {"an ANSYS result by its extension", kAnsysMatrices}},
    Extension{".odb", {"an Abaqus .odb file by its extension", kAbaqusMatrices}},
    Extension{".sim", {"an Abaqus .sim file by its extension", kAbaqusMatrices}},
    Extension{".fil", {"an Abaqus .fil file by its extension", kAbaqusMatrices}},
    Extension{".xdb", {"an MSC .xdb file by its extension", kNastranResults}},
    Extension{".h3d", {"an Altair .h3d file by its extension", kOptistructResults}},
    Extension{".mat",
              {"a MATLAB file by its extension, but neither of level 5 nor 7.3",
               "save it again with -v7 or -v7.3"}},
    Extension{".pkl", {"a Python pickle by its extension", kMatrixMarket}},
    Extension{".prt", {"a CAD part by its extension", kMesh}},
    Extension{".sldprt", {"a CAD part by its extension", kMesh}},
    Extension{".catpart", {"a CAD part by its extension", kMesh}},
    Extension{".igs", {"an IGES file by its extension", kMesh}},
    Extension{".iges", {"an IGES file by its extension", kMesh}},
    Extension{".neu", {"a neutral file by its extension", kMesh}},
    Extension{".unv", {"a universal file by its extension", kMesh}},
    Extension{".med", {"a MED file by its extension, but no HDF5 file", kCopyAgain}},
};

/// True if the first bytes of the file contain `text`.
bool has(const FileHead& head, std::string_view text) {
  return head.bytes.find(text) != std::string_view::npos;
}

/// Recognises ANSYS binary files. They begin with the length of the first record (100 words), its
/// flag, and the number of the file kind (FILNUM in the ANSYS programmer's manual).
std::optional<ForeignFormat> ansys_binary(const FileHead& head) {
  constexpr std::string_view kStart("\x64\0\0\0\0\0\0\x80", 8);
  if (!head.bytes.starts_with(kStart) || head.bytes.size() < kStart.size() + 4) return std::nullopt;
  std::int32_t kind = 0;
  std::memcpy(&kind, head.bytes.data() + kStart.size(), sizeof kind);
  switch (kind) {
    case 2:
      return ForeignFormat{"an ANSYS .emat file (element matrices)", kAnsysMatrices};
    case 4:
      return ForeignFormat{"the start of an ANSYS .full file", kCopyAgain};
    case 8:
      return ForeignFormat{"the start of an ANSYS superelement (.sub)", kCopyAgain};
    case 12:
      return ForeignFormat{"the start of an ANSYS result file (.rst)", kCopyAgain};
    default:
      return ForeignFormat{"an ANSYS binary file", kAnsysMatrices};
  }
}

/// Recognises universal files: blocks between lines of -1; the number after the first -1 identifies
/// the program.
std::optional<ForeignFormat> universal(const FileHead& head) {
  Lines lines(head.bytes);
  if (!lines.next() || trimmed(lines.line()) != "-1" || !lines.next()) return std::nullopt;
  const auto block = parse_integer(lines.line());
  if (!block) return std::nullopt;
  constexpr std::int64_t femap_header = 100;
  if (*block == femap_header) return ForeignFormat{"a FEMAP neutral file", kMesh};
  return ForeignFormat{"a universal file (UNV) without the number of a data set", kCopyAgain};
}

std::optional<ForeignFormat> archive(const FileHead& head) {
  if (!head.bytes.starts_with("PK\x03\x04")) return std::nullopt;
  if (has(head, ".npy"))
    return ForeignFormat{"an archive of numpy arrays (.npz)",
                         "write each matrix as .npy (numpy.save) or as Matrix Market text"};
  return ForeignFormat{"a zip archive", kUnpack};
}

std::optional<ForeignFormat> hdf5(const FileHead& head) {
  if (!head.bytes.starts_with(io::kHdf5Signature)) return std::nullopt;
  return ForeignFormat{"an HDF5 file that is cut off or of another program",
                       "copy it again, or give the text output of the program that wrote it"};
}

/// True for text of ANSYS that sets parameters (*DIM, *SET, *PREAD) and has no other commands.
bool holds_parameters_alone(const FileHead& head) {
  bool has_any = false;
  Lines lines(head.bytes);
  while (lines.next()) {
    const std::string line = upper_case(trimmed(lines.line()));
    const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
      return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return line.starts_with(word);
      });
    };
    const bool is_number =
        parse_real(std::string_view(line).substr(0, line.find_first_of(" \t"))).has_value();
    if (is_one_of({"*DIM,", "*SET,", "*PREAD,"}))
      has_any = true;
    else if (!line.empty() && !is_number &&
             !is_one_of({"!", "/COM", "END PREAD", "/NOPR", "/GOPR"}))
      return false;
  }
  return has_any;
}

std::optional<ForeignFormat> text_of_codes(const FileHead& head) {
  if (holds_parameters_alone(head))
    return ForeignFormat{"input of ANSYS with parameters alone (*DIM, *SET)", kAnsysMesh};
  if (head.bytes.starts_with("/COM,ANSYS") || has(head, "\n/PREP7") ||
      head.bytes.starts_with("/PREP7"))
    return ForeignFormat{"input of ANSYS (APDL) without a block of nodes (NBLOCK)", kAnsysMesh};
  if (has(head, "E I G E N V A L U E   O U T P U T") || has(head, "S T E P       1"))
    return ForeignFormat{"a listing of CalculiX (.dat)",
                         "give the .frd, or K and M of *FREQUENCY, SOLVER=MATRIXSTORAGE"};
  return std::nullopt;
}

}  // namespace

std::optional<ForeignFormat> foreign_format(const FileHead& head, std::string_view extension) {
  for (const auto known : {ansys_binary, universal, archive, hdf5}) {
    if (const auto found = known(head)) return found;
  }
  for (const Signature& signature : kSignatures)
    if (head.bytes.starts_with(signature.bytes)) return signature.format;
  constexpr std::size_t kTarSignature = 257;  // position of the signature in the POSIX header
  if (head.bytes.size() > kTarSignature && head.bytes.substr(kTarSignature).starts_with("ustar"))
    return ForeignFormat{"a tar archive", kUnpack};
  if (const auto found = text_of_codes(head)) return found;
  const std::string lower = lower_case(extension);
  for (const Extension& each : kExtensions)
    if (lower == each.extension) return each.format;
  return std::nullopt;
}

}  // namespace femflex::importer
