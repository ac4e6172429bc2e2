// FTP and WHOIS in whole crawls of the simulated world: what is captured of a tree of files, also by crawls that die.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SimCrawl;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

constexpr const char* kAddress = "93.184.216.34";
constexpr uint16_t kFirstDataPort = 20'000;

// A tree of files behind one FTP server, and WHOIS servers by their hosts. They outlive the deaths of those who crawl them.
class FtpWeb {
 public:
  std::map<std::string, std::string> files;  // by path; the folder of each is one
  std::map<std::string, std::string> whois;  // answers by query
  std::string greeting = "220 ready\r\n";

  Result<visit::Lane::Parts> parts(aio::SimLoop& loop, const aio::SimNetworkSettings& settings) {
    auto network = std::make_unique<aio::SimNetwork>(loop, settings);
    network->serve_rest([this, &loop](const aio::Endpoint& to) -> aio::SimServer {
      if (to.port == 21) return [this](std::unique_ptr<aio::Stream> stream) { return control(std::move(stream)); };
      if (to.port == 43) return [this](std::unique_ptr<aio::Stream> stream) { return ask(std::move(stream)); };
      return [this, &loop, port = to.port](std::unique_ptr<aio::Stream> stream) {
        return data(loop, std::move(stream), port);
      };
    });
    std::map<std::string, std::vector<std::string>> addresses;
    for (const char* host : {"ftp.test", "w1.test", "w2.test"}) addresses[host] = {kAddress};
    return visit::Lane::Parts{loop, std::move(network), dns::make_table_resolver(loop.clock(), addresses), 0};
  }

 private:
  struct Session {
    uint16_t port = 0;
    std::string folder = "/";
  };

  static aio::Task<bool> send(aio::Stream& stream, std::string text) {
    const Result<void> sent = co_await stream.write(text);
    co_return sent.has_value();
  }

  static aio::Task<Result<std::string>> line(aio::Stream& stream, std::string& received) {
    std::array<char, 256> buffer;
    while (!received.contains("\r\n")) {
      CO_TRY(const size_t got, co_await stream.read(buffer.data(), buffer.size()));
      if (got == 0) co_return fail(ErrorCode::closed, "gone");
      received.append(buffer.data(), got);
    }
    std::string one = received.substr(0, received.find("\r\n"));
    received.erase(0, one.size() + 2);
    co_return one;
  }

  aio::Task<void> control(std::unique_ptr<aio::Stream> stream) {
    Session session;
    std::string received;
    bool goes_on = co_await send(*stream, greeting);
    while (goes_on) {
      const Result<std::string> command = co_await line(*stream, received);
      if (!command) break;
      goes_on = co_await send(*stream, answer(*command, session));
    }
  }

  std::string answer(const std::string& command, Session& session) {
    const std::string verb = command.substr(0, 4), rest = command.size() > 5 ? command.substr(5) : "";
    if (verb == "USER" || verb == "TYPE") return "230 ok\r\n";
    if (verb == "EPSV") {
      session.port = next_port_++;
      return fmt::format("229 passive (|||{}|)\r\n", session.port);
    }
    if (verb == "CWD ") {
      session.folder = command.substr(4);
      return listing(session.folder).empty() ? "550 no such folder\r\n" : "250 there\r\n";
    }
    if (verb == "LIST") return transmit(session, listing(session.folder));
    if (verb != "RETR") return "502 not here\r\n";
    const auto file = files.find(rest);
    return file == files.end() ? "550 no such file\r\n" : transmit(session, file->second);
  }

  std::string transmit(const Session& session, std::string bytes) {
    waiting_[session.port] = std::move(bytes);
    return "150 here it comes\r\n226 done\r\n";
  }

  std::string listing(const std::string& folder) const {
    std::map<std::string, bool> names;
    for (const auto& [path, content] : files) {
      if (!path.starts_with(folder)) continue;
      const std::string below = path.substr(folder.size());
      names[below.substr(0, below.find('/'))] = below.contains('/');
    }
    std::string lines;
    for (const auto& [name, is_folder] : names)
      lines += fmt::format("{}rwxr-xr-x 1 ftp ftp 5 Jan 31 2020 {}\r\n", is_folder ? 'd' : '-', name);
    return lines;
  }

  // The client connects first, and says then what it wants.
  aio::Task<void> data(aio::SimLoop& loop, std::unique_ptr<aio::Stream> stream, uint16_t port) {
    for (int tries = 0; tries < 200 && !waiting_.contains(port); ++tries) co_await aio::sleep_for(loop, 10ms);
    const auto found = waiting_.find(port);
    if (found == waiting_.end()) co_return;
    const std::string bytes = found->second;
    const bool sent = co_await send(*stream, bytes);
    if (sent) waiting_.erase(port);
  }

  aio::Task<void> ask(std::unique_ptr<aio::Stream> stream) {
    std::string received;
    const Result<std::string> query = co_await line(*stream, received);
    if (!query) co_return;
    const auto found = whois.find(*query);
    const bool sent = co_await send(*stream, found == whois.end() ? "no match\r\n" : found->second);
    if (!sent) co_return;
  }

  std::map<uint16_t, std::string> waiting_;  // what is to be sent, by port
  uint16_t next_port_ = kFirstDataPort;
};

class FtpCrawlTest : public ::testing::Test {
 protected:
  static void prepare(SimCrawl& crawl, FtpWeb& web) {
    web.files = {{"/a.txt", "a"}, {"/pub/b c.html", "<a href=x/d>d</a>"}, {"/pub/x/d", std::string(100'000, 'd')}};
    crawl.make_parts = [&](aio::SimLoop& loop) { return web.parts(loop, crawl.network); };
    crawl.settings.crawl.seeds = {"ftp://ftp.test/"};
    crawl.settings.memory.hosts = 0;
  }
  static std::string file(SimCrawl& crawl, const std::string& name) {
    const std::string folder = (*collection::latest_launch(crawl.disk.files, SimCrawl::kCollection))->folder();
    return *crawl.disk.files.read_all(folder + "/" + name);
  }
  // "status url" of each line of crawl.log, look-ups of names aside.
  static std::vector<std::string> lines(SimCrawl& crawl) {
    std::vector<std::string> found;
    const std::string text = file(crawl, "logs/crawl.log");
    for (const std::string_view line : split(text, '\n')) {
      std::vector<std::string> fields;
      for (const std::string_view field : split(line, ' '))
        if (!field.empty()) fields.emplace_back(field);
      if (fields.size() > 11 && !fields[3].starts_with("dns:")) found.push_back(fields[1] + " " + fields[3]);
    }
    return found;
  }
  static std::vector<std::string> whole_tree() {
    return {"226 ftp://ftp.test/",       "226 ftp://ftp.test/a.txt",
            "226 ftp://ftp.test/pub/",   "226 ftp://ftp.test/pub/b%20c.html",
            "226 ftp://ftp.test/pub/x/", "226 ftp://ftp.test/pub/x/d"};
  }
};

TEST_F(FtpCrawlTest, ATreeIsCapturedAndNobodyAsksForARobotsTxt) {
  SimCrawl crawl(1);
  FtpWeb web;
  prepare(crawl, web);
  ASSERT_TRUE(crawl.live({}));
  EXPECT_THAT(lines(crawl), UnorderedElementsAreArray(whole_tree()));
  EXPECT_THAT(file(crawl, "reports/processors-report.csv"), HasSubstr("\nurl,fetch/ftp,6,0,0,"));
}

TEST_F(FtpCrawlTest, DeathsAndABadNetworkLoseNothing) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SimCrawl crawl(seed);
    FtpWeb web;
    prepare(crawl, web);
    crawl.network.refused = crawl.network.reset = crawl.network.stalled = 20;
    crawl.settings.politeness.url_retries = 30;
    crawl.settings.politeness.host_failures = 30;
    for (size_t events = 100; !crawl.live({.events = events, .changes = {}}); events *= 2) {
    }
    EXPECT_THAT(lines(crawl), UnorderedElementsAreArray(whole_tree())) << seed;
  }
}

TEST_F(FtpCrawlTest, AServerThatIsFullIsAskedAgain) {
  SimCrawl crawl(2);
  FtpWeb web;
  prepare(crawl, web);
  web.greeting = "421 too many users\r\n";
  crawl.settings.politeness.url_retries = 50;
  crawl.on_pulse = [&](aio::SimLoop& loop, Operator&) {
    if (loop.events() > 300) web.greeting = "220 ready\r\n";
  };
  ASSERT_TRUE(crawl.live({}));
  EXPECT_THAT(lines(crawl), UnorderedElementsAreArray(whole_tree()));
}

TEST_F(FtpCrawlTest, ARefusalIsNoCapture) {
  SimCrawl crawl(4);
  FtpWeb web;
  prepare(crawl, web);
  crawl.settings.crawl.seeds = {"ftp://ftp.test/a.txt", "ftp://ftp.test/none"};
  crawl.settings.fetch.ftp_parent = false;
  ASSERT_TRUE(crawl.live({}));
  EXPECT_THAT(lines(crawl), UnorderedElementsAre("226 ftp://ftp.test/a.txt", "550 ftp://ftp.test/none"));
  EXPECT_THAT(file(crawl, "reports/seeds-report.txt"), HasSubstr("550 NOTCRAWLED ftp://ftp.test/none "));
  EXPECT_THAT(file(crawl, "logs/ftp.jsonl"), HasSubstr("\"reply\":\"550 no such file\""));
}

TEST_F(FtpCrawlTest, AKeyThatCannotBeReadIsRefused) {
  SimCrawl crawl(5);
  FtpWeb web;
  prepare(crawl, web);
  crawl.settings.fetch.sftp_key = "/none/key";
  crawl.faulty = true;
  EXPECT_FALSE(crawl.live({}));
  EXPECT_THAT(crawl.refusal, HasSubstr("fetch.sftp-key: cannot open /none/key"));
}

TEST_F(FtpCrawlTest, AnswersOfWhoisReferToOthers) {
  SimCrawl crawl(3);
  FtpWeb web;
  prepare(crawl, web);
  crawl.settings.crawl.seeds = {"whois://w1.test/a.test"};
  crawl.settings.fetch.whois_queries = {"w2.test domain %s"};
  web.whois = {{"a.test", "refer: w2.test\r\n"}, {"domain a.test", "Whois Server: w1.test\r\n"}};
  ASSERT_TRUE(crawl.live({}));
  EXPECT_THAT(lines(crawl), ElementsAre("2001 whois://w1.test/a.test", "2001 whois://w2.test/domain%20a.test"));
}

}  // namespace
}  // namespace caddis::crawl
