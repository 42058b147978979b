// Writer and Reader: one list of the fields of a type writes it to bytes and reads it back.
// fmu_model.cpp uses them. Numbers are stored as in memory of x86-64; every count is checked
// against the number of remaining bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/errors.h"

namespace femflex::fmu {

/// Appends fields to a string of bytes.
class Writer {
 public:
  static constexpr bool kReads = false;
  void raw(void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::size_t count(std::size_t n, std::size_t /*item*/) {
    auto wide = static_cast<std::uint64_t>(n);
    raw(&wide, sizeof wide);
    return n;
  }
  std::string take() { return std::move(bytes_); }
  /// Objects that several fields share, in the order of their first mention.
  std::vector<std::shared_ptr<const void>>& shared() { return shared_; }

 private:
  std::string bytes_;
  std::vector<std::shared_ptr<const void>> shared_;
};

/// Reads fields from bytes.
class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) fail();
    if (size == 0) return;  // an empty matrix has no memory to write to
    std::memcpy(data, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  /// Reads a number of items, each at least `item` bytes long.
  std::size_t count(std::size_t /*n*/, std::size_t item) {
    std::uint64_t wide = 0;
    raw(&wide, sizeof wide);
    if (wide > rest_.size() / item) fail();
    return static_cast<std::size_t>(wide);
  }
  /// Throws unless at least n times `item` bytes are left.
  void expect(std::size_t n, std::size_t item) const {
    if (n > rest_.size() / item) fail();
  }
  bool is_empty() const { return rest_.empty(); }
  /// Objects that several fields share, in the order of their first mention.
  std::vector<std::shared_ptr<const void>>& shared() { return shared_; }
  [[noreturn]] static void fail() {
    throw ParseError("fmu-resource", "the bytes are cut or changed", {}, "unpack the FMU again");
  }

 private:
  std::string_view rest_;
  std::vector<std::shared_ptr<const void>> shared_;
};

template <class A, class T>
requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void field(A& a, T& x) {
  a.raw(&x, sizeof x);
}
template <class A>
void field(A& a, bool& x) {
  auto byte = static_cast<std::uint8_t>(x);
  a.raw(&byte, sizeof byte);
  if (byte > 1) Reader::fail();
  x = byte == 1;
}
template <class A, class T>
requires(std::is_enum_v<T>) void field(A& a, T& x) {
  auto number = static_cast<std::underlying_type_t<T>>(x);
  a.raw(&number, sizeof number);
  x = static_cast<T>(number);
}
template <class A>
void field(A& a, std::string& x) {
  x.resize(a.count(x.size(), 1));
  a.raw(x.data(), x.size());
}
// Declared first, so that items of every kind may be nested.
template <class A, class T>
void field(A& a, std::vector<T>& x);
template <class A, class T>
void field(A& a, std::optional<T>& x);
template <class A, class T, std::size_t n>
void field(A& a, std::array<T, n>& x);
template <class A, class T>
void field(A& a, std::map<std::string, T>& x);
template <class A, class... T>
void field(A& a, std::variant<T...>& x);
template <class A, int r, int c>
void field(A& a, Eigen::Matrix<double, r, c>& x);

template <class A, class... T>
void fields(A& a, T&... x) {
  (field(a, x), ...);
}

/// Size of a structure with these members, in this order.
template <class... T>
constexpr std::size_t size_of_structure(const std::tuple<T&...>* /*members*/) {
  std::size_t size = 0;
  const auto reach = [&](std::size_t align) { size = (size + align - 1) / align * align; };
  ((reach(alignof(T)), size += sizeof(T)), ...);
  reach(std::max({alignof(T)...}));
  return size;
}

/// A type that ties its members.
template <class A, class T>
requires requires(T& x) {
  x.members();
}
void field(A& a, T& x) {
  using Members = decltype(x.members());
  static_assert(size_of_structure(static_cast<const Members*>(nullptr)) == sizeof(T),
                "members() leaves a member out, or has another order");
  std::apply([&](auto&... member) { fields(a, member...); }, x.members());
}

template <class A, class T>
void field(A& a, std::vector<T>& x) {
  const std::size_t n = a.count(x.size(), 1);
  if constexpr (A::kReads) {
    x.clear();
    for (std::size_t k = 0; k < n; ++k) {  // one by one, so that a wrong count fails at the end of
                                           // the bytes
      T item{};
      field(a, item);
      x.push_back(std::move(item));
    }
  } else {
    for (std::size_t k = 0; k < n; ++k) {
      T item = x[k];
      field(a, item);
    }
  }
}
template <class A, class T>
void field(A& a, std::optional<T>& x) {
  bool has = x.has_value();
  field(a, has);
  if constexpr (A::kReads) {
    x.reset();
    if (has) x.emplace();
  }
  if (has) field(a, *x);
}
template <class A, class T, std::size_t n>
void field(A& a, std::array<T, n>& x) {
  for (T& item : x)
    field(a, item);
}
template <class A, class T>
void field(A& a, std::map<std::string, T>& x) {
  const std::size_t n = a.count(x.size(), 1);
  if constexpr (A::kReads) {
    x.clear();
    for (std::size_t k = 0; k < n; ++k) {
      std::string key;
      field(a, key);
      field(a, x[key]);
    }
  } else {
    for (auto& [key, item] : x) {
      std::string name = key;
      field(a, name);
      field(a, item);
    }
  }
}
template <class A, class... T>
void field(A& a, std::variant<T...>& x) {
  auto index = static_cast<std::uint8_t>(x.index());
  field(a, index);
  if constexpr (A::kReads) {
    if (index >= sizeof...(T)) Reader::fail();
    std::size_t k = 0;
    ((k++ == index ? void(x.template emplace<T>()) : void()), ...);
  }
  std::visit([&](auto& held) { field(a, held); }, x);
}
template <class A, int r, int c>
void field(A& a, Eigen::Matrix<double, r, c>& x) {
  const auto rows = static_cast<Eigen::Index>(a.count(static_cast<std::size_t>(x.rows()), 1));
  const auto cols = static_cast<Eigen::Index>(a.count(static_cast<std::size_t>(x.cols()), 1));
  if constexpr (A::kReads) {
    if ((r != Eigen::Dynamic && rows != r) || (c != Eigen::Dynamic && cols != c)) Reader::fail();
    if (cols > 0) a.expect(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols) * 8);
    x.resize(rows, cols);
  }
  a.raw(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
}

}  // namespace femflex::fmu
