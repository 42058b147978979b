// A virtual file driver of HDF5 ("HDF5 Virtual File Layer" in the technical notes of the library)
// for results that others may read while a run goes on, and after it was killed: changes to pages
// that are published already stay in memory until publish() writes them, the superblock last.
#include "hdf5_storage.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "hdf5_impl.h"

namespace femflex::io {
namespace {

// ---- the superblock, "HDF5 File Format Specification 3.0", II.A, version 3:
// byte 0: signature (8 bytes), 8: version (1), 9: size of offsets (1), 10: size of lengths (1), 11:
// consistency flags (1), 12: base address (8), 20: extension (8), 28: end of file (8), 36: root
// group (8), 44: checksum (4)
constexpr std::size_t kVersionAt = 8, kFlagsAt = 11, kSumAt = 44, kSuperblock = 48;
constexpr char kOpenForWriting = 0x01 | 0x04;  // bits 0 and 2

/// Mixing step of Jenkins' lookup3, in place.
void mix(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
  a = (a - c) ^ std::rotl(c, 4), c += b;
  b = (b - a) ^ std::rotl(a, 6), a += c;
  c = (c - b) ^ std::rotl(b, 8), b += a;
  a = (a - c) ^ std::rotl(c, 16), c += b;
  b = (b - a) ^ std::rotl(a, 19), a += c;
  c = (c - b) ^ std::rotl(b, 4), b += a;
}

/// Jenkins' lookup3 ("hashlittle", 2006) over the 44 bytes before the checksum.
std::uint32_t checksum(const char* bytes) {
  std::uint32_t a = 0xdeadbeefU + kSumAt, b = a, c = a;
  const auto word = [&](std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t k = 0; k < 4; ++k)
      out |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << (8 * k);
    return out;
  };
  constexpr std::size_t kBlock = 12;
  std::size_t at = 0;
  for (; kSumAt - at > kBlock; at += kBlock) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    mix(a, b, c);
  }
  static_assert(kSumAt % kBlock == 8, "two words are left");
  a += word(at), b += word(at + 4);
  c = (c ^ b) - std::rotl(b, 14);
  a = (a ^ c) - std::rotl(c, 11);
  b = (b ^ a) - std::rotl(a, 25);
  c = (c ^ b) - std::rotl(b, 16);
  a = (a ^ c) - std::rotl(c, 4);
  b = (b ^ a) - std::rotl(a, 14);
  return (c ^ b) - std::rotl(b, 24);
}

/// Clears the "open for writing" flags, because HDF5 readers refuse a file that has them.
void open_to_readers(char* superblock) {
  if (superblock[kVersionAt] != 3) return;
  superblock[kFlagsAt] = static_cast<char>(superblock[kFlagsAt] & ~kOpenForWriting);
  const std::uint32_t sum = checksum(superblock);
  for (std::size_t k = 0; k < kSuperblock - kSumAt; ++k)
    superblock[kSumAt + k] = static_cast<char>(sum >> (8 * k));
}

// ---- the driver
struct Opened {
  H5FD_t head;  // fields that belong to HDF5; must come first
  std::shared_ptr<Hdf5Storage> storage;
};

Hdf5Storage& storage_of(const H5FD_t* file) {
  return *reinterpret_cast<const Opened*>(file)->storage;  // NOLINT: the C interface requires it
}

H5FD_t* open(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*max_address*/) {
  const auto* const given =
      static_cast<const std::shared_ptr<Hdf5Storage>* const*>(H5Pget_driver_info(access));
  if (given == nullptr) return nullptr;
  auto* out = new (std::nothrow) Opened{{}, **given};
  return out == nullptr ? nullptr : &out->head;
}

herr_t close(H5FD_t* file) {
  delete reinterpret_cast<Opened*>(file);  // NOLINT: made in open()
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const Hdf5Storage* one = &storage_of(a);
  const Hdf5Storage* other = &storage_of(b);
  return one == other ? 0 : (one < other ? -1 : 1);
}

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return storage_of(file).allocated;
}

herr_t set_allocated(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t offset) {
  storage_of(file).allocated = offset;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return storage_of(file).end;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t count, void* bytes) {
  storage_of(file).read(offset, static_cast<char*>(bytes), count);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t count, const void* bytes) {
  storage_of(file).write(offset, static_cast<const char*>(bytes), count);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  storage_of(file).end = storage_of(file).allocated;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t out = {};
#if H5_VERSION_GE(1, 13, 0)
  out.version = H5FD_CLASS_VERSION;
  out.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  out.name = "femflex";
  out.maxaddr = HADDR_MAX;
  out.fc_degree = H5F_CLOSE_STRONG;
  out.fapl_size = sizeof(void*);
  out.open = open;
  out.close = close;
  out.cmp = compare;
  out.query = query;
  out.get_eoa = get_allocated;
  out.set_eoa = set_allocated;
  out.get_eof = get_end;
  out.read = read;
  out.write = write;
  out.truncate = truncate;
  constexpr H5FD_mem_t kMap[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kMap), std::end(kMap), out.fl_map);
  return out;
}

}  // namespace

hid_t Hdf5Storage::driver() {
  static const H5FD_class_t kDriver = driver_class();
  static hid_t registered = H5I_INVALID_HID;
  // a host may have closed and reopened the HDF5 library
  if (H5Iget_type(registered) != H5I_VFL) registered = H5FDregister(&kDriver);
  return registered;
}

hid_t Hdf5Storage::create(const std::shared_ptr<Hdf5Storage>& storage,
                          hid_t creation,
                          hid_t access) {
  const hid_t id = driver();
  const std::shared_ptr<Hdf5Storage>* given = &storage;
  if (id < 0 || H5Pset_driver(access, id, &given) < 0) return -1;
  return H5Fcreate(storage->file_.part().c_str(), H5F_ACC_TRUNC, creation, access);
}

Hdf5Storage::Page& Hdf5Storage::pending_page(std::uint64_t page) {
  const auto [at, is_new] = pending_.try_emplace(page);
  if (is_new && file_.read_at(page * kPage, at->second.data(), kPage) != 0 && error_ == 0)
    error_ = EIO;
  return at->second;
}

void Hdf5Storage::write(std::uint64_t offset, const char* bytes, std::size_t count) noexcept {
  end = std::max(end, offset + count);
  try {
    while (count > 0 && error_ == 0) {
      const std::uint64_t page = offset / kPage;
      const std::size_t within = offset % kPage;
      const bool is_deferred_page = is_deferred(page);
      const std::size_t part = is_deferred_page ? std::min(count, kPage - within) : count;
      if (is_deferred_page)
        std::memcpy(pending_page(page).data() + within, bytes, part);
      else
        error_ = file_.write_at(offset, bytes, part);
      offset += part;
      bytes += part;
      count -= part;
    }
  } catch (const std::bad_alloc&) {
    error_ = ENOMEM;
  }
}

void Hdf5Storage::read(std::uint64_t offset, char* bytes, std::size_t count) noexcept {
  if (const int error = file_.read_at(offset, bytes, count); error != 0) {
    std::memset(bytes, 0, count);  // HDF5 goes on until publish() tells the error
    if (error_ == 0) error_ = error;
  }
  for (auto each = pending_.lower_bound(offset / kPage);
       each != pending_.end() && each->first * kPage < offset + count;
       ++each) {
    const std::uint64_t first = std::max(offset, each->first * kPage);
    const std::uint64_t last = std::min(offset + count, (each->first + 1) * kPage);
    std::memcpy(bytes + (first - offset),
                each->second.data() + (first - each->first * kPage),
                last - first);
  }
}

void Hdf5Storage::publish() {
  throw_if_failed();
  const auto put = [&](std::uint64_t number, const Page& page) {
    const std::uint64_t from = number * kPage;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kPage, end - from));
    if (from < end && error_ == 0) error_ = file_.write_at(from, page.data(), count);
  };
  // Reserve space first, so that already published pages are not touched if the disk is full.
  error_ = file_.reserve(published_, end);
  if (error_ == 0) error_ = file_.resize(end);
  for (const auto& [number, page] : pending_)
    if (number != 0) put(number, page);
  if (const auto first = pending_.find(0); first != pending_.end()) {
    open_to_readers(first->second.data());
    put(0, first->second);  // written last, because the superblock holds the end of the file
  }
  throw_if_failed();
  pending_.clear();
  published_ = end;
}

void Hdf5Storage::discard_unpublished() {
  pending_.clear();
  if (const int error = file_.resize(published_); error != 0) file_.fail(error);
}

}  // namespace femflex::io
