// Transfers in the simulated network: servers that play a script, also such as mean harm.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "caddis/aio/sim.h"
#include "caddis/base/fetch_status.h"
#include "caddis/io/memory_files.h"
#include "caddis/protocols/ftp_client.h"
#include "caddis/protocols/whois.h"

namespace caddis::protocols {
namespace {

using aio::Endpoint;
using At = http::Failure::At;
using Listing = http::Resource::Listing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kServer = "192.0.2.1";
constexpr uint16_t kPort = 21, kDataPort = 50'000;

// What an FTP server says; a test changes what it is about.
struct Script {
  std::string greeting = "220 ready\r\n";
  std::map<std::string, std::string> replies = {
      {"USER anonymous", "331 your mail address\r\n"},
      {"PASS a@b", "230-Be welcome\r\n 230 here\r\n230 in\r\n"},
      {"TYPE I", "200 ok\r\n"},
      {"EPSV", fmt::format("229 passive (|||{}|)\r\n", kDataPort)},
      {"FEAT", "211-Features\r\n MLST type*;\r\n211 End\r\n"},
  };
  std::string data = "the document";
  std::string begun = "150 here it comes\r\n", ended = "226 done\r\n";
  bool serves_data = true;
  bool closes_data = true;
};

class TransferTest : public ::testing::Test {
 protected:
  TransferResult ftp(std::string path, Script script, bool is_active = false) {
    script_ = std::move(script);
    network_.serve(Endpoint(kServer, kPort), [this](auto stream) { return control(std::move(stream)); });
    if (script_.serves_data)
      network_.serve(Endpoint(kServer, kDataPort), [this](auto stream) { return data(std::move(stream)); });
    Transfer made = transfer(std::move(path), kPort);
    FtpClient client(wires_, spools_);
    return run(client.fetch(std::move(made), is_active));
  }

  Transfer transfer(std::string path, uint16_t port) {
    Transfer made;
    made.server = Endpoint(kServer, port);
    made.path = std::move(path);
    made.user = user_;
    made.password = "a@b";
    made.is_secret = user_ != "anonymous";
    made.limits = limits_;
    made.refusal = refusal_;
    made.ticket = 7;
    made.name = "ftp.example";
    made.proxy = proxy_;
    return made;
  }

  TransferResult run(aio::Task<TransferResult> task) {
    std::optional<TransferResult> result;
    aio::Nursery nursery;
    nursery.spawn(keep(std::move(task), result));
    loop_.run();
    return *std::move(result);
  }

  static aio::Task<void> keep(aio::Task<TransferResult> task, std::optional<TransferResult>& into) {
    into = co_await std::move(task);
  }

  static aio::Task<bool> send(aio::Stream& stream, std::string text) {
    const Result<void> sent = co_await stream.write(text);
    co_return sent.has_value();
  }

  aio::Task<void> control(std::unique_ptr<aio::Stream> stream) {
    const bool greeted = co_await send(*stream, script_.greeting);
    std::string received;
    std::array<char, 512> buffer;
    while (greeted) {
      const Result<size_t> got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) break;
      received.append(buffer.data(), *got);
      for (size_t end; (end = received.find("\r\n")) != std::string::npos;) {
        commands_.push_back(received.substr(0, end));
        received.erase(0, end + 2);
        const bool answered = co_await answer(*stream, commands_.back());
        if (!answered) co_return;
      }
    }
  }

  aio::Task<bool> answer(aio::Stream& stream, std::string command) {
    if (command == "QUIT") co_return false;
    if (const auto found = script_.replies.find(command); found != script_.replies.end())
      co_return co_await send(stream, found->second);
    if (command.starts_with("EPRT")) {
      const size_t port = command.rfind('|', command.size() - 2);
      active_ = Endpoint("127.0.0.1", static_cast<uint16_t>(std::stoi(command.substr(port + 1))));
      co_return co_await send(stream, "200 ok\r\n");
    }
    const std::string verb = command.substr(0, 4);
    if (verb != "RETR" && verb != "LIST" && verb != "MLSD" && verb != "NLST")
      co_return co_await send(stream, "502 not here\r\n");
    const bool begun = co_await send(stream, script_.begun);
    if (!begun) co_return false;
    if (active_) {
      auto made = co_await network_.connect(*active_, nullptr, SteadyTime::max());
      if (made) co_await data(*std::move(made));
    }
    co_return co_await send(stream, script_.ended);
  }

  aio::Task<void> data(std::unique_ptr<aio::Stream> stream) {
    ++data_connections_;
    const bool sent = co_await send(*stream, script_.data);
    if (!sent || script_.closes_data) co_return;
    std::array<char, 16> buffer;
    const Result<size_t> end = co_await stream->read(buffer.data(), buffer.size());
    EXPECT_TRUE(!end || *end == 0);
  }

  // A proxy that leads to the server of the script, after `refusals_` answers that refuse.
  aio::Task<void> lead(std::unique_ptr<aio::Stream> stream) {
    std::string head;
    std::array<char, 512> buffer;
    while (!head.ends_with("\r\n\r\n")) {
      const Result<size_t> got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) co_return;
      head.append(buffer.data(), *got);
    }
    asked_of_proxy_.push_back(head);
    if (refusals_ > 0) {
      --refusals_;
      co_await send(*stream, "HTTP/1.1 403 Not there\r\nContent-Length: 0\r\n\r\n");
      co_return;
    }
    const bool led = co_await send(*stream, "HTTP/1.1 200 Led\r\nVia: us\r\n\r\n");
    if (!led) co_return;
    if (head.starts_with("CONNECT ftp.example:21 "))
      co_await control(std::move(stream));
    else
      co_await data(std::move(stream));
  }

  static std::string text(const TransferResult& result) {
    if (!result) return "no document: " + result.error().error.message;
    return *result->response.to_string(1 << 20);
  }

  aio::SimLoop loop_{4711};
  aio::SimNetwork network_{loop_, aio::SimNetworkSettings()};
  io::MemoryFiles files_;
  io::SpoolFolder spools_{files_, "spool"};
  Wires wires_{loop_, network_};
  Script script_;
  http::Limits limits_;
  std::string user_ = "anonymous";
  std::function<std::optional<std::string>(const Endpoint&)> refusal_;
  http::Proxy made_proxy_{.address = Endpoint("192.0.2.9", 3128), .authorization = "Basic bWU6d29yZA=="};
  const http::Proxy* proxy_ = nullptr;
  std::vector<std::string> asked_of_proxy_;
  int refusals_ = 0;
  std::vector<std::string> commands_;
  std::optional<Endpoint> active_;
  int data_connections_ = 0;
};

TEST_F(TransferTest, FetchesADocument) {
  Script script;
  script.replies["SIZE /pub/a b.html"] = "213 12\r\n";
  script.replies["MDTM /pub/a b.html"] = "213 20200131123059\r\n";
  const TransferResult result = ftp("/pub/a b.html", script);
  ASSERT_EQ(text(result), "the document");
  EXPECT_EQ(result->resource->status, 226);
  EXPECT_EQ(result->resource->reply, "226 done");
  EXPECT_EQ(result->resource->listing, Listing::none);
  EXPECT_EQ(result->resource->conversation,
            "* connected to 192.0.2.1 port 21\r\n< 220 ready\r\n> USER anonymous\r\n< 331 your mail address\r\n"
            "> PASS a@b\r\n< 230-Be welcome\r\n<  230 here\r\n< 230 in\r\n> TYPE I\r\n< 200 ok\r\n"
            "> SIZE /pub/a b.html\r\n< 213 12\r\n> MDTM /pub/a b.html\r\n< 213 20200131123059\r\n> EPSV\r\n"
            "< 229 passive (|||50000|)\r\n> RETR /pub/a b.html\r\n< 150 here it comes\r\n"
            "* data connection with port 50000\r\n< 226 done\r\n> QUIT\r\n");
  EXPECT_EQ(result->head.find("content-type"), "text/html");
  EXPECT_EQ(result->head_size, 0u);
  EXPECT_EQ(io::digest_label(result->payload_digest), io::digest_label(io::sha1("the document")));
  EXPECT_EQ(result->block_digest, result->payload_digest);
  EXPECT_EQ(result->truncated, http::Truncated::none);
  EXPECT_EQ(result->problem, "");
  EXPECT_EQ(result->remote.address, kServer);
  EXPECT_GE(result->timings.finished, result->timings.first_byte);
  EXPECT_GT(result->timings.first_byte, result->timings.connected);
  EXPECT_GT(wires_.received(), 12u);
}

// The proxy looks the name up, and leads to the port for data, too.
TEST_F(TransferTest, GoesThroughAProxy) {
  proxy_ = &made_proxy_;
  network_.serve(made_proxy_.address, [this](auto stream) { return lead(std::move(stream)); });
  refusal_ = [](const Endpoint&) { return "nobody may connect there"; };
  const TransferResult result = ftp("/pub/a.html", Script());
  ASSERT_EQ(text(result), "the document");
  EXPECT_THAT(asked_of_proxy_, ElementsAre("CONNECT ftp.example:21 HTTP/1.1\r\nHost: ftp.example:21\r\n"
                                           "Proxy-Authorization: Basic bWU6d29yZA==\r\n\r\n",
                                           StartsWith("CONNECT ftp.example:50000 ")));
  EXPECT_THAT(result->resource->conversation, StartsWith("* connected to ftp.example port 21 through a proxy\r\n"));
  EXPECT_THAT(result->resource->conversation, HasSubstr("* data connection with port 50000\r\n"));
  EXPECT_THAT(result->resource->conversation, Not(HasSubstr("bWU6d29yZA")));
}

TEST_F(TransferTest, SaysThatAProxyLeadsNowhere) {
  proxy_ = &made_proxy_;
  network_.serve(made_proxy_.address, [this](auto stream) { return lead(std::move(stream)); });
  refusals_ = 1;
  const TransferResult result = ftp("/pub/a.html", Script());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, At::proxy);
  EXPECT_EQ(result.error().error.message, "the proxy gave no tunnel to ftp.example:21: 403 Not there");
}

TEST_F(TransferTest, ListsAFolder) {
  Script script;
  script.replies["CWD /pub/"] = "250 there\r\n";
  script.data = "type=file; a\r\n";
  const TransferResult result = ftp("/pub/", script);
  EXPECT_EQ(text(result), "type=file; a\r\n");
  EXPECT_EQ(result->resource->listing, Listing::mlsd);
  EXPECT_EQ(result->head.find("content-type"), "text/plain");
  EXPECT_THAT(commands_, Contains("MLSD"));
}

TEST_F(TransferTest, ListsByNamesIfNobodyUnderstandsTheLines) {
  Script script;
  script.replies["CWD /"] = "250 there\r\n";
  script.replies["FEAT"] = "500 what?\r\n";
  script.data = "a.txt\r\n";
  const TransferResult result = ftp("/", script);
  ASSERT_EQ(text(result), "a.txt\r\n");
  EXPECT_EQ(result->resource->listing, Listing::nlst);
  EXPECT_THAT(commands_, Contains("LIST"));
  EXPECT_EQ(data_connections_, 2);
}

TEST_F(TransferTest, AFolderWithoutASlashIsListed) {
  Script script;
  script.replies["RETR /pub"] = "550 /pub: not a plain file\r\n";
  script.replies["CWD /pub"] = "250 there\r\n";
  script.data = "type=dir; a\r\n";
  const TransferResult result = ftp("/pub", script);
  ASSERT_EQ(text(result), "type=dir; a\r\n");
  EXPECT_EQ(result->resource->listing, Listing::mlsd);
}

TEST_F(TransferTest, TellsWhatTheServerRefuses) {
  Script missing;
  missing.replies["RETR /none"] = "550 no such file\r\n";
  missing.replies["CWD /none"] = "550 no such folder\r\n";
  const TransferResult none = ftp("/none", missing);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, 550);
  EXPECT_FALSE(none.error().is_transient);
  EXPECT_EQ(none.error().error.message, "550 no such file");
  Script full;
  full.greeting = "421 too many users\r\n";
  const TransferResult busy = ftp("/a", full);
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().status, 421);
  EXPECT_TRUE(busy.error().is_transient);
  Script closed;
  closed.replies["PASS a@b"] = "530 not you\r\n";
  EXPECT_EQ(ftp("/a", closed).error().status, 530);
  Script account;
  account.replies["PASS a@b"] = "332 and your account\r\n";
  EXPECT_EQ(ftp("/a", account).error().status, 530);
}

TEST_F(TransferTest, PasswordsStandInNoRecord) {
  user_ = "me";
  Script script;
  script.replies["USER me"] = "331 and?\r\n";
  const TransferResult result = ftp("/a", script);
  ASSERT_EQ(text(result), "the document");
  EXPECT_THAT(commands_, Contains("PASS a@b"));
  EXPECT_THAT(result->resource->conversation, Not(HasSubstr("a@b")));
  EXPECT_THAT(result->resource->conversation, HasSubstr("> PASS (not recorded)\r\n"));
}

TEST_F(TransferTest, DataComesFromTheServerThatWasAsked) {
  Script script;
  script.replies["EPSV"] = "500 what?\r\n";
  script.replies["PASV"] = fmt::format("227 passive (198,51,100,9,{},{})\r\n", kDataPort / 256, kDataPort % 256);
  ASSERT_EQ(text(ftp("/a", script)), "the document");
  EXPECT_EQ(data_connections_, 1);
  refusal_ = [](const Endpoint& to) { return to.port == kDataPort ? std::optional("not there") : std::nullopt; };
  const TransferResult refused = ftp("/a", script);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, status::kAddressRefused);
  EXPECT_EQ(refused.error().refused_address, kServer);
  EXPECT_EQ(data_connections_, 1);
}

// In the simulated world everybody connects from one address, which is not the server's (tests/e2e/ftp_test.py has one
// that is).
TEST_F(TransferTest, WhoIsNotTheServerGivesNoData) {
  const TransferResult result = ftp("/a", Script(), true);
  EXPECT_THAT(commands_, Contains(StartsWith("EPRT |1|127.0.0.1|")));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, At::connect);
  EXPECT_EQ(result.error().error.code, ErrorCode::timeout);
}

TEST_F(TransferTest, CutsWhatIsTooLong) {
  limits_.max_body = 3;
  const TransferResult result = ftp("/a", Script());
  ASSERT_EQ(text(result), "the");
  EXPECT_EQ(result->truncated, http::Truncated::length);
}

TEST_F(TransferTest, KnowsWhatIsNotWhole) {
  Script broken;
  broken.ended = "426 the disk is gone\r\n";
  const TransferResult cut = ftp("/a", broken);
  ASSERT_EQ(text(cut), "the document");
  EXPECT_EQ(cut->truncated, http::Truncated::disconnect);
  EXPECT_EQ(cut->problem, "426 the disk is gone");
  Script less;
  less.replies["SIZE /a"] = "213 999\r\n";
  const TransferResult part = ftp("/a", less);
  ASSERT_EQ(text(part), "the document");
  EXPECT_EQ(part->truncated, http::Truncated::disconnect);
  EXPECT_EQ(part->problem, "12 bytes came of 999");
  Script silent;
  silent.ended = "";
  const TransferResult open = ftp("/a", silent);
  ASSERT_EQ(text(open), "the document");
  EXPECT_EQ(open->truncated, http::Truncated::none);
  EXPECT_THAT(open->problem, StartsWith("the FTP server has not said whether this is all"));
}

TEST_F(TransferTest, SilenceEndsIt) {
  Script mute;
  mute.greeting = "";
  const TransferResult result = ftp("/a", mute);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().error.code, ErrorCode::timeout);
  EXPECT_EQ(result.error().at, At::response);
  Script stalled;
  stalled.closes_data = false;
  const TransferResult cut = ftp("/a", stalled);
  ASSERT_EQ(text(cut), "the document");
  EXPECT_EQ(cut->truncated, http::Truncated::time);
  Script empty = stalled;
  empty.data = "";
  EXPECT_EQ(ftp("/a", empty).error().error.code, ErrorCode::timeout);
}

TEST_F(TransferTest, ADataConnectionThatNeverComesIsAFailure) {
  Script script;
  script.serves_data = false;
  const TransferResult result = ftp("/a", script);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, At::connect);
}

TEST_F(TransferTest, EndlessWordsAreCut) {
  Script banner;
  banner.greeting = "220-";
  for (int i = 0; i < 5000; ++i) banner.greeting += "and more\r\n";
  EXPECT_EQ(ftp("/a", banner).error().at, At::protocol);
  Script line;
  line.greeting = "220 " + std::string(1 << 20, 'x');
  EXPECT_EQ(ftp("/a", line).error().at, At::protocol);
  Script patience;
  patience.greeting.clear();
  for (int i = 0; i < 5000; ++i) patience.greeting += "120 soon\r\n";
  EXPECT_EQ(ftp("/a", patience).error().at, At::protocol);
  Script http;
  http.greeting = "HTTP/1.1 400 Bad Request\r\n";
  EXPECT_EQ(ftp("/a", http).error().at, At::protocol);
}

TEST_F(TransferTest, RefusesLineEndsInWords) {
  const TransferResult result = ftp("/a\r\nDELE /b", Script());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().status, status::kUnfetchable);
  EXPECT_EQ(network_.connections(), 0u);
}

TEST_F(TransferTest, IsEndedFromOutside) {
  Script stalled;
  stalled.closes_data = false;
  limits_.silence = std::chrono::hours(1);
  loop_.at(loop_.clock().steady() + std::chrono::seconds(5), [this] { wires_.end(7); });
  const TransferResult result = ftp("/a", stalled);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().error.code, ErrorCode::cancelled);
  wires_.abort();
  EXPECT_EQ(ftp("/a", Script()).error().error.code, ErrorCode::cancelled);
}

TEST_F(TransferTest, AsksWhois) {
  std::string asked;
  network_.serve(Endpoint(kServer, 43), [&](std::unique_ptr<aio::Stream> stream) -> aio::Task<void> {
    std::array<char, 64> buffer;
    while (!asked.ends_with("\r\n")) {
      const Result<size_t> got = co_await stream->read(buffer.data(), buffer.size());
      if (!got || *got == 0) co_return;
      asked.append(buffer.data(), *got);
    }
    const bool sent = co_await send(*stream, "refer: whois.nic.example\r\n");
    EXPECT_TRUE(sent);
  });
  WhoisClient client(wires_, spools_);
  const TransferResult result = run(client.fetch(transfer("domain a.example", 43)));
  EXPECT_EQ(asked, "domain a.example\r\n");
  ASSERT_EQ(text(result), "refer: whois.nic.example\r\n");
  EXPECT_EQ(result->resource->status, status::kWhoisOk);
  EXPECT_EQ(result->head.find("content-type"), "text/plain");
  EXPECT_EQ(run(client.fetch(transfer("", 43))).error().status, status::kUnfetchable);
}

TEST_F(TransferTest, AnEmptyAnswerOfWhoisIsNone) {
  network_.serve(Endpoint(kServer, 43), [](std::unique_ptr<aio::Stream>) -> aio::Task<void> { co_return; });
  WhoisClient client(wires_, spools_);
  const TransferResult result = run(client.fetch(transfer("a.example", 43)));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().at, At::response);
}

}  // namespace
}  // namespace caddis::protocols
