// Finds and joins the gaps of the pieces of memory out of which arrays are lent.
#include "dense/array_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace femflex::modal {

ArrayPool::Array ArrayPool::take_from(std::size_t piece, std::int64_t count) {
  auto& gaps = pieces_[piece].gaps;
  const auto gap =
      std::find_if(gaps.begin(), gaps.end(), [&](const auto& g) { return g.second >= count; });
  if (gap == gaps.end()) return {};
  const auto [start, size] = *gap;
  gaps.erase(gap);
  if (size > count) gaps.emplace(start + count, size - count);
  return {pieces_[piece].memory.get() + start, count, piece, {}};
}

ArrayPool::Array ArrayPool::take(std::int64_t count) {
  constexpr std::int64_t kSmallest = std::int64_t{1} << 16;  // numbers
  constexpr std::int64_t kPiece = std::int64_t{1} << 25;  // numbers; untouched ones take no memory
  constexpr std::int64_t kLine = 8;                       // arrays start on whole cache lines
  if (count < kSmallest) {
    RawArray own = raw(count);
    double* const data = own.get();
    return {data, 0, 0, std::move(own)};
  }
  const std::int64_t rounded = (count + kLine - 1) / kLine * kLine;
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    Array found = take_from(k, rounded);
    if (found.data != nullptr) return found;
  }
  const std::int64_t size = std::max(rounded, kPiece);
  pieces_.push_back({raw(size), {{0, size}}});
  return take_from(pieces_.size() - 1, rounded);
}

void ArrayPool::give_back(Array array) {
  if (array.size == 0) return;
  const std::lock_guard lock(mutex_);
  Piece& piece = pieces_[array.piece];
  const std::int64_t start = array.data - piece.memory.get();
  const auto gap = piece.gaps.emplace(start, array.size).first;
  const auto next = std::next(gap);
  if (next != piece.gaps.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    piece.gaps.erase(next);
  }
  if (gap == piece.gaps.begin()) return;
  const auto before = std::prev(gap);
  if (before->first + before->second != gap->first) return;
  before->second += gap->second;
  piece.gaps.erase(gap);
}

}  // namespace femflex::modal
