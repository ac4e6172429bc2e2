#include "caddis/fetch/resource_fetcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "caddis/aio/sim.h"
#include "caddis/base/fetch_status.h"
#include "caddis/io/memory_files.h"
#include "caddis/settings/sections.h"

namespace caddis::fetch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class ResourceFetcherTest : public ::testing::Test {
 protected:
  FetchOutcome fetch(std::string_view url, const http::Proxy* proxy = nullptr) {
    FetchRequest request{.url = *url::Url::parse(url), .via = {}, .address = address_, .headers = {}};
    request.proxy = proxy;
    std::optional<FetchOutcome> outcome;
    aio::Nursery nursery;
    nursery.spawn(keep(std::move(request), outcome));
    loop_.run();
    return *std::move(outcome);
  }

  aio::Task<void> keep(FetchRequest request, std::optional<FetchOutcome>& into) {
    into = co_await fetcher_.fetch(std::move(request), settings_);
  }

  // Answers each line by the reply to its first word, or by 502.
  aio::Task<void> answer(std::unique_ptr<aio::Stream> stream) {
    Result<void> sent = co_await stream->write("220 ready\r\n");
    std::array<char, 256> buffer;
    std::string received;
    while (sent) {
      const Result<size_t> got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) co_return;
      received.append(buffer.data(), *got);
      for (size_t end; sent && (end = received.find("\r\n")) != std::string::npos;) {
        lines_.push_back(received.substr(0, end));
        received.erase(0, end + 2);
        const auto known = replies_.find(lines_.back().substr(0, 4));
        const std::string reply = known == replies_.end() ? "502 not here\r\n" : known->second;
        sent = co_await stream->write(reply);
      }
    }
  }

  void serve() {
    network_.serve(aio::Endpoint(address_, 21), [this](auto stream) { return answer(std::move(stream)); });
  }

  aio::SimLoop loop_{12};
  aio::SimNetwork network_{loop_, aio::SimNetworkSettings()};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  AddressPolicy addresses_;
  protocols::HostKeys keys_;
  ResourceFetcher fetcher_{loop_, network_, spools_, keys_, &addresses_};
  FetchSettings settings_;
  std::string address_ = "93.184.216.34";
  std::map<std::string, std::string> replies_ = {
      {"USER", "331 and?\r\n"}, {"PASS", "230 in\r\n"}, {"TYPE", "200 ok\r\n"}};
  std::vector<std::string> lines_;
};

TEST_F(ResourceFetcherTest, KnowsItsSchemes) {
  for (const char* url : {"ftp://h/", "sftp://h/", "whois://h/q", "file:///x"})
    EXPECT_TRUE(ResourceFetcher::knows(*url::Url::parse(url))) << url;
  for (const char* url : {"http://h/", "https://h/", "whois:q", "file://h/x", "gopher://h/"})
    EXPECT_FALSE(ResourceFetcher::knows(*url::Url::parse(url))) << url;
}

TEST_F(ResourceFetcherTest, ConnectsNowhereElse) {
  address_ = "10.0.0.1";
  const FetchOutcome refused = fetch("ftp://h/");
  EXPECT_EQ(refused.status, status::kAddressRefused);
  EXPECT_EQ(refused.refused_address, "10.0.0.1");
  address_ = "";
  EXPECT_EQ(fetch("ftp://h/").status, status::kDomainPrerequisiteFailed);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(ResourceFetcherTest, LeavesNamesToAProxy) {
  http::Proxy proxy;
  proxy.kind = http::Proxy::Kind::socks5;
  proxy.address = aio::Endpoint("127.0.0.1", 1080);
  address_ = "";
  EXPECT_EQ(fetch("ftp://10.0.0.1/", &proxy).status, status::kAddressRefused);
  settings_.ftp_active = true;
  EXPECT_EQ(fetch("ftp://h/", &proxy).status, status::kUnfetchable);
  EXPECT_NE(fetch("whois://h/q", &proxy).status, status::kUnfetchable);
  settings_.ftp_active = false;
  const FetchOutcome nobody = fetch("ftp://h/", &proxy);
  EXPECT_EQ(nobody.status, status::kConnectFailed);
  EXPECT_THAT(nobody.error, HasSubstr("127.0.0.1"));
}

TEST_F(ResourceFetcherTest, LogsInAsTheUrlOrTheSettingsSay) {
  serve();
  settings_.ftp_user = "me";
  settings_.ftp_password = "sesame";
  const FetchOutcome own = fetch("ftp://h/a");
  EXPECT_THAT(lines_, Contains("PASS sesame"));
  EXPECT_EQ(own.withheld, "PASS");
  EXPECT_EQ(own.status, 502);
  EXPECT_FALSE(own.exchange);
  EXPECT_THAT(own.error, HasSubstr("502 not here"));
  const FetchOutcome of_url = fetch("ftp://you:a%20b@h/a;type=i");
  EXPECT_THAT(lines_, Contains("USER you"));
  EXPECT_THAT(lines_, Contains("PASS a b"));
  EXPECT_THAT(lines_, Contains("SIZE /a"));
  settings_ = FetchSettings();
  EXPECT_EQ(fetch("ftp://h/a").withheld, "");
}

TEST_F(ResourceFetcherTest, TellsWhatMayGoWellLater) {
  serve();
  replies_["USER"] = "421 too many\r\n";
  const FetchOutcome busy = fetch("ftp://h/a");
  EXPECT_EQ(busy.status, 421);
  EXPECT_TRUE(busy.is_transient);
  replies_["USER"] = "530 no\r\n";
  EXPECT_FALSE(fetch("ftp://h/a").is_transient);
}

TEST_F(ResourceFetcherTest, RefusesServersWhoseKeyNobodyKnowsIfThatIsWanted) {
  settings_.sftp_strict = true;
  EXPECT_EQ(fetch("sftp://h/a").status, status::kTlsFailed);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST(HostKeyTest, IsReadFromALine) {
  const std::string key = "SHA256:" + std::string(43, 'A');
  EXPECT_EQ(parse_host_key("h.example " + key)->server, "h.example:22");
  EXPECT_EQ(parse_host_key("h.example:2222  " + key)->server, "h.example:2222");
  EXPECT_EQ(parse_host_key("[::1] " + key)->server, "[::1]:22");
  EXPECT_EQ(parse_host_key("h.example " + key)->key, key);
  for (const char* none : {"", "h.example", "h.example SHA256:x", "h.example MD5:00"})
    EXPECT_FALSE(parse_host_key(none));
  FetchSettings settings;
  EXPECT_TRUE(settings::apply(settings, "sftp-host-keys", "h.example " + key, "--x"));
  EXPECT_FALSE(settings::apply(settings, "ftp-user", "a\r\nb", "--x"));
}

}  // namespace
}  // namespace caddis::fetch
