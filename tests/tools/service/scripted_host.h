// A server on the loopback interface that sends a fixed text to every client and stores the
// requests.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace femflex::service {

/// A host that sends the same text for every request, to one connection after another.
class ScriptedHost {
 public:
  /// @param speaks_first  sends before it receives a request, like servers of other protocols
  explicit ScriptedHost(std::string says, bool speaks_first = false)
      : says_(std::move(says)), speaks_first_(speaks_first) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    static_cast<void>(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address));
    ::listen(socket_, 8);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this]() { serve(); });
  }
  ScriptedHost(const ScriptedHost&) = delete;
  ScriptedHost& operator=(const ScriptedHost&) = delete;
  ScriptedHost(ScriptedHost&&) = delete;
  ScriptedHost& operator=(ScriptedHost&&) = delete;
  ~ScriptedHost() {
    stopping_ = true;
    thread_.join();
    ::close(socket_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  static bool is_ready(int socket, int milliseconds) {
    pollfd one{socket, POLLIN, 0};
    return ::poll(&one, 1, milliseconds) > 0;
  }

  void serve() {
    while (!stopping_) {
      if (!is_ready(socket_, 20)) continue;
      const int guest = ::accept(socket_, nullptr, nullptr);
      if (guest < 0) continue;
      if (!speaks_first_) hear(guest);
      std::size_t sent = 0;
      while (sent < says_.size() && !stopping_) {
        const ssize_t count =
            ::send(guest, says_.data() + sent, says_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
          sent += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN) {
          ::usleep(1000);
        } else {
          break;
        }
      }
      if (speaks_first_) hear(guest);
      ::close(guest);
    }
  }

  void hear(int guest) {
    std::string text;
    while (text.find("\r\n\r\n") == std::string::npos && is_ready(guest, 1000)) {
      char buffer[4096];
      const ssize_t got = ::recv(guest, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      text.append(buffer, static_cast<std::size_t>(got));
    }
    const std::lock_guard lock(mutex_);
    asked_.push_back(text);
  }

  std::string says_;
  bool speaks_first_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::vector<std::string> asked_;  // access only under mutex_
  std::thread thread_;
};

/// An HTTP answer with a body.
inline std::string http_answer(const std::string& status,
                               const std::string& body,
                               const std::string& more = {}) {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         more + "\r\n" + body;
}

}  // namespace femflex::service
