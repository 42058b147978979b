// Reads and writes headers of numpy arrays (.npy, members of .npz), and converts the items to
// double or to text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::io {

/// Header of an array written by numpy.save(), which precedes the numbers:
///
///   the byte 0x93, NUMPY, major, minor (1 byte each), length of the header (2 bytes, 4 from major
///   2 on; little endian), the header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
///   and blanks, then the numbers; row by row unless fortran_order.
///
/// Source: numpy/lib/format.py, "Format Version 1.0" to "3.0".
struct NpyHeader {
  std::string type;         ///< as written: "<f8", "|O"
  char kind = '?';          ///< f real, c complex, i integer, u unsigned, b Boolean, U or S text
  std::size_t width = 0;    ///< bytes per item; for text, characters per item
  bool is_swapped = false;  ///< big endian
  bool is_fortran_order = false;
  std::vector<std::int64_t> extents;  ///< empty: a scalar
  std::size_t text_start = 0;         ///< byte at which the dictionary begins
  std::size_t size = 0;               ///< number of bytes before the numbers

  /// bytes per real number
  std::size_t part_width() const { return kind == 'c' ? width / 2 : width; }
};

/// A function that throws the caller's error and does not return. It is given a short code (header,
/// shape), what is wrong, and at which byte.
using NpyFault = std::function<void(const char* code, const std::string& what, std::size_t byte)>;

/// True if the first bytes of a file are those of an NPY array.
bool is_npy(std::string_view head);

/// The header at the start of `bytes`. Extents are as the file claims; no memory is allocated for
/// them.
NpyHeader read_npy_header(std::string_view bytes, const NpyFault& report);

/// The real number at `p`: an item of the array, or the real or imaginary part of one.
/// @pre has_npy_numbers(header)
double npy_real(const char* p, const NpyHeader& header);

/// True if npy_real() can read the items: reals of 4 and 8 bytes, complex numbers made of two of
/// them, integers of 1, 4 and 8 bytes.
bool has_npy_numbers(const NpyHeader& header);

/// The text of the item at the start of `items`, in UTF-8, without the NULs that fill its width.
/// Reports items that are not text: of another kind, too short, not code points (U), not UTF-8 (S).
std::string npy_text(std::string_view items, const NpyHeader& header, const NpyFault& report);

/// The header to put before the numbers, version 1.0, padded to a multiple of 64 bytes as numpy
/// does.
std::string npy_header(std::string_view type,
                       bool is_fortran_order,
                       const std::vector<std::int64_t>& extents);

/// An array of texts in UTF-8, with items of equal width in UTF-32, which numpy loads without
/// pickle.
/// @pre as many texts as `extents` say; none: one
std::string npy_of_texts(const std::vector<std::string>& texts,
                         const std::vector<std::int64_t>& extents);

}  // namespace femflex::io
