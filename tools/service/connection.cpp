// Reads through a small buffer, counts header bytes up to the blank line and body bytes after it,
// and shortens the time limit while other connections wait for a thread.
#include "connection.h"

#include <algorithm>

#include <arpa/inet.h>
#include <sys/socket.h>

namespace femflex::service {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

void address_of(const sockaddr_storage& address, std::string& ip, int& port) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    const auto* in = reinterpret_cast<const sockaddr_in*>(&address);
    inet_ntop(AF_INET, &in->sin_addr, text.data(), text.size());
    port = ntohs(in->sin_port);
  } else if (address.ss_family == AF_INET6) {
    const auto* in = reinterpret_cast<const sockaddr_in6*>(&address);
    inet_ntop(AF_INET6, &in->sin6_addr, text.data(), text.size());
    port = ntohs(in->sin6_port);
  }
  ip = text.data();
}

}  // namespace

void Connection::begin_request() {
  begun_ = Clock::now();
  deadline_ = begun_ + limits_.request_time;
  received_ = written_ = header_ = 0;
  blank_ = 0;
  in_body_ = false;
  fault_ = Fault::none;
  closes_ = false;
  note_.clear();
}

bool Connection::speaks_tls() const {
  constexpr char kHandshake = 0x16;  // RFC 8446, section 5.1
  char first = 0;
  return ::recv(wire_.socket(), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && first == kHandshake;
}

bool Connection::patiently(const std::function<bool(Wire::Moment)>& attempt) {
  constexpr milliseconds kLook{100};  // how often to check whether other connections wait
  for (;;) {
    const Clock::time_point now = Clock::now();
    const Clock::time_point until =
        is_pressed_.load() ? std::min(deadline_, begun_ + kPressedTime) : deadline_;
    const bool is_over = now >= until;
    if (!is_over && attempt(std::min(until, now + kLook))) return true;
    if (is_over || wire_.fault() != Wire::Fault::late) {
      fault_ = is_over ? Fault::late : Fault::broken;
      return false;
    }
  }
}

bool Connection::shake_hands(const TlsContext& tls) {
  begin_request();
  wire_.encrypt(tls.open(wire_.socket()));
  return patiently([this](Wire::Moment until) { return wire_.shake_hands(until); });
}

bool Connection::is_readable() const {
  return is_readable_by(Clock::now());
}

bool Connection::is_writable() const {
  return true;  // write() waits by itself
}

ssize_t Connection::read(char* data, std::size_t size) {
  if (fault_ != Fault::none) return -1;
  if (received_ >= limits_.header_bytes + limits_.body_bytes ||
      (!in_body_ && header_ >= limits_.header_bytes)) {
    fault_ = in_body_ ? Fault::large_body : Fault::large_header;
    return -1;
  }
  if (begin_ == end_) {
    begin_ = end_ = 0;
    const bool came = patiently([this](Wire::Moment until) {
      end_ = wire_.read(buffer_.data(), buffer_.size(), until);
      return end_ > 0;
    });
    if (!came) return wire_.fault() == Wire::Fault::closed ? 0 : -1;
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::copy_n(buffer_.data() + begin_, count, data);
  for (std::size_t k = 0; k < count && !in_body_; ++k) {
    const char c = data[k];
    ++header_;
    const bool fits = c == (blank_ % 2 == 0 ? '\r' : '\n');
    blank_ = fits ? blank_ + 1 : (c == '\r' ? 1 : 0);
    in_body_ = blank_ == 4;
  }
  begin_ += count;
  received_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* data, std::size_t size) {
  if (written_ == 0) send_deadline_ = Clock::now() + limits_.send_time;
  // never more than fits: a blocking send would wait for a client that does not read
  const std::size_t sent =
      Clock::now() < send_deadline_ ? wire_.write(data, size, send_deadline_) : 0;
  written_ += sent;
  return sent > 0 ? static_cast<ssize_t>(sent) : -1;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(wire_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(wire_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

}  // namespace femflex::service
