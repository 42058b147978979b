// Uses non-blocking sockets and waits by poll() until the time limit; TLS says whether it waits for
// reading or for writing.
#include "wire.h"

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

Wire::Wire(int socket) : socket_(socket) {
  if (socket_ < 0) return;
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

Wire::Wire(Wire&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      ssl_(std::move(other.ssl_)),
      fault_(other.fault_) {}

Wire& Wire::operator=(Wire&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(ssl_, other.ssl_);
  std::swap(fault_, other.fault_);
  return *this;
}

Wire::~Wire() {
  if (socket_ < 0) return;
  // announces the end to the other side, which may be gone already
  if (ssl_ != nullptr && fault_ == Fault::none) SSL_shutdown(ssl_.get());
  ERR_clear_error();
  ::shutdown(socket_, SHUT_RDWR);
  ::close(socket_);
}

Wire Wire::connected(const std::string& host, int port, Moment until) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  Wire none(-1);
  none.fault_ = Fault::broken;
  if (::getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found) != 0)
    return none;
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    Wire wire(::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol));
    if (!wire.is_open()) continue;
    if (::connect(wire.socket_, one->ai_addr, one->ai_addrlen) != 0 && errno != EINPROGRESS)
      continue;
    if (!wire.wait(POLLOUT, until)) {
      none.fault_ = Fault::late;
      return none;
    }
    int trouble = 0;
    socklen_t size = sizeof trouble;
    ::getsockopt(wire.socket_, SOL_SOCKET, SO_ERROR, &trouble, &size);
    if (trouble == 0) return wire;
  }
  return none;
}

bool Wire::wait(short events, Moment until) const {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    pollfd one{socket_, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX)));
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    return false;
  }
}

bool Wire::is_readable(Moment until) const {
  return has_pending() || wait(POLLIN, until);
}

bool Wire::has_pending() const {
  return ssl_ != nullptr && SSL_pending(ssl_.get()) > 0;
}

std::size_t Wire::transfer(short events, Moment until, const std::function<long()>& attempt) {
  for (;;) {
    errno = 0;
    ERR_clear_error();
    const long count = attempt();
    if (count > 0) {
      fault_ = Fault::none;
      return static_cast<std::size_t>(count);
    }
    short wanted = 0;
    if (ssl_ != nullptr) {
      switch (SSL_get_error(ssl_.get(), static_cast<int>(count))) {
        case SSL_ERROR_WANT_READ:
          wanted = POLLIN;
          break;
        case SSL_ERROR_WANT_WRITE:
          wanted = POLLOUT;
          break;
        case SSL_ERROR_ZERO_RETURN:
          fault_ = Fault::closed;
          return 0;
        default:
          fault_ = Fault::broken;
          return 0;
      }
    } else if (count == 0) {
      fault_ = Fault::closed;
      return 0;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
      wanted = events;
    } else {
      fault_ = Fault::broken;
      return 0;
    }
    // a peer that keeps sending useless records must not hold us beyond `until`
    if (Clock::now() >= until || !wait(wanted, until)) {
      fault_ = Fault::late;
      return 0;
    }
  }
}

bool Wire::shake_hands(Moment until) {
  return transfer(POLLIN, until, [this]() { return SSL_do_handshake(ssl_.get()); }) > 0;
}

std::size_t Wire::read(char* data, std::size_t size, Moment until) {
  const int most = static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  return transfer(POLLIN, until, [&]() -> long {
    if (ssl_ != nullptr) return SSL_read(ssl_.get(), data, most);
    return ::recv(socket_, data, size, MSG_DONTWAIT);
  });
}

std::size_t Wire::write(const char* data, std::size_t size, Moment until) {
  const int most = static_cast<int>(std::min<std::size_t>(size, INT_MAX));
  return transfer(POLLOUT, until, [&]() -> long {
    if (ssl_ != nullptr) return SSL_write(ssl_.get(), data, most);
    return ::send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  });
}

bool Wire::write_all(const std::string& text, Moment until) {
  std::size_t done = 0;
  while (done < text.size()) {
    const std::size_t sent = write(text.data() + done, text.size() - done, until);
    if (sent == 0) return false;
    done += sent;
  }
  return true;
}

}  // namespace femflex::service
