// Tests that a damaged body file ends in an Error of femflex or in a valid body, never in a crash,
// a hang or excessive memory. Truth: the type of the exception.
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "femflex/errors.h"
#include "femflex/flexfile/dads_input.h"
#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "bytes/line_cursor.h"
#include "formats/exudyn.h"
#include "formats/flex.h"
#include "formats/mbdyn_fem.h"
#include "formats/native_hdf5.h"
#include "formats/sid.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

using Parser = std::function<void(const std::string&)>;

/// Readers of text in memory, and a sound sample of each.
struct Subject {
  std::string sample;
  Parser parse;
};

Subject subject(const std::string& format) {
  testing::RandomBodyOptions small;
  small.nodes = 3;
  small.modes = 2;
  const FlexBody body = testing::random_body(2, small);
  const testing::TemporaryFolder folder;
  WriteOptions options;
  options.format = format;
  options.sidecar = false;
  options.mbdyn_invariants = true;
  Diagnostics diagnostics;
  if (format != "dads") write_body(body, folder / "sample", options, diagnostics);
  Subject out;
  const std::filesystem::path file =
      format == "dads" ? testing::data("double_mass_spring/dms.dads") : folder / "sample";
  out.sample = testing::read_text(file);
  out.parse = [format](const std::string& text) {
    Diagnostics ignored;
    if (format == "flex") {
      LineCursor lines(text, "x");
      make_flex_body(parse_flex(lines, true, ignored, no_progress()));
    } else if (format == "sid") {
      make_flex_body(parse_sid(text, "x", ignored, no_progress()));
    } else if (format == "mbdyn") {
      make_flex_body(parse_mbdyn_fem(text, "x", ignored, no_progress()));
    } else if (format == "exudyn") {
      make_flex_body(parse_exudyn_npz(text, "x", ignored));
    } else {
      parse_dads_input(text, "x", ignored);
    }
  };
  return out;
}

/// "" for a sound body, "error" for one of ours, else what was thrown.
std::string outcome(const Parser& parse, const std::string& text) {
  try {
    parse(text);
    return "";
  } catch (const Error& error) {
    return std::string(error.what()).empty() ? "an error without words" : "error";
  } catch (const std::exception& error) {
    return error.what();
  }
}

class Damage : public ::testing::TestWithParam<std::string> {};

TEST_P(Damage, FlippedBytesNeverEndInAnythingButOurErrors) {
  const Subject s = subject(GetParam());
  ASSERT_EQ(outcome(s.parse, s.sample), "");
  std::mt19937 engine(1);
  for (int round = 0; round < 10000; ++round) {
    std::string text = s.sample;
    const unsigned flips = 1 + engine() % 4;
    for (unsigned k = 0; k < flips; ++k) {
      char& c = text[engine() % text.size()];
      // half of the damaged bytes stay text, so that the reader gets past keywords
      c = round % 2 == 0 ? static_cast<char>(c ^ (1U << engine() % 8))
                         : "0123456789 -+.ED*\n=("[engine() % 20];
    }
    const std::string what = outcome(s.parse, text);
    ASSERT_TRUE(what.empty() || what == "error") << "round " << round << ": " << what;
  }
}

TEST_P(Damage, EveryTruncationIsRefused) {
  const Subject s = subject(GetParam());
  const std::size_t end = s.sample.find_last_not_of(" \n") + 1;
  const std::size_t rigid = s.sample.find("\nFLEXIBLE");  // an input of rigid bodies only is sound
  for (std::size_t size = 0; size < end; ++size) {
    if (GetParam() == "dads" && size + 18 >= rigid && size <= rigid + 1) continue;
    ASSERT_EQ(outcome(s.parse, s.sample.substr(0, size)), "error") << size;
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr int kHdf5Flips = 1000;  // twenty times slower there
constexpr std::size_t kHdf5Step = 197;
#else
constexpr int kHdf5Flips = 10'000;
constexpr std::size_t kHdf5Step = 1;
#endif

/// HDF5 is read by path alone: the damaged bytes go through a file.
class Hdf5Damage : public ::testing::TestWithParam<std::string> {
 protected:
  Hdf5Damage() {
    testing::RandomBodyOptions small;
    small.nodes = 3;
    small.modes = 2;
    WriteOptions options;
    options.format = GetParam();
    Diagnostics diagnostics;
    write_body(testing::random_body(2, small), folder_ / "sample", options, diagnostics);
    sample_ = testing::read_text(folder_ / "sample");
  }
  std::string outcome_of(const std::string& bytes) const {
    testing::write_text(folder_ / "damaged", bytes);
    return outcome(read_, bytes);
  }

  testing::TemporaryFolder folder_;
  std::string sample_;
  Parser read_ = [this](const std::string&) {
    Diagnostics ignored;
    ReadOptions options;
    options.format = GetParam();
    read_body(folder_ / "damaged", options, ignored);
  };
};

TEST_P(Hdf5Damage, FlippedBytesNeverEndInAnythingButOurErrors) {
  ASSERT_EQ(outcome_of(sample_), "");
  std::mt19937 engine(3);
  for (int round = 0; round < kHdf5Flips; ++round) {
    std::fstream file(folder_ / "damaged", std::ios::binary | std::ios::in | std::ios::out);
    std::vector<std::size_t> places;
    for (unsigned k = 0; k <= engine() % 4; ++k) {
      places.push_back(engine() % sample_.size());
      file.seekp(static_cast<std::streamoff>(places.back()));
      file.put(static_cast<char>(sample_[places.back()] ^ (1U << engine() % 8)));
    }
    file.flush();
    const std::string what = outcome(read_, "");
    for (const std::size_t place : places) {
      file.seekp(static_cast<std::streamoff>(place));
      file.put(sample_[place]);
    }
    ASSERT_TRUE(what.empty() || what == "error") << "round " << round << ": " << what;
  }
}

TEST_P(Hdf5Damage, TruncationIsRefused) {
  ASSERT_EQ(outcome_of(sample_), "");
  for (std::size_t cut = 1; cut < sample_.size(); cut += kHdf5Step) {
    const std::size_t size = sample_.size() - cut;
    std::filesystem::resize_file(folder_ / "damaged", size);
    ASSERT_EQ(outcome(read_, ""), "error") << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats,
                         Hdf5Damage,
                         ::testing::Values("fbm", "exudyn-hdf5"),
                         [](const auto& chosen) {
                           return chosen.param == "fbm" ? std::string("fbm") : "exudyn_hdf5";
                         });

INSTANTIATE_TEST_SUITE_P(Formats,
                         Damage,
                         ::testing::Values("flex", "sid", "mbdyn", "exudyn", "dads"),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace femflex::flexfile
