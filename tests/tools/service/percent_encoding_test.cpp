// Tests percent-encoding of names in URLs (RFC 3986).
#include "service/percent_encoding.h"

#include <gtest/gtest.h>

#include "femflex/percent_decoded.h"

namespace femflex::service {
namespace {

// Truth: RFC 3986, section 2.3 (characters that are not encoded) and section 2.1 (triplets).
TEST(PercentEncoding, LeavesUnreservedMarksAloneAndComesBack) {
  EXPECT_EQ(percent_encoded("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(percent_encoded("a b/c%\xC3\xA4"), "a%20b%2Fc%25%C3%A4");
  std::string all;
  for (int byte = 0; byte < 256; ++byte)
    all += static_cast<char>(byte);
  EXPECT_EQ(percent_decoded(percent_encoded(all)), all);
}

TEST(PercentEncoding, LeavesOtherTextAsItIs) {
  EXPECT_EQ(percent_decoded("100% %2 %g1 a+b %2b"), "100% %2 %g1 a+b +");
}

}  // namespace
}  // namespace femflex::service
