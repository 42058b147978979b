// Uses non-blocking sockets, and waits with poll() until the time limit. TLS determines whether to
// wait for reading or for writing.
#include "tcp_socket.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace femflex::service {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

TcpSocket::TcpSocket(int socket) : socket_(socket) {
  if (socket_ < 0) return;
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
  const int enabled = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &enabled, sizeof enabled);
}

TcpSocket::TcpSocket(TcpSocket&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      ssl_(std::move(other.ssl_)),
      failure_(other.failure_) {}

TcpSocket& TcpSocket::operator=(TcpSocket&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(ssl_, other.ssl_);
  std::swap(failure_, other.failure_);
  return *this;
}

TcpSocket::~TcpSocket() {
  if (socket_ < 0) return;
  // announces the end to the other side, which may already have closed
  if (ssl_ != nullptr && failure_ == Failure::none) SSL_shutdown(ssl_.get());
  ERR_clear_error();
  ::shutdown(socket_, SHUT_RDWR);
  ::close(socket_);
}

TcpSocket TcpSocket::connected(const std::string& host, int port, TimePoint until) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  TcpSocket failed(-1);
  failed.failure_ = Failure::broken;
  if (::getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0)
    return failed;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    TcpSocket candidate(
        ::socket(entry->ai_family, entry->ai_socktype | SOCK_CLOEXEC, entry->ai_protocol));
    if (!candidate.is_open()) continue;
    if (::connect(candidate.socket_, entry->ai_addr, entry->ai_addrlen) != 0 &&
        errno != EINPROGRESS)
      continue;
    if (!candidate.wait(POLLOUT, until)) {
      failed.failure_ = Failure::timeout;
      return failed;
    }
    int socket_error = 0;
    socklen_t size = sizeof socket_error;
    ::getsockopt(candidate.socket_, SOL_SOCKET, SO_ERROR, &socket_error, &size);
    if (socket_error == 0) return candidate;
  }
  return failed;
}

bool TcpSocket::wait(short events, TimePoint until) const {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    pollfd entry{socket_, events, 0};
    const int ready =
        ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX)));
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    return false;
  }
}

bool TcpSocket::is_readable(TimePoint until) const {
  return has_pending() || wait(POLLIN, until);
}

bool TcpSocket::has_pending() const {
  return ssl_ != nullptr && SSL_pending(ssl_.get()) > 0;
}

std::size_t TcpSocket::transfer(short events,
                                TimePoint until,
                                const std::function<long()>& attempt) {
  for (;;) {
    errno = 0;
    ERR_clear_error();
    const long count = attempt();
    if (count > 0) {
      failure_ = Failure::none;
      return static_cast<std::size_t>(count);
    }
    short wanted_events = 0;
    if (ssl_ != nullptr) {
      switch (SSL_get_error(ssl_.get(), static_cast<int>(count))) {
        case SSL_ERROR_WANT_READ:
          wanted_events = POLLIN;
          break;
        case SSL_ERROR_WANT_WRITE:
          wanted_events = POLLOUT;
          break;
        case SSL_ERROR_ZERO_RETURN:
          failure_ = Failure::closed;
          return 0;
        default:
          failure_ = Failure::broken;
          return 0;
      }
    } else if (count == 0) {
      failure_ = Failure::closed;
      return 0;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
      wanted_events = events;
    } else {
      failure_ = Failure::broken;
      return 0;
    }
    // limits the time for a peer that keeps sending useless records
    if (Clock::now() >= until || !wait(wanted_events, until)) {
      failure_ = Failure::timeout;
      return 0;
    }
  }
}

bool TcpSocket::handshake(TimePoint until) {
  return transfer(POLLIN, until, [this]() { return SSL_do_handshake(ssl_.get()); }) > 0;
}

std::size_t TcpSocket::read(char* data, std::size_t size, TimePoint until) {
  const int max_size = static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  return transfer(POLLIN, until, [&]() -> long {
    if (ssl_ != nullptr) return SSL_read(ssl_.get(), data, max_size);
    return ::recv(socket_, data, size, MSG_DONTWAIT);
  });
}

std::size_t TcpSocket::write(const char* data, std::size_t size, TimePoint until) {
  const int max_size = static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  return transfer(POLLOUT, until, [&]() -> long {
    if (ssl_ != nullptr) return SSL_write(ssl_.get(), data, max_size);
    return ::send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}

bool TcpSocket::write_all(const std::string& text, TimePoint until) {
  std::size_t sent_bytes = 0;
  while (sent_bytes < text.size()) {
    const std::size_t sent = write(text.data() + sent_bytes, text.size() - sent_bytes, until);
    if (sent == 0) return false;
    sent_bytes += sent;
  }
  return true;
}

}  // namespace femflex::service
