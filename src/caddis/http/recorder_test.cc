#include "caddis/http/recorder.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

namespace caddis::http {
namespace {

using End = ResponseRecorder::End;
using Kind = Framing::Kind;

struct World {
  io::MemoryFiles files;
  io::SpoolFolder folder{files, "spool"};
};

// Records `bytes`, given in pieces that end where `cut` says.
FetchResult record(World& world, std::string_view bytes, End end, const Limits& limits = {},
                   size_t piece = std::string::npos, std::string_view method = "GET") {
  ResponseRecorder recorder(world.folder, limits, method);
  // By turns fed, and put where the recorder wants to have them.
  for (bool fed = true; !bytes.empty() && recorder.wants_more(); fed = !fed) {
    const std::span<char> place = fed ? std::span<char>() : recorder.place();
    const size_t count = std::min({piece, bytes.size(), place.empty() ? bytes.size() : place.size()});
    if (place.empty()) {
      EXPECT_TRUE(recorder.feed(bytes.substr(0, count)));
    } else {
      bytes.copy(place.data(), count);
      recorder.fed_in_place(count);
    }
    bytes.remove_prefix(count);
  }
  return recorder.finish(recorder.wants_more() ? end : End::complete, "reset");
}

std::string stored(const Exchange& exchange) { return *exchange.response.to_string(1 << 24); }

struct Case {
  const char* what;
  std::string bytes;
  End end;
  size_t surplus;  // bytes at the end that do not belong to the response
  Truncated truncated;
  std::string payload;
  bool keep_alive;
  bool problem;
  const char* method = "GET";
};

const std::vector<Case>& cases() {
  static const std::string h = "HTTP/1.1 200 OK\r\n";
  static const std::vector<Case> all = {
      {"length", h + "Content-Length: 5\r\n\r\nhello", End::closed, 0, Truncated::none, "hello", true, false},
      {"length, nothing", h + "Content-Length: 0\r\n\r\n", End::closed, 0, Truncated::none, "", true, false},
      {"length, cut", h + "Content-Length: 9\r\n\r\nhello", End::closed, 0, Truncated::disconnect, "hello", false,
       false},
      {"length, reset", h + "Content-Length: 9\r\n\r\nhello", End::broken, 0, Truncated::disconnect, "hello", false,
       false},
      {"length, silence", h + "Content-Length: 9\r\n\r\nhello", End::timeout, 0, Truncated::time, "hello", false,
       false},
      {"to the end", h + "\r\nhello", End::closed, 0, Truncated::none, "hello", false, false},
      {"to the end, reset", h + "\r\nhello", End::broken, 0, Truncated::disconnect, "hello", false, false},
      {"to the end, silence", h + "\r\nhello", End::timeout, 0, Truncated::time, "hello", false, false},
      {"chunked", h + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nT: u\r\n\r\n", End::closed, 0,
       Truncated::none, "hello", true, false},
      {"chunked, nothing", h + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", End::closed, 0, Truncated::none, "", true,
       false},
      {"chunked, cut", h + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n", End::closed, 0, Truncated::disconnect,
       "hel", false, false},
      {"chunked, cut in the trailer", h + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n0\r\n", End::closed, 0,
       Truncated::none, "hel", false, false},
      {"chunked, then broken", h + "Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nzz\r\nmore", End::closed, 0,
       Truncated::none, "hel", false, true},
      {"chunked, nothing, cut in the trailer", h + "Transfer-Encoding: chunked\r\n\r\n0\r\nT: u", End::closed, 0,
       Truncated::none, "", false, false},
      {"chunked by the second of two fields",
       h + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n0\r\n\r\n", End::closed, 0,
       Truncated::none, "hel", true, false},
      {"not chunked at all", h + "Transfer-Encoding: chunked\r\n\r\n<html>\r\nhello", End::closed, 0, Truncated::none,
       "<html>\r\nhello", false, true},
      {"a short body, not chunked", h + "Transfer-Encoding: chunked\r\n\r\nhello", End::closed, 0, Truncated::none,
       "hello", false, true},
      {"a short body, perhaps chunked", h + "Transfer-Encoding: chunked\r\n\r\nadded", End::closed, 0,
       Truncated::disconnect, "added", false, false},
      {"two lengths", h + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nhello", End::closed, 0, Truncated::none,
       "hello", false, true},
      {"no body by method", h + "Content-Length: 5\r\n\r\n", End::closed, 0, Truncated::none, "", true, false, "HEAD"},
      {"no body by status", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", End::closed, 0, Truncated::none,
       "", true, false},
      {"a head without end", h + "Location: /x", End::closed, 0, Truncated::disconnect, "", false, false},
      {"the 1990s", "HTTP 200 Document follows\nServer: NCSA/1.5.1\n\nhello", End::closed, 0, Truncated::none, "hello",
       false, false},
  };
  return all;
}

TEST(RecorderTest, StoresExactlyWhatCameHoweverItIsCut) {
  World world;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.what);
    const std::string body = c.bytes.substr(std::min(c.bytes.find("\n\n") + 2, c.bytes.find("\r\n\r\n") + 4));
    for (size_t piece = 1; piece <= c.bytes.size(); ++piece) {
      const auto result = record(world, c.bytes, c.end, {}, piece, c.method);
      ASSERT_TRUE(result) << result.error().error.message;
      EXPECT_EQ(stored(*result), c.bytes);
      EXPECT_EQ(result->head.raw(), c.bytes.substr(0, result->head_size));
      EXPECT_EQ(result->truncated, c.truncated);
      EXPECT_EQ(result->framing.keep_alive, c.keep_alive);
      EXPECT_EQ(!result->problem.empty(), c.problem) << result->problem;
      EXPECT_EQ(result->block_digest, io::sha1(c.bytes));
      EXPECT_EQ(result->payload_digest, io::sha1(c.payload));
      EXPECT_EQ(result->payload_size, c.payload.size());
      // What a reader of the body makes of it is what was digested.
      const std::string received = c.bytes.substr(result->head_size);
      EXPECT_EQ(result->payload_is_body ? received : io::dechunk(received).bytes, c.payload);
    }
  }
}

// What is wrong is said once, however long the server goes on.
TEST(RecorderTest, SaysOnceWhatIsWrong) {
  World world;
  std::string endless = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n0\r\n";
  for (size_t i = 0; i < 40'000; ++i) endless += "X-Trailer: one\r\n";
  const auto result = record(world, endless, End::closed, {}, 1000);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->problem.starts_with("an endless trailer")) << result->problem;
  EXPECT_EQ(result->problem.find(';'), std::string::npos) << result->problem;
  EXPECT_EQ(stored(*result), endless);
}

// What readers of archives take for the body is what is digested; what is the body is read as such all the same.
TEST(RecorderTest, DigestsWhatReadersFindBehindABlankLine) {
  World world;
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n";
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
  struct Blank {
    std::string before;  // what readers take for the head
    std::string rest;
    std::string body;
  };
  const std::vector<Blank> all = {
      {"\r\n", head + "\r\nhello", "hello"},
      {"\r\n", "\r\n" + head + "\r\nhello", "hello"},
      {"\n", "\n\n" + head + "\r\nhello", "hello"},
      {" \t\r\n", head + "\r\nhello", "hello"},
      {"\r\n", chunked + "\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "hello"},
      {head + " \r\n", "A: b\r\n\r\nhello", "hello"},
      {head + "A: b\r\n\t\r\n", "\r\nhello", "hello"},
      {"\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n", ""},
  };
  for (const Blank& c : all) {
    const std::string bytes = c.before + c.rest;
    SCOPED_TRACE(bytes);
    for (size_t piece = 1; piece <= bytes.size(); ++piece) {
      const auto result = record(world, bytes, End::closed, {}, piece);
      ASSERT_TRUE(result) << result.error().error.message;
      EXPECT_EQ(stored(*result), bytes);
      EXPECT_EQ(result->head_size_for_readers, c.before.size());
      EXPECT_EQ(result->payload_digest, io::sha1(c.rest));
      EXPECT_EQ(result->payload_size, c.body.size());
      EXPECT_TRUE(result->problem.starts_with("a blank line before the end of the head")) << result->problem;
      EXPECT_EQ(result->truncated, Truncated::none);
      const std::string received = bytes.substr(result->head_size);
      EXPECT_EQ(result->payload_is_body ? received : io::dechunk(received).bytes, c.body);
    }
  }
}

// What a server announces is not taken for true, and costs no memory.
TEST(RecorderTest, KeepsWhatCameOfALengthThatNoBodyHas) {
  for (const std::string length : {"9223372036854775807", "9223372036854775808", "18446744073709551615",
                                   "18446744073709551616", "99999999999999999999999", "1125899906842625"}) {
    World world;
    const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\nhello";
    for (const size_t piece : {bytes.size(), size_t{3}}) {
      const auto result = record(world, bytes, End::closed, {}, piece);
      ASSERT_TRUE(result) << result.error().error.message;
      EXPECT_EQ(stored(*result), bytes);
      EXPECT_EQ(result->payload_digest, io::sha1("hello"));
      EXPECT_EQ(result->truncated, Truncated::none) << length;
      EXPECT_EQ(result->problem, "Content-Length '" + length + "' is more than any body has");
      EXPECT_FALSE(result->framing.keep_alive);
    }
  }
  World world;
  ResponseRecorder recorder(world.folder, {}, "GET");
  ASSERT_TRUE(recorder.feed("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"));
  EXPECT_LE(world.folder.memory_used(), 70'000u);
}

// Responses that stall hold no more memory together than there is for them.
TEST(RecorderTest, StaysWithinTheMemoryOfAllResponses) {
  World world;
  io::SpoolFolder folder(world.files, "spool", 2'000'000);
  const std::string body(500'000, 'b');
  for (const std::string framing : {"Content-Length: 500001\r\n", ""}) {
    const std::string head = "HTTP/1.1 200 OK\r\n" + framing + "\r\n";
    std::vector<std::unique_ptr<ResponseRecorder>> visits;
    for (int i = 0; i < 50; ++i) {
      visits.push_back(std::make_unique<ResponseRecorder>(folder, Limits{}, "GET"));
      std::string_view bytes = body;
      ASSERT_TRUE(visits.back()->feed(head));
      while (!bytes.empty()) {
        const std::span<char> place = visits.back()->place();
        const size_t count = std::min(bytes.size(), place.empty() ? 10'000 : place.size());
        if (place.empty()) {
          ASSERT_TRUE(visits.back()->feed(bytes.substr(0, count)));
        } else {
          bytes.copy(place.data(), count);
          visits.back()->fed_in_place(count);
        }
        bytes.remove_prefix(count);
      }
      EXPECT_LE(folder.memory_used(), 2'000'000u);
    }
    EXPECT_GT(folder.memory_used(), 1'000'000u);
    for (const auto& visit : visits) {
      const auto result = visit->finish(End::timeout);
      ASSERT_TRUE(result);
      EXPECT_EQ(stored(*result), head + body);
      EXPECT_EQ(result->block_digest, io::sha1(head + body));
    }
    visits.clear();
    EXPECT_EQ(folder.memory_used(), 0u);
  }
}

TEST(RecorderTest, LeavesTheNextResponseAlone) {
  World world;
  const std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  const auto result = record(world, bytes + "HTTP/1.1 500 Smuggled\r\n\r\n", End::closed);
  ASSERT_TRUE(result);
  EXPECT_EQ(stored(*result), bytes);
  EXPECT_EQ(result->problem, "25 bytes behind the end of the response");
  EXPECT_FALSE(result->framing.keep_alive);
  EXPECT_EQ(result->truncated, Truncated::none);
}

// However the end of the body arrives: fed, or where it is stored, with room for more in memory or with none.
TEST(RecorderTest, NoticesWhatComesWithTheLastBytes) {
  World world;
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", body(500, 'b'), more(90, 'm');
  const std::string bytes = head + body + more;
  for (const size_t memory : {size_t{100}, head.size() + body.size(), head.size() + body.size() + 20, size_t{100'000}})
    for (const bool in_place : {false, true}) {
      ResponseRecorder recorder(world.folder, Limits{.memory = memory}, "GET");
      ASSERT_TRUE(recorder.feed(head + "b"));
      std::string_view rest = std::string_view(bytes).substr(head.size() + 1);
      while (recorder.wants_more()) {
        const std::span<char> place = in_place ? recorder.place() : std::span<char>();
        const std::string_view now = rest.substr(0, place.empty() ? rest.size() : place.size());
        rest.remove_prefix(now.size());
        if (place.empty()) {
          ASSERT_TRUE(recorder.feed(now));
        } else {
          now.copy(place.data(), now.size());
          recorder.fed_in_place(now.size());
        }
      }
      const auto result = recorder.finish(End::complete);
      ASSERT_TRUE(result);
      EXPECT_EQ(stored(*result), head + body);
      EXPECT_EQ(result->block_digest, io::sha1(head + body));
      EXPECT_EQ(result->payload_digest, io::sha1(body));
      EXPECT_TRUE(result->problem.ends_with("bytes behind the end of the response")) << memory << result->problem;
      EXPECT_FALSE(result->framing.keep_alive) << memory;
    }
}

TEST(RecorderTest, KeepsInterimHeadsApart) {
  World world;
  const std::string interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const std::string bytes = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno";
  for (size_t piece = 1; piece < 120; ++piece) {
    const auto result = record(world, interim + bytes, End::closed, {}, piece);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->interim, interim);
    EXPECT_EQ(stored(*result), bytes);
    EXPECT_EQ(result->head.status(), 404);
    EXPECT_TRUE(result->framing.keep_alive);
  }
  std::string endless;
  for (int i = 0; i < 100; ++i) endless += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(record(world, endless, End::closed).error().at, Failure::At::protocol);
}

TEST(RecorderTest, CutsAtTheSizeLimit) {
  World world;
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const Limits limits = {.max_body = 4};
  for (const std::string& framing : {"", "Content-Length: 9\r\n", "Transfer-Encoding: chunked\r\n"}) {
    for (size_t piece = 1; piece < 60; ++piece) {
      const std::string bytes = head + framing + "\r\n9\r\nmiddle of it";
      const auto result = record(world, bytes, End::closed, limits, piece);
      ASSERT_TRUE(result);
      EXPECT_EQ(result->truncated, Truncated::length);
      EXPECT_EQ(stored(*result), bytes.substr(0, result->head_size + 4));
      EXPECT_FALSE(result->framing.keep_alive);
      EXPECT_EQ(result->problem, "") << "the rest of it is no flaw of the server's";
    }
  }
  // A body that just fits is whole.
  EXPECT_EQ(record(world, head + "\r\nfour", End::closed, limits)->truncated, Truncated::none);
  EXPECT_TRUE(record(world, head + "Content-Length: 4\r\n\r\nfour", End::closed, limits)->framing.keep_alive);
}

TEST(RecorderTest, TakesABodyThatIsNotChunkedAsItIs) {
  World world;
  const std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<p>all in one line</p>";
  for (size_t piece = 1; piece < 20; ++piece) {
    const auto result = record(world, bytes, End::closed, {}, piece);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->truncated, Truncated::none);
    EXPECT_EQ(stored(*result), bytes);
    EXPECT_EQ(result->problem, "no chunk size at byte 0 of the chunked body");
    EXPECT_TRUE(result->payload_is_body);
  }
}

TEST(RecorderTest, KeepsTheFrontOfAHugeHead) {
  World world;
  const Limits limits = {.max_head = 100};
  std::string bytes = "HTTP/1.1 200 OK\r\nA: ";
  bytes.append(1000, 'x');
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{99}, size_t{100}, size_t{101}, size_t{2000}}) {
    const auto result = record(world, bytes, End::closed, limits, piece);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->truncated, Truncated::head);
    EXPECT_EQ(stored(*result), bytes.substr(0, 100));
    EXPECT_EQ(result->head.status(), 200);
  }
}

TEST(RecorderTest, SaysWhyThereIsNoResponse) {
  World world;
  struct None {
    const char* bytes;
    End end;
    Failure::At at;
    ErrorCode code;
  };
  for (const None& n : {
           None{"", End::closed, Failure::At::response, ErrorCode::closed},
           None{"", End::timeout, Failure::At::response, ErrorCode::timeout},
           None{"", End::broken, Failure::At::response, ErrorCode::closed},
           None{"HTTP/1.1 20", End::closed, Failure::At::response, ErrorCode::closed},
           None{"HTTP/1.1 200 OK\r\nA:", End::broken, Failure::At::response, ErrorCode::closed},
           None{"HTTP/1.1 200 OK\r\nA:", End::timeout, Failure::At::response, ErrorCode::timeout},
           None{"HTTP/1.1 100 Continue\r\n\r\n", End::closed, Failure::At::response, ErrorCode::closed},
           None{"HTTP/1.1 100 Continue\r\n", End::closed, Failure::At::response, ErrorCode::closed},
           None{"SSH-2.0-OpenSSH_9.2p1\r\n", End::timeout, Failure::At::protocol, ErrorCode::parse},
           None{"<html>", End::closed, Failure::At::protocol, ErrorCode::parse},
           None{"HTTP/1.1 OK\r\n\r\n", End::closed, Failure::At::protocol, ErrorCode::parse},
       }) {
    const auto result = record(world, n.bytes, n.end);
    ASSERT_FALSE(result) << n.bytes;
    EXPECT_EQ(result.error().at, n.at) << n.bytes;
    EXPECT_EQ(result.error().error.code, n.code) << n.bytes;
  }
}

TEST(RecorderTest, SpoolsLargeBodies) {
  World world;
  std::string bytes = "HTTP/1.1 200 OK\r\n\r\n";
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 7);
  const auto result = record(world, bytes, End::closed, Limits{.memory = 1000}, 777);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->response.in_memory());
  EXPECT_EQ(stored(*result), bytes);
  EXPECT_EQ(result->block_digest, io::sha1(bytes));
}

// The beginning of a body that came along with the head is no part of the response, and no fault of it.
TEST(ResponseRecorder, EndsBehindTheHeadIfTheBodyIsNotWanted) {
  for (const std::string& framing :
       {std::string("Content-Length: 5\r\n"), std::string("Transfer-Encoding: chunked\r\n"), std::string()}) {
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n" + framing + "\r\n";
    for (const size_t piece : {size_t{1}, head.size(), head.size() + 2, std::string::npos}) {
      World world;
      int asked = 0;
      Limits limits;
      limits.wants_body = [&](const ResponseHead& of, int64_t length) {
        ++asked;
        EXPECT_EQ(length, framing.contains("Length") ? 5 : -1);
        return of.find("content-type") != "video/mp4";
      };
      const auto result = record(world, "HTTP/1.1 103 Early\r\n\r\n" + head + "hello", End::closed, limits, piece);
      ASSERT_TRUE(result);
      EXPECT_EQ(asked, 1);
      EXPECT_EQ(stored(*result), head);
      EXPECT_EQ(result->truncated, Truncated::unwanted);
      EXPECT_EQ(result->payload_size, 0u);
      EXPECT_EQ(result->problem, "");
      EXPECT_FALSE(result->framing.keep_alive);
    }
  }
}

TEST(ResponseRecorder, AsksAboutNoBodyThatIsNotThere) {
  World world;
  Limits limits;
  limits.wants_body = [](const ResponseHead&, int64_t) { return false; };
  const auto empty = record(world, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", End::closed, limits);
  EXPECT_EQ(empty->truncated, Truncated::none);
  EXPECT_TRUE(empty->framing.keep_alive);
  EXPECT_EQ(record(world, "HTTP/1.1 304 Not Modified\r\n\r\n", End::closed, limits)->truncated, Truncated::none);
}

}  // namespace
}  // namespace caddis::http
