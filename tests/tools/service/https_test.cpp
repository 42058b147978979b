// Tests agents with encrypted connections; the test makes the certificates. Uses only the loopback
// interface.
#include <chrono>
#include <fstream>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <gtest/gtest.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "femflex/errors.h"

#include "raw_client.h"
#include "running_service.h"
#include "scripted_host.h"
#include "support/support.h"

namespace femflex::service {
namespace {

using namespace std::chrono_literals;
using tools::AgentError;
using tools::PartBook;

constexpr const char* kServedBar = R"({ "parts": { "B": { "token": "t",
  "bar": { "mass": 1, "stiffness": 1 } } } })";

/// A self-signed certificate for `names` ("IP:127.0.0.1,DNS:localhost"), valid immediately.
struct Certificate {
  Certificate(const testing::TemporaryFolder& folder,
              const std::string& name,
              const std::string& names,
              long seconds = 3600)
      : file(folder / (name + ".pem")), key_file(folder / (name + ".key")) {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -7200);
    X509_gmtime_adj(X509_getm_notAfter(certificate), seconds);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate),
                               "CN",
                               MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()),
                               -1,
                               -1,
                               0);
    X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
    X509_set_pubkey(certificate, key);
    X509_EXTENSION* extension =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    X509_sign(certificate, key, EVP_sha256());
    FILE* out = std::fopen(file.c_str(), "w");
    PEM_write_X509(out, certificate);
    std::fclose(out);
    out = std::fopen(key_file.c_str(), "w");
    PEM_write_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(out);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  std::filesystem::path file, key_file;
};

class Https : public ::testing::Test {
 protected:
  ServiceOptions with(const Certificate& certificate, ServiceOptions options = {}) const {
    options.certificate = certificate.file;
    options.key = certificate.key_file;
    return options;
  }
  static std::string file_asking(int port, const std::string& ca, const std::string& host) {
    return R"({ "parts": { "R": { "remote": { "agent": "https://)" + host + ":" +
           std::to_string(port) + R"(", "part": "B", "token": "t")" +
           (ca.empty() ? "" : R"(, "ca": ")" + ca + "\"") + " } } } }";
  }
  /// Requests a part; returns the code and message of the error.
  static std::string asking(int port,
                            const std::string& ca,
                            const std::string& host = "127.0.0.1") {
    PartBook book(parsed(file_asking(port, ca, host)), http_parts({.total = 3000ms}));
    try {
      book.dynamics("R", {});
    } catch (const Error& error) {
      return error.code() + ": " + error.message() + "; " + error.fix();
    }
    return "no error";
  }

  testing::TemporaryFolder folder_;
  Certificate good_{folder_, "good", "IP:127.0.0.1,DNS:localhost"};
};

TEST_F(Https, CarriesPartsToWhoTrustsItsCertificate) {
  const Running house(kServedBar, with(good_));
  EXPECT_EQ(asking(house.port(), good_.file), "no error");
  EXPECT_EQ(asking(house.port(), good_.file, "localhost"), "no error");
  // one certificate for all agents, as with the option --ca
  PartBook book(parsed(file_asking(house.port(), "", "127.0.0.1")), http_parts({.ca = good_.file}));
  EXPECT_EQ(book.dynamics("R", {}).part->port_count(), 2);
  EXPECT_EQ(book.dynamics("R", {}).part->port_count(), 2);  // uses the open connection
}

// Truth: the client of cpp-httplib.
TEST_F(Https, IsWhatOtherClientsSpeak) {
  const Running house(kServedBar, with(good_));
  httplib::SSLClient client("localhost", house.port());
  client.set_ca_cert_path(good_.file.c_str());
  client.enable_server_certificate_verification(true);
  client.set_keep_alive(true);
  for (int k = 0; k < 3; ++k) {
    const httplib::Result result =
        client.Get("/v1/agents/B/dynamics", httplib::Headers{{"Authorization", "Bearer t"}});
    ASSERT_TRUE(result) << httplib::to_string(result.error());
    EXPECT_EQ(result->status, 200);
  }
}

TEST_F(Https, RefusesWhomNobodyVouchesForAndSaysWhatHelps) {
  const Running house(kServedBar, with(good_));
  const std::string unknown = asking(house.port(), "");
  EXPECT_TRUE(unknown.starts_with("tls: agent https://127.0.0.1")) << unknown;
  EXPECT_NE(unknown.find("not signed by a trusted authority"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("--ca FILE"), std::string::npos) << unknown;
  const Certificate other(folder_, "other", "IP:127.0.0.1");
  EXPECT_TRUE(asking(house.port(), other.file).starts_with("tls: "));
  // the token was not sent to any host
  const Certificate elsewhere(folder_, "elsewhere", "DNS:elsewhere.example");
  const Running wrong_name(kServedBar, with(elsewhere));
  EXPECT_NE(asking(wrong_name.port(), elsewhere.file).find("issued for another name"),
            std::string::npos);
  const Certificate old(folder_, "old", "IP:127.0.0.1", -3600);
  const Running expired(kServedBar, with(old));
  EXPECT_NE(asking(expired.port(), old.file).find("expired"), std::string::npos);
}

TEST_F(Https, AndHttpSayThatTheyAreNotEachOther) {
  const Running plain(kServedBar);
  const std::string to_plain = asking(plain.port(), good_.file);
  EXPECT_TRUE(to_plain.starts_with("tls: ")) << to_plain;
  EXPECT_NE(to_plain.find("http://"), std::string::npos) << to_plain;
  const Running secure(kServedBar, with(good_));
  const httplib::Result result = secure.client().Get("/v1/health");
  ASSERT_TRUE(result) << httplib::to_string(result.error());
  EXPECT_EQ(result->status, 400);
  EXPECT_NE(result->body.find("https"), std::string::npos);
}

TEST_F(Https, LivesOnAfterBrokenAndSlowHandshakes) {
  const Running house(kServedBar, with(good_, {.request_time = 300ms, .workers = 4}));
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int k = 0; k < 8; ++k) {
    slow.push_back(std::make_unique<RawClient>(house.port()));
    slow.back()->send("\x16\x03\x01");  // the start of a handshake that does not continue
  }
  RawClient garbage(house.port());
  garbage.send("\x16\x03\x01" + std::string(500, '\x41'));
  EXPECT_EQ(asking(house.port(), good_.file), "no error");
  // a host that closes the connection during a handshake
  const ScriptedHost breaks("\x16\x03\x03");
  const std::string said = asking(std::stoi(breaks.url().substr(17)), good_.file);
  EXPECT_TRUE(said.starts_with("tls: ") || said.starts_with("agent-timeout: ")) << said;
}

TEST_F(Https, IsNotStartedWithoutItsKey) {
  const auto code = [&](const std::filesystem::path& certificate,
                        const std::filesystem::path& key) {
    PartBook book(parsed(kServedBar), nullptr);
    try {
      HttpService service(book, {.certificate = certificate, .key = key});
    } catch (const UsageError& error) {
      return error.code();
    }
    return std::string("no error");
  };
  const Certificate other(folder_, "other", "IP:127.0.0.1");
  EXPECT_EQ(code(good_.file, good_.key_file), "no error");
  EXPECT_EQ(code(good_.file, other.key_file), "tls");
  EXPECT_EQ(code(folder_ / "none.pem", good_.key_file), "tls");
  EXPECT_EQ(code(good_.key_file, good_.key_file), "tls");
  EXPECT_THROW(http_parts({.ca = folder_ / "none.pem"}), UsageError);
}

}  // namespace
}  // namespace femflex::service
