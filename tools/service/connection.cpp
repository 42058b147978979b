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
  start_ = Clock::now();
  deadline_ = start_ + limits_.request_time;
  received_ = written_ = header_bytes_ = 0;
  line_ends_matched_ = 0;
  in_body_ = false;
  failure_ = Failure::none;
  closes_after_response_ = false;
  note_.clear();
}

bool Connection::starts_with_tls() const {
  constexpr char kHandshake = 0x16;  // RFC 8446, section 5.1
  char first = 0;
  return ::recv(socket_.socket(), &first, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && first == kHandshake;
}

bool Connection::retry_until_deadline(const std::function<bool(TcpSocket::TimePoint)>& attempt) {
  constexpr milliseconds kPollInterval{100};  // interval for checking whether other connections
                                              // wait
  for (;;) {
    const Clock::time_point now = Clock::now();
    const Clock::time_point until =
        is_overloaded_.load() ? std::min(deadline_, start_ + kOverloadTime) : deadline_;
    const bool has_expired = now >= until;
    if (!has_expired && attempt(std::min(until, now + kPollInterval))) return true;
    if (has_expired || socket_.failure() != TcpSocket::Failure::timeout) {
      failure_ = has_expired ? Failure::timeout : Failure::broken;
      return false;
    }
  }
}

bool Connection::handshake(const TlsContext& tls) {
  begin_request();
  socket_.encrypt(tls.open(socket_.socket()));
  return retry_until_deadline(
      [this](TcpSocket::TimePoint until) { return socket_.handshake(until); });
}

bool Connection::is_readable() const {
  return is_readable_by(Clock::now());
}

bool Connection::is_writable() const {
  return true;  // write() waits itself
}

ssize_t Connection::read(char* data, std::size_t size) {
  if (failure_ != Failure::none) return -1;
  if (received_ >= limits_.header_bytes + limits_.body_bytes ||
      (!in_body_ && header_bytes_ >= limits_.header_bytes)) {
    failure_ = in_body_ ? Failure::large_body : Failure::large_header;
    return -1;
  }
  if (buffer_begin_ == buffer_end_) {
    buffer_begin_ = buffer_end_ = 0;
    const bool has_data = retry_until_deadline([this](TcpSocket::TimePoint until) {
      buffer_end_ = socket_.read(buffer_.data(), buffer_.size(), until);
      return buffer_end_ > 0;
    });
    if (!has_data) return socket_.failure() == TcpSocket::Failure::closed ? 0 : -1;
  }
  const std::size_t count = std::min(size, buffer_end_ - buffer_begin_);
  std::copy_n(buffer_.data() + buffer_begin_, count, data);
  for (std::size_t k = 0; k < count && !in_body_; ++k) {
    const char c = data[k];
    ++header_bytes_;
    const bool is_next = c == (line_ends_matched_ % 2 == 0 ? '\r' : '\n');
    line_ends_matched_ = is_next ? line_ends_matched_ + 1 : (c == '\r' ? 1 : 0);
    in_body_ = line_ends_matched_ == 4;
  }
  buffer_begin_ += count;
  received_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* data, std::size_t size) {
  if (written_ == 0) send_deadline_ = Clock::now() + limits_.send_time;
  // sends only as much as fits; a blocking send would wait for a client that does not read
  const std::size_t sent =
      Clock::now() < send_deadline_ ? socket_.write(data, size, send_deadline_) : 0;
  written_ += sent;
  return sent > 0 ? static_cast<ssize_t>(sent) : -1;
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(socket_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket_.socket(), reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

}  // namespace femflex::service
