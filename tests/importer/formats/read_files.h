// Reads files of the data folder for tests of formats: in silence, one matrix, or with a fault that
// has a code.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {

inline FileContents read_silently(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(testing::data(name), {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

inline RawMatrix only_matrix_of(const std::string& name) {
  const FileContents contents = read_silently(name);
  EXPECT_EQ(contents.matrices.size(), 1U) << name;
  return contents.matrices.at(0);
}

inline void expect_fault(const std::string& name, const std::string& code) {
  SCOPED_TRACE(name);
  Diagnostics diagnostics;
  try {
    read_contents(testing::data(name), {}, diagnostics);
    FAIL() << "was read";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_FALSE(error.where().file.empty());
  }
}

}  // namespace femflex::importer
