#include "connection.h"

#include <algorithm>
#include <cerrno>

#include <arpa/inet.h>
#include <poll.h>
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

bool Connection::wait(short events, Clock::time_point until) const {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    pollfd one{socket_, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready > 0) return true;
    if (ready < 0 && errno == EINTR) continue;
    return false;
  }
}

bool Connection::wait_for_request(milliseconds idle, const std::atomic<bool>& stopping) {
  if (begin_ < end_) return true;
  // stop() shuts idle sockets down, which wakes this poll
  if (stopping.load()) return false;
  if (!wait(POLLIN, Clock::now() + idle)) return false;
  char first = 0;
  return ::recv(socket_, &first, 1, MSG_PEEK) > 0;
}

void Connection::begin_request() {
  begun_ = Clock::now();
  deadline_ = begun_ + limits_.request_time;
  received_ = written_ = header_ = 0;
  blank_ = 0;
  in_body_ = false;
  fault_ = Fault::none;
  closes_ = false;
}

bool Connection::is_readable() const {
  return begin_ < end_ || wait(POLLIN, Clock::now());
}

bool Connection::is_writable() const {
  return wait(POLLOUT, Clock::now());
}

ssize_t Connection::read(char* data, std::size_t size) {
  if (fault_ != Fault::none) return -1;
  if (received_ >= limits_.header_bytes + limits_.body_bytes ||
      (!in_body_ && header_ >= limits_.header_bytes)) {
    fault_ = Fault::too_large;
    return -1;
  }
  if (begin_ == end_) {
    if (!wait(POLLIN, deadline_) || Clock::now() >= deadline_) {
      fault_ = Fault::late;
      return -1;
    }
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) {
      fault_ = Fault::broken;
      return got;
    }
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
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
  for (;;) {
    if (Clock::now() >= send_deadline_ || !wait(POLLOUT, send_deadline_)) return -1;
    // never more than fits: a blocking send would wait for a client that does not read
    const ssize_t sent = ::send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (sent > 0) written_ += static_cast<std::size_t>(sent);
    return sent;
  }
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
    address_of(address, ip, port);
  }
}

void Workers::enqueue(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  if (idle_ < waiting_.size() && threads_.size() < most_) {
    threads_.emplace_back([this]() { serve(); });
  } else {
    changed_.notify_one();
  }
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this]() { return stopping_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

void Workers::shutdown() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace femflex::service
