// Tests header and data of .npy files.
#include "femflex/io/npy.h"

#include <cstring>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/utf.h"

namespace femflex::io {
namespace {

NpyHeader read(std::string_view bytes) {
  return read_npy_header(bytes, [](const char* code, const std::string& what, std::size_t) {
    throw ParseError(code, what);
  });
}

/// Version 1.0 with this text as the header.
std::string file_of(const std::string& text) {
  std::string out("\x93NUMPY\x01\x00", 8);
  out.push_back(static_cast<char>(text.size()));
  out.push_back('\0');
  return out + text;
}

std::string code_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const ParseError& error) {
    return error.code();
  }
  return "";
}

// Truth: the arguments.
TEST(NpyHeader, GivesBackWhatWasWritten) {
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{}, {5}, {3, 4}, {2, 3, 4}}) {
    const std::string bytes = npy_header("<f8", extents.size() == 2, extents);
    const NpyHeader header = read(bytes);
    EXPECT_EQ(header.size, bytes.size());
    EXPECT_EQ(bytes.size() % 64, 0U);
    EXPECT_EQ(header.extents, extents);
    EXPECT_EQ(header.is_fortran_order, extents.size() == 2);
    EXPECT_EQ(header.type, "<f8");
    EXPECT_EQ(header.kind, 'f');
    EXPECT_EQ(header.width, 8U);
    EXPECT_TRUE(has_npy_numbers(header));
  }
}

// Truth: numpy's names of types: byte order, kind, bytes of an item (characters of a text).
TEST(NpyHeader, KnowsNumbersFromOtherTypes) {
  const auto header_of = [](const std::string& type) { return read(npy_header(type, false, {1})); };
  EXPECT_TRUE(header_of(">i4").is_swapped);
  EXPECT_EQ(header_of("<c16").part_width(), 8U);
  EXPECT_EQ(header_of("|O").kind, 'O');
  EXPECT_EQ(header_of("<U17").width, 17U);
  for (const char* type : {"<f4", "<c8", "|i1", "|u1", "|b1", "<u8"})
    EXPECT_TRUE(has_npy_numbers(header_of(type))) << type;
  for (const char* type : {"|O", "<U17", "<f2", "<c9", "<i2", "<f"})
    EXPECT_FALSE(has_npy_numbers(header_of(type))) << type;
}

// Truth: the numbers, in both byte orders.
TEST(NpyHeader, GivesNumbersOfEitherByteOrder) {
  const std::int32_t value = -7;
  const auto swapped = static_cast<std::int32_t>(__builtin_bswap32(0xfffffff9U));
  char bytes[4];
  std::memcpy(bytes, &value, 4);
  EXPECT_EQ(npy_real(bytes, read(npy_header("<i4", false, {1}))), -7.0);
  std::memcpy(bytes, &swapped, 4);
  EXPECT_EQ(npy_real(bytes, read(npy_header(">i4", false, {1}))), -7.0);
  const char minus_one = -1;
  EXPECT_EQ(npy_real(&minus_one, read(npy_header("|i1", false, {1}))), -1.0);
  EXPECT_EQ(npy_real(&minus_one, read(npy_header("|u1", false, {1}))), 255.0);
}

std::string text_of(const std::string& type, std::string_view items) {
  return npy_text(
      items,
      read(npy_header(type, false, {})),
      [](const char* code, const std::string& what, std::size_t) { throw ParseError(code, what); });
}

// Truth: the code points U+0141, U+00E9, U+1F600 by the Unicode Standard, and their UTF-8.
TEST(NpyText, HoldsCodePoints) {
  const std::string text = "\u0141\u00e9\U0001F600";
  const std::string written = npy_of_texts({text, "A", ""}, {3});
  const NpyHeader header = read(written);
  EXPECT_EQ(header.type, "<U3");
  EXPECT_EQ(header.extents, (std::vector<std::int64_t>{3}));
  const std::string items("\x41\x01\0\0\xe9\0\0\0\x00\xf6\x01\0A\0\0\0\0\0\0\0\0\0\0\0", 24);
  EXPECT_EQ(written.substr(header.size), items + std::string(12, '\0'));
  EXPECT_EQ(text_of("<U3", items), text);
  EXPECT_EQ(text_of("<U3", items.substr(12)), "A");
  EXPECT_EQ(text_of(">U2", std::string("\0\0\x01\x41\0\0\0\xe9", 8)), "\u0141\u00e9");
  EXPECT_EQ(text_of("|S3", std::string("\xc3\xa9\0", 3)), "\u00e9");
  EXPECT_EQ(text_of("|S4", std::string("a\0b\0", 4)), std::string("a\0b", 3));  // as numpy does
  EXPECT_EQ(text_of("<U0", ""), "");
  for (const std::string_view sound : {"", "A", "\x7f", "\u0080", "\u07ff", "\u0800", "\uffff"})
    EXPECT_EQ(utf8_of(code_points(sound)), sound);
}

// Truth: surrogates and numbers above U+10FFFF are not characters; E9 alone is not UTF-8.
TEST(NpyText, WhatIsNotTextIsRefused) {
  EXPECT_THROW(text_of("<U1", std::string("\x00\xd8\0\0", 4)), ParseError);
  EXPECT_THROW(text_of("<U1", std::string("\0\0\x11\0", 4)), ParseError);
  EXPECT_THROW(text_of("|S1", "\xe9"), ParseError);
  EXPECT_THROW(text_of("<U2", std::string("A\0\0\0", 4)), ParseError);  // too short
  EXPECT_THROW(text_of("<f8", std::string(8, '\0')), ParseError);
}

TEST(NpyHeader, EachDamageIsNamed) {
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }";
  EXPECT_EQ(code_of(file_of(good)), "");
  EXPECT_EQ(code_of("PK"), "header");
  EXPECT_EQ(code_of(file_of(good).substr(0, 11)), "header");
  EXPECT_EQ(code_of(file_of(good).substr(0, 40)), "header");
  EXPECT_EQ(code_of(file_of("{'descr': '<f8', 'shape': (3, 4), }")), "header");
  EXPECT_EQ(code_of(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3, -4), }")),
            "shape");
  EXPECT_EQ(code_of(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': "
                            "(99999999999999999999,), }")),
            "shape");
  std::string version_9 = file_of(good);
  version_9[6] = 9;
  EXPECT_EQ(code_of(version_9), "header");
}

}  // namespace
}  // namespace femflex::io
