#pragma once

#include <filesystem>
#include <string>

namespace femflex::importer {

/// What a file is, by its content alone: "op4", "op2", "bulk", ... and "" where nothing known fits.
/// @throws UsageError  no such file;  ParseError  an empty file
std::string detect_format(const std::filesystem::path& path);

}  // namespace femflex::importer
