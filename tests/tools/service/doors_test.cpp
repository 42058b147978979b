// Tests access to a service: host names, pages of other sites, and idle connections.
#include <chrono>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "raw_client.h"
#include "running_service.h"
#include "service/gzip.h"
#include "service/host_names.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr const char* kBar = R"({ "parts": { "B": { "bar": { "mass": 1, "stiffness": 1 } } } })";

int status_with(const Running& house,
                const std::string& headers,
                const std::string& version = "1.1") {
  RawClient client(house.port());
  client.send("GET /v1/agents/B/dynamics HTTP/" + version + "\r\n" + headers + "\r\n");
  return client.status();
}

// DNS rebinding: the host name belongs to the attacker, the address is that of this machine.
TEST(Doors, OpenUnderNamesOfThisMachineAlone) {
  const Running house(kBar, {.host_names = {"Bridge.example"}});
  for (const char* host : {"localhost",
                           "LOCALHOST:8080",
                           "127.0.0.1",
                           "127.0.0.1:1",
                           "[::1]",
                           "[::1]:8080",
                           "bridge.example:80",
                           "127.1.2.3"})
    EXPECT_EQ(status_with(house, std::string("Host: ") + host + "\r\n"), 200) << host;
  for (const char* host : {"evil.example",
                           "evil.example:8080",
                           "localhost.evil.example",
                           "127.0.0.1.evil.example",
                           "10.0.0.1",
                           "192.0.2.1:80",
                           "[2001:db8::1]",
                           "0.0.0.0",
                           "a",
                           "127.0.0.1@evil.example",
                           "localhost:0",
                           "localhost:99999",
                           "localhost:80:80",
                           "[::1",
                           "localhost/",
                           "evil.example%00localhost"})
    EXPECT_EQ(status_with(house, std::string("Host: ") + host + "\r\n"), 421) << host;
  // RFC 9112, section 3.2: exactly one Host header
  EXPECT_EQ(status_with(house, ""), 400);
  EXPECT_EQ(status_with(house, "Host: localhost\r\nHost: evil.example\r\n"), 400);
  EXPECT_EQ(status_with(house, "", "1.0"), 200);
  // a page of another site, and a page of this machine
  EXPECT_EQ(status_with(house, "Host: localhost\r\nOrigin: https://evil.example\r\n"), 403);
  EXPECT_EQ(status_with(house, "Host: localhost\r\nOrigin: null\r\n"), 403);
  EXPECT_EQ(status_with(house, "Host: localhost\r\nOrigin: http://localhost:8080\r\n"), 200);
}

TEST(Doors, OfOtherAddressesOpenUnderAddressesToo) {
  const HostNames all("0.0.0.0", {"bridge.example"});
  for (const char* host :
       {"192.0.2.1", "10.0.0.1:80", "[2001:db8::1]:80", "localhost", "bridge.example"})
    EXPECT_TRUE(all.are_of(host)) << host;
  EXPECT_FALSE(all.are_of("evil.example"));
}

TEST(Doors, TellBrowsersWhatTheyMayDo) {
  const Running house(kBar);
  httplib::Client client = house.client();
  const httplib::Result result = client.Get("/v1/agents");
  EXPECT_EQ(result->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(result->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_FALSE(result->has_header("Access-Control-Allow-Origin"));
  const httplib::Result icon = client.Get("/favicon.ico");
  EXPECT_EQ(icon->status, 204);
  EXPECT_TRUE(icon->body.empty());
}

// 400 idle connections and 400 with half a request; they would occupy the service until their
// time-outs of 5 s.
TEST(Doors, StandOpenWhileHundredsKeepThemBusy) {
  const Running house(kBar);
  const auto time_of_one = [&]() {
    const auto start = Clock::now();
    httplib::Client client = house.client();
    const httplib::Result result = client.Get("/v1/agents/B/dynamics");
    EXPECT_TRUE(result && result->status == 200);
    return Clock::now() - start;
  };
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int k = 0; k < 400; ++k)
    idle.push_back(std::make_unique<RawClient>(house.port()));
  EXPECT_LT(time_of_one(), 2s);
  // idle clients are served once they send a request
  idle.back()->send("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(idle.back()->status(), 200);
  for (const auto& client : idle)
    client->send("GET /v1/health HT");
  EXPECT_LT(time_of_one(), 2s);
}

// More slow requests than threads: slow requests are ended, complete ones are served.
TEST(Doors, AreNotHeldByMoreSlowRequestsThanThreads) {
  const Running house(kBar, {.request_time = 60'000ms, .workers = 4});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int k = 0; k < 8; ++k) {
    slow.push_back(std::make_unique<RawClient>(house.port()));
    slow.back()->send("GET /v1/health HT");
  }
  const auto start = Clock::now();
  httplib::Client client = house.client();
  client.set_read_timeout(20s);
  const httplib::Result result = client.Get("/v1/health");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
  EXPECT_LT(Clock::now() - start, 10s);  // the third of three rounds of one second each
  EXPECT_EQ(slow.front()->status(), 408);
}

TEST(Doors, CloseOnBodiesThatAreCompressed) {
  const Running house(kBar);
  const httplib::Result result = house.client().Post("/v1/dynamics",
                                                     httplib::Headers{{"Content-Encoding", "gzip"}},
                                                     gzipped(std::string(1000, ' ')),
                                                     "text/plain");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 415);
}

TEST(Doors, AnswerPipelinedRequestsInTurn) {
  const Running house(kBar);
  RawClient client(house.port());
  std::string many;
  for (int k = 0; k < 50; ++k)
    many += "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(many);
  for (int k = 0; k < 50; ++k)
    EXPECT_EQ(client.status(), 200) << k;
}

std::string unpacked(const std::string& packed) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string out(std::size_t{8} << 20U, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// Truth: decompression by zlib, and the page as sent to clients without gzip.
TEST(Pages, ArePackedOnceForWhoTakesGzip) {
  const testing::TemporaryFolder folder;
  std::filesystem::copy_file(testing::data("body_files/valid/body.flex"), folder / "b.flex");
  const Running house(
      tools::AssemblyFile{.name = "files"}, {}, Shelf({folder / "b.flex"}, parse_units("m-kg-s")));
  httplib::Client client = house.client();
  client.set_decompress(false);
  const auto get = [&](const std::string& takes, const std::string& version = {}) {
    httplib::Headers headers;
    if (!takes.empty()) headers.emplace("Accept-Encoding", takes);
    if (!version.empty()) headers.emplace("If-None-Match", version);
    return client.Get("/view/b.flex", headers);
  };
  const httplib::Result plain = get("");
  const httplib::Result packed = get("br, gzip;q=0.9, deflate");
  ASSERT_TRUE(plain && packed);
  EXPECT_FALSE(plain->has_header("Content-Encoding"));
  EXPECT_EQ(packed->get_header_value("Content-Encoding"), "gzip");
  EXPECT_LT(packed->body.size(), plain->body.size() / 2);
  EXPECT_EQ(unpacked(packed->body), plain->body);
  // an entity tag identifies one encoding of the page
  EXPECT_NE(packed->get_header_value("ETag"), plain->get_header_value("ETag"));
  EXPECT_EQ(get("gzip", packed->get_header_value("ETag"))->status, 304);
  EXPECT_EQ(get("", packed->get_header_value("ETag"))->status, 200);
  for (const char* takes : {"br", "gzip;q=0", "identity", "gzip;q=0.000, br"})
    EXPECT_FALSE(get(takes)->has_header("Content-Encoding")) << takes;
  for (const char* takes : {"gzip", "GZIP", "*", "br;q=1, *;q=0.5", "x-gzip"})
    EXPECT_EQ(get(takes)->get_header_value("Content-Encoding"), "gzip") << takes;
  // thousands of ranges of one page would need much memory
  const httplib::Result ranges =
      client.Get("/view/b.flex", httplib::Headers{{"Range", "bytes=0-,0-,0-,0-"}});
  ASSERT_TRUE(ranges);
  EXPECT_EQ(ranges->status, 200);
  EXPECT_EQ(ranges->body, plain->body);
}

}  // namespace
}  // namespace femflex::service
