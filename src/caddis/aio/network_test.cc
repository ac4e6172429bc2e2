#include "caddis/aio/network.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "caddis/aio/nursery.h"
#include "caddis/aio/test_certificate.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

using namespace std::chrono_literals;

// One loop with a network; `run` runs a task to its end.
class NetworkTest : public testing::Test {
 protected:
  SteadyTime in(Duration time) const { return loop_->clock().steady() + time; }
  void run(Task<void> task) { run_to_end(*loop_, std::move(task)); }

  std::unique_ptr<Loop> loop_ = make_loop(system_clock());
  std::unique_ptr<Network> network_ = make_network(*loop_);
};

// Sends back what it gets until the peer ends.
Task<void> echo(std::unique_ptr<Stream> stream) {
  std::string buffer(16 * 1024, '\0');
  for (;;) {
    const auto count = co_await stream->read(buffer.data(), buffer.size());
    if (!count || *count == 0) co_return;
    const auto sent = co_await stream->write(std::string_view(buffer).substr(0, *count));
    if (!sent) co_return;
  }
}

Task<void> echo_server(Listener& listener, Nursery& nursery) {
  for (;;) {
    auto stream = co_await listener.accept();
    if (!stream) co_return;
    nursery.spawn(echo(*std::move(stream)));
  }
}

Task<void> read_exactly(Stream& stream, std::string& into, size_t size) {
  const size_t end = into.size() + size;
  std::string buffer(100'000, '\0');
  while (into.size() < end) {
    const auto come = co_await stream.wait_readable();
    EXPECT_TRUE(come.has_value());
    const auto count = co_await stream.read(buffer.data(), buffer.size());
    if (!count || *count == 0) co_return;
    into.append(buffer, 0, *count);
  }
}

// Writes and reads `size` bytes at the same time, through an echo.
Task<void> exchange(Stream& stream, size_t size) {
  std::string sent(size, '\0');
  for (size_t i = 0; i < size; ++i) sent[i] = static_cast<char>(i * 7 % 251);
  std::string received;
  Nursery nursery;
  nursery.spawn(read_exactly(stream, received, size));
  const auto written = co_await stream.write(sent);
  EXPECT_TRUE(written.has_value());
  co_await nursery.join();
  EXPECT_EQ(received, sent);
}

TEST_F(NetworkTest, EchoesOverIpv4AndIpv6) {
  for (const char* address : {"127.0.0.1", "::1"}) {
    auto listener = network_->listen(Endpoint{address, 0});
    ASSERT_TRUE(listener.has_value()) << listener.error().message;
    EXPECT_NE((*listener)->local().port, 0);
    const auto body = [&]() -> Task<void> {
      Nursery nursery;
      nursery.spawn(echo_server(**listener, nursery));
      {
        const Endpoint server = (*listener)->local();
        auto stream = co_await network_->connect(server, nullptr, in(10s));
        CADDIS_CHECK(stream.has_value());
        EXPECT_EQ((*stream)->remote(), server);
        EXPECT_EQ((*stream)->tls(), nullptr);
        co_await exchange(**stream, 5);
        co_await exchange(**stream, 3'000'000);
      }
      (*listener)->close();
      co_await nursery.join();
    };
    run(body());
  }
}

TEST_F(NetworkTest, EchoesOverAUnixSocket) {
  const std::string path = testing::TempDir() + "caddis_" + std::to_string(getpid()) + ".sock";
  {
    auto dead = network_->listen_unix(path);
    ASSERT_TRUE(dead.has_value()) << dead.error().message;
    auto second = network_->listen_unix(path);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::conflict);
  }
  auto listener = network_->listen_unix(path);
  ASSERT_TRUE(listener.has_value()) << listener.error().message;
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(echo_server(**listener, nursery));
    {
      auto stream = co_await network_->connect_unix(path, in(10s));
      CADDIS_CHECK(stream.has_value());
      co_await exchange(**stream, 300'000);
    }
    (*listener)->close();
    co_await nursery.join();
    auto nobody = co_await network_->connect_unix(path, in(10s));
    EXPECT_FALSE(nobody.has_value());
  };
  run(body());
}

TEST_F(NetworkTest, ARefusedConnectionSaysSo) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  const Endpoint nobody = (*listener)->local();
  (*listener)->close();
  const auto body = [&]() -> Task<void> {
    auto stream = co_await network_->connect(nobody, nullptr, in(10s));
    EXPECT_FALSE(stream.has_value());
    EXPECT_EQ(stream.error().code, ErrorCode::io);
    EXPECT_NE(stream.error().message.find("refused"), std::string::npos) << stream.error().message;
  };
  run(body());
}

TEST_F(NetworkTest, ADeadlineEndsAReadAndWhatComesAfter) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  const auto body = [&]() -> Task<void> {
    const Endpoint server = (*listener)->local();
    auto stream = co_await network_->connect(server, nullptr, in(10s));
    CADDIS_CHECK(stream.has_value());
    char byte;
    (*stream)->set_deadline(in(1h));
    (*stream)->set_deadline(in(2ms));
    auto count = co_await (*stream)->read(&byte, 1);
    CADDIS_CHECK(!count.has_value());
    EXPECT_EQ(count.error().code, ErrorCode::timeout);
    auto written = co_await (*stream)->write("x");
    CADDIS_CHECK(!written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::timeout);
    (*stream)->set_deadline(in(1h));  // a new one brings it back
    written = co_await (*stream)->write("x");
    EXPECT_TRUE(written.has_value());
  };
  run(body());
}

TEST_F(NetworkTest, CloseEndsAWaitingReadAndAccept) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  const auto body = [&]() -> Task<void> {
    const Endpoint server = (*listener)->local();
    auto stream = co_await network_->connect(server, nullptr, in(10s));
    CADDIS_CHECK(stream.has_value());
    const auto reader = [&]() -> Task<void> {
      char byte;
      const auto count = co_await (*stream)->read(&byte, 1);
      CADDIS_CHECK(!count.has_value());
      EXPECT_EQ(count.error().code, ErrorCode::cancelled);
    };
    const auto acceptor = [&]() -> Task<void> {
      auto accepted = co_await (*listener)->accept();
      EXPECT_TRUE(accepted.has_value());
      accepted = co_await (*listener)->accept();
      CADDIS_CHECK(!accepted.has_value());
      EXPECT_EQ(accepted.error().code, ErrorCode::cancelled);
    };
    Nursery nursery;
    nursery.spawn(acceptor());
    nursery.spawn(reader());
    co_await sleep_for(*loop_, 1ms);
    (*stream)->close();
    (*listener)->close();
    co_await nursery.join();
  };
  run(body());
}

// Who waits holds no buffer, and learns of what comes, of the end and of a deadline; also of what was there already.
TEST_F(NetworkTest, WaitsUntilThereIsSomethingToRead) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  ASSERT_TRUE(listener.has_value());
  bool come = false;
  const auto wait = [&](Stream& stream) -> Task<void> {
    const auto there = co_await stream.wait_readable();
    come = there.has_value();
  };
  const auto body = [&]() -> Task<void> {
    const Endpoint server = (*listener)->local();
    auto client = co_await network_->connect(server, nullptr, in(10s));
    auto served = co_await (*listener)->accept();
    CADDIS_CHECK(client.has_value() && served.has_value());
    Nursery nursery;
    nursery.spawn(wait(**client));
    EXPECT_FALSE(come);
    const auto sent = co_await (*served)->write("hello");
    EXPECT_TRUE(sent.has_value());
    co_await nursery.join();
    EXPECT_TRUE(come);
    EXPECT_FALSE((*client)->is_quiet());
    const auto again = co_await (*client)->wait_readable();
    EXPECT_TRUE(again.has_value()) << "it is there still";
    char buffer[100];
    const auto count = co_await (*client)->read(buffer, sizeof(buffer));
    EXPECT_EQ(count, 5u);

    (*client)->set_deadline(in(10ms));
    const auto silent = co_await (*client)->wait_readable();
    EXPECT_EQ(silent.error().code, ErrorCode::timeout);
    (*client)->set_deadline(in(10s));
    served->reset();
    const auto ended = co_await (*client)->wait_readable();
    EXPECT_TRUE(ended.has_value());
    const auto end = co_await (*client)->read(buffer, sizeof(buffer));
    EXPECT_EQ(end, 0u);
    (*client)->close();
    const auto closed = co_await (*client)->wait_readable();
    EXPECT_EQ(closed.error().code, ErrorCode::cancelled);
  };
  run(body());
}

TEST_F(NetworkTest, ListenersThatCannotBeSayWhy) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  auto second = network_->listen((*listener)->local());
  ASSERT_FALSE(second.has_value());
  EXPECT_NE(second.error().message.find("127.0.0.1:"), std::string::npos);
  EXPECT_FALSE(network_->listen(Endpoint{"example.org", 80}).has_value());
  EXPECT_FALSE(network_->listen_unix(std::string(200, 'x')).has_value());
  EXPECT_FALSE(network_->listen_tls(Endpoint{"127.0.0.1", 0}, "no certificate", "no key").has_value());
}

class TlsTest : public NetworkTest {
 protected:
  // Connects to an echo server, and gives the error's code and text where that fails.
  Task<void> talk(const Endpoint& server, const TlsOptions& options, TlsInfo& info, Error& error) {
    auto stream = co_await network_->connect(server, &options, in(10s));
    if (!stream) {
      error = std::move(stream).error();
      co_return;
    }
    co_await exchange(**stream, 100);
    co_await exchange(**stream, 1'000'000);
    info = *(*stream)->tls();
  }

  const TestCertificate identity_ = make_test_certificate();
};

TEST_F(TlsTest, EchoesResumesAndRecordsWhoThePeerWas) {
  auto listener = network_->listen_tls(Endpoint{"127.0.0.1", 0}, identity_.certificate_pem, identity_.key_pem);
  ASSERT_TRUE(listener.has_value()) << listener.error().message;
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(echo_server(**listener, nursery));
    const Endpoint server = (*listener)->local();
    TlsOptions options;
    options.server_name = "caddis.test";
    TlsInfo info;
    Error error;
    error.message.clear();
    co_await talk(server, options, info, error);
    EXPECT_EQ(error.message, "");
    EXPECT_EQ(info.protocol, "tls/1.3");
    EXPECT_NE(info.cipher.find("TLS_"), std::string::npos);
    EXPECT_FALSE(info.resumed);
    EXPECT_NE(info.verify_error, "");
    co_await talk(server, options, info, error);
    EXPECT_EQ(error.message, "");
    EXPECT_TRUE(info.resumed);
    EXPECT_NE(info.verify_error, "");
    options.server_name = "other.test";
    co_await talk(server, options, info, error);
    EXPECT_FALSE(info.resumed);
    (*listener)->close();
    co_await nursery.join();
  };
  run(body());
}

TEST_F(TlsTest, UntrustedIsRefusedWhereTrustIsRequired) {
  auto listener = network_->listen_tls(Endpoint{"127.0.0.1", 0}, identity_.certificate_pem, identity_.key_pem);
  const auto body = [&]() -> Task<void> {
    Nursery nursery;
    nursery.spawn(echo_server(**listener, nursery));
    const Endpoint server = (*listener)->local();
    TlsOptions options;
    options.server_name = "caddis.test";
    options.trust = TlsTrust::strict;
    TlsInfo info;
    Error error;
    co_await talk(server, options, info, error);
    EXPECT_EQ(error.code, ErrorCode::denied);
    EXPECT_NE(error.message.find("not trusted"), std::string::npos) << error.message;
    (*listener)->close();
    co_await nursery.join();
  };
  run(body());
}

Task<void> close_at_once(Listener& listener) {
  auto stream = co_await listener.accept();
  EXPECT_TRUE(stream.has_value());
  char buffer[16];
  co_await (*stream)->read(buffer, sizeof(buffer));
}

TEST_F(TlsTest, AHandshakeThatFailsIsDeniedOrTimedOut) {
  auto plain = network_->listen(Endpoint{"127.0.0.1", 0});
  const auto body = [&]() -> Task<void> {
    const Endpoint server = (*plain)->local();
    const TlsOptions options;
    {
      Nursery nursery;
      nursery.spawn(close_at_once(**plain));
      auto stream = co_await network_->connect(server, &options, in(10s));
      CADDIS_CHECK(!stream.has_value());
      EXPECT_TRUE(stream.error().code == ErrorCode::denied || stream.error().code == ErrorCode::closed);
      co_await nursery.join();
    }
    {
      Nursery nursery;
      nursery.spawn(echo_server(**plain, nursery));  // answers a ClientHello with the same
      auto stream = co_await network_->connect(server, &options, in(10s));
      CADDIS_CHECK(!stream.has_value());
      EXPECT_EQ(stream.error().code, ErrorCode::denied);
      (*plain)->close();
      co_await nursery.join();
    }
    auto silent = network_->listen(Endpoint{"127.0.0.1", 0});
    const Endpoint hanging = (*silent)->local();
    auto stream = co_await network_->connect(hanging, &options, in(3ms));
    CADDIS_CHECK(!stream.has_value());
    EXPECT_EQ(stream.error().code, ErrorCode::timeout);
  };
  run(body());
}

// Buffers of both directions filled: the deadline ends a write too.
TEST_F(NetworkTest, ADeadlineEndsAWriteThatNobodyReads) {
  auto listener = network_->listen(Endpoint{"127.0.0.1", 0});
  const auto body = [&]() -> Task<void> {
    const Endpoint server = (*listener)->local();
    auto stream = co_await network_->connect(server, nullptr, in(10s));
    CADDIS_CHECK(stream.has_value());
    (*stream)->set_deadline(in(20ms));
    const std::string much(64'000'000, 'x');
    const auto written = co_await (*stream)->write(much);
    CADDIS_CHECK(!written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::timeout);
  };
  run(body());
}

}  // namespace
}  // namespace caddis::aio
