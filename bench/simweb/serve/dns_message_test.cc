#include "simweb/serve/dns_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/dns/message.h"
#include "simweb/serve/dns_server.h"

namespace simweb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string u16(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value & 255)}; }

std::string wire_name(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    out += static_cast<char>(label.size());
    out += label;
    name.remove_prefix(std::min(name.size(), label.size() + 1));
  }
  return out + '\0';
}

std::string query_of(std::string_view name, unsigned type, std::string_view additional = "", unsigned flags = 0x0100) {
  return u16(0x1234) + u16(flags) + u16(1) + u16(0) + u16(0) + u16(additional.empty() ? 0 : 1) + wire_name(name) +
         u16(type) + u16(1) + std::string(additional);
}

std::string edns(unsigned size) { return std::string(1, '\0') + u16(41) + u16(size) + u16(0) + u16(0) + u16(0); }

std::vector<std::string> answers(const std::string& bytes) {
  std::vector<std::string> texts;
  const auto message = caddis::dns::parse_message(bytes);
  EXPECT_TRUE(message) << message.error().message;
  if (message)
    for (const auto& record : message->answers) texts.push_back(to_string(record));
  return texts;
}

unsigned at16(const std::string& bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]) << 8 | static_cast<unsigned char>(bytes[at + 1]);
}

const std::string localhost("\x7f\0\0\1", 4);

TEST(DnsQuery, Question) {
  const auto query = parse_dns_query(query_of("WWW.Example.test", dns_type::a));
  ASSERT_TRUE(query);
  EXPECT_EQ(query->error, DnsCode::ok);
  EXPECT_EQ(query->id, 0x1234);
  EXPECT_EQ(query->name, "www.example.test");
  EXPECT_EQ(query->type, dns_type::a);
  EXPECT_EQ(query->record_class, 1);
  EXPECT_TRUE(query->recursion_desired);
  EXPECT_FALSE(query->edns);
  EXPECT_EQ(query->reply_limit, 512);
}

TEST(DnsQuery, EdnsWidensTheAnswerWithinLimits) {
  EXPECT_EQ(parse_dns_query(query_of("a.test", 1, edns(900)))->reply_limit, 900);
  EXPECT_EQ(parse_dns_query(query_of("a.test", 1, edns(65000)))->reply_limit, 1232);
  EXPECT_EQ(parse_dns_query(query_of("a.test", 1, edns(0)))->reply_limit, 512);
}

TEST(DnsQuery, BytesOutsideHostNamesAreEscaped) {
  EXPECT_EQ(parse_dns_query(query_of("a b.test", 1))->name, "a\\032b.test");
}

TEST(DnsQuery, UnanswerableMessages) {
  EXPECT_FALSE(parse_dns_query(""));
  EXPECT_FALSE(parse_dns_query(std::string(11, '\0')));
  EXPECT_FALSE(parse_dns_query(query_of("a.test", 1, "", 0x8100)));  // is itself an answer
}

TEST(DnsQuery, FaultyMessagesAreFormatErrors) {
  const std::string good = query_of("a.test", 1);
  const std::string head = good.substr(0, 12);
  const std::pair<std::string_view, std::string> faulty[] = {
      {"no question", u16(1) + u16(0x100) + u16(0) + u16(0) + u16(0) + u16(0)},
      {"two questions", u16(1) + u16(0x100) + u16(2) + u16(0) + u16(0) + u16(0) + good.substr(12) + good.substr(12)},
      {"cut in the name", good.substr(0, 15)},
      {"cut in the type", good.substr(0, good.size() - 3)},
      {"a pointer as question", head + "\xc0\x0c" + u16(1) + u16(1)},
      {"a label of 64 bytes", head + "\x40" + std::string(64, 'a') + '\0' + u16(1) + u16(1)},
      {"a name of 256 bytes", query_of(std::string(63, 'a') + "." + std::string(63, 'b') + "." + std::string(63, 'c') +
                                           "." + std::string(62, 'd'),
                                       1)},
      {"EDNS twice", good.substr(0, 10) + u16(2) + good.substr(12) + edns(900) + edns(900)},
      {"EDNS cut", query_of("a.test", 1, edns(900).substr(0, 8))},
      {"more records than can be", good.substr(0, 10) + u16(60000) + good.substr(12)},
  };
  for (const auto& [what, bytes] : faulty) {
    SCOPED_TRACE(what);
    const auto query = parse_dns_query(bytes);
    ASSERT_TRUE(query);
    EXPECT_EQ(query->error, DnsCode::format_error);
    const std::string reply = encode_dns_reply(*query, {.code = query->error});
    EXPECT_EQ(caddis::dns::parse_message(reply).value().response_code, 1);
  }
  EXPECT_EQ(parse_dns_query(query_of("a.test", 1, "", 0x2900))->error, DnsCode::not_implemented);  // an update
}

TEST(DnsQuery, TheLongestName) {
  const std::string name =
      std::string(63, 'a') + "." + std::string(63, 'b') + "." + std::string(63, 'c') + "." + std::string(61, 'd');
  EXPECT_EQ(parse_dns_query(query_of(name, 1))->name, name);
}

TEST(DnsReply, Address) {
  const auto query = parse_dns_query(query_of("Www.Example.test", 1));
  const std::string reply = encode_dns_reply(*query, {.answers = {{query->name, dns_type::a, 300, localhost}}});
  EXPECT_EQ(at16(reply, 0), 0x1234u);
  EXPECT_EQ(at16(reply, 2), 0x8580u);  // response, authoritative, recursion desired and available
  EXPECT_THAT(answers(reply), ElementsAre("Www.Example.test.\t300\tIN\tA\t127.0.0.1"));
  // Head, question, and 16 bytes: the owner is a pointer.
  EXPECT_EQ(reply.size(), 12u + 22 + 16);
}

TEST(DnsReply, ChainOfAliases) {
  const auto query = parse_dns_query(query_of("a.one.test", 1, edns(1232)));
  const std::string reply = encode_dns_reply(*query, {.answers = {{"a.one.test", dns_type::cname, 60, "b.one.test"},
                                                                  {"b.one.test", dns_type::cname, 60, "c.two.test"},
                                                                  {"c.two.test", dns_type::a, 60, localhost}}});
  EXPECT_THAT(answers(reply),
              ElementsAre("a.one.test.\t60\tIN\tCNAME\tb.one.test.", "b.one.test.\t60\tIN\tCNAME\tc.two.test.",
                          "c.two.test.\t60\tIN\tA\t127.0.0.1"));
  EXPECT_EQ(at16(reply, 10), 1u);  // EDNS answered with EDNS
}

TEST(DnsReply, NothingThereComesWithTheZonesAuthority) {
  const auto query = parse_dns_query(query_of("x.one.test", 1));
  const std::string reply =
      encode_dns_reply(*query, {.code = DnsCode::no_such_name, .zone = "one.test", .negative_ttl = 60});
  EXPECT_EQ(caddis::dns::parse_message(reply).value().response_code, 3);
  EXPECT_EQ(at16(reply, 8), 1u);
  EXPECT_NE(reply.find("hostmaster"), std::string::npos);
}

TEST(DnsReply, TooLongForItsAskerIsCut) {
  DnsReply reply;
  for (int i = 0; i < 60; ++i) reply.answers.push_back({"a.test", dns_type::a, 60, localhost});
  const std::string small = encode_dns_reply(*parse_dns_query(query_of("a.test", 1)), reply);
  EXPECT_EQ(at16(small, 2) & 0x0200u, 0x0200u);
  EXPECT_THAT(answers(small), IsEmpty());
  const std::string large = encode_dns_reply(*parse_dns_query(query_of("a.test", 1, edns(1200))), reply);
  EXPECT_EQ(at16(large, 2) & 0x0200u, 0u);
  EXPECT_EQ(answers(large).size(), 60u);
}

TEST(DnsReply, EscapedNamesAreNoTargetOfPointers) {
  const auto query = parse_dns_query(query_of("a b.test", 1));
  const std::string reply = encode_dns_reply(*query, {.answers = {{query->name, dns_type::cname, 1, "c.test"}}});
  EXPECT_THAT(answers(reply), ElementsAre("a\\032b.test.\t1\tIN\tCNAME\tc.test."));
}

// What the server says about each kind of host and each type of question.
TEST(DnsServerReply, HostsOfTheWorld) {
  const World world(*profile("test"));
  std::array<int, 5> seen{};
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    const std::string name = world.host_name(id);
    SCOPED_TRACE(name);
    const auto query = parse_dns_query(query_of(name, dns_type::a));
    const auto reply = dns_reply(world, *query);
    ++seen[static_cast<size_t>(host.dns)];
    if (host.dns == Dns::timeout) {
      EXPECT_FALSE(reply);
      continue;
    }
    ASSERT_TRUE(reply);
    const auto message = caddis::dns::parse_message(encode_dns_reply(*query, *reply)).value();
    EXPECT_EQ(message.response_code, host.dns == Dns::servfail ? 2 : host.dns == Dns::nxdomain ? 3 : 0);
    const size_t aliases = host.dns == Dns::cname ? host.cnames : 0;
    ASSERT_EQ(message.answers.size(), host.resolves() ? aliases + 1 : 0);
    for (size_t i = 0; i < message.answers.size(); ++i) {
      EXPECT_EQ(message.answers[i].name, i == 0 ? name + "." : message.answers[i - 1].data);
      EXPECT_EQ(message.answers[i].ttl, host.ttl);
    }
    if (!host.resolves()) continue;
    EXPECT_TRUE(message.answers.back().data.starts_with("127."));
    const auto other = dns_reply(world, *parse_dns_query(query_of(name, dns_type::aaaa)));
    EXPECT_EQ(other->code, DnsCode::ok);
    EXPECT_EQ(other->answers.size(), aliases);
    EXPECT_NE(other->zone, "");
  }
  for (const int count : seen) EXPECT_GT(count, 0);
  EXPECT_EQ(dns_reply(world, *parse_dns_query(query_of("www.example.org", 1)))->code, DnsCode::no_such_name);
  EXPECT_EQ(dns_reply(world, *parse_dns_query(query_of("", 1)))->code, DnsCode::no_such_name);
  auto chaos = *parse_dns_query(query_of("h0.s0.test", 1));
  chaos.record_class = 3;
  EXPECT_EQ(dns_reply(world, chaos)->code, DnsCode::refused);
}

}  // namespace
}  // namespace simweb
