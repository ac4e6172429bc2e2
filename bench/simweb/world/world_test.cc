#include "simweb/world/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "caddis/extract/extract.h"
#include "caddis/io/chunked.h"
#include "caddis/io/content_codec.h"
#include "caddis/io/digest.h"
#include "caddis/robots/robots.h"

namespace simweb {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

WebSettings test_settings() { return *profile("test"); }

std::string body_of(const Answer& answer) {
  std::string body;
  for (const std::string_view piece : answer.body) body += piece;
  return body;
}

std::string header(const Answer& answer, std::string_view name) {
  const size_t at = answer.head.find("\r\n" + std::string(name) + ": ");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 4;
  return answer.head.substr(begin, answer.head.find("\r\n", begin) - begin);
}

std::string path(const PageRef& page) {
  std::string text;
  World::append_target(text, page);
  return text;
}

// The page's entity as a client reads it that asks without gzip.
std::string plain_entity(const World& world, const HostFacts& host, const PageRef& page) {
  Answer answer;
  world.entity({.host = host.id, .page = page, .attempt = 9, .accepts_gzip = false}, answer);
  return body_of(answer);
}

template <class Each>
void for_each_page(const World& world, Each&& each) {
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    for (uint64_t number = 0; number < host.pages; ++number) each(host, world.page(host, number));
  }
}

// Of each kind the first page of an open host.
std::map<Kind, std::pair<HostFacts, PageRef>> samples(const World& world) {
  std::map<Kind, std::pair<HostFacts, PageRef>> found;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) { found.try_emplace(page.kind, host, page); });
  return found;
}

// A host with what `wanted` says.
template <class Wanted>
HostFacts find_host(const World& world, Wanted&& wanted) {
  for (HostId id = 0; id < world.hosts(); ++id)
    if (const HostFacts host = world.host(id); wanted(host)) return host;
  ADD_FAILURE() << "no such host";
  return world.host(0);
}

TEST(Settings, AreSetByName) {
  WebSettings settings;
  ASSERT_TRUE(set(settings, "hosts=100000000"));
  ASSERT_TRUE(set(settings, "gzip=0.25"));
  ASSERT_TRUE(set(settings, "seed=999999999999999999"));
  EXPECT_EQ(settings.hosts, 100'000'000U);
  EXPECT_EQ(settings.gzip, 0.25);
  EXPECT_EQ(settings.seed, 999'999'999'999'999'999U);
  EXPECT_THAT(set(settings, "host=3").error().message, HasSubstr("did you mean hosts?"));
  EXPECT_THAT(set(settings, "gzip=1.5").error().message, HasSubstr("from 0 to 1"));
  EXPECT_THAT(set(settings, "hosts=0").error().message, HasSubstr("from 1"));
  EXPECT_THAT(set(settings, "pages=1.5").error().message, HasSubstr("whole number"));
  EXPECT_THAT(set(settings, "gzip").error().message, HasSubstr("name=value"));
  EXPECT_FALSE(set(settings, "gzip="));
  EXPECT_FALSE(set(settings, "product=a b"));
}

TEST(Settings, ProfilesAreValidAndTheirRowsReadBack) {
  for (const std::string& name : profile_names()) {
    const WebSettings settings = *profile(name);
    EXPECT_TRUE(validate(settings)) << name;
    WebSettings copy;
    for (const SettingRow& row : rows(settings))
      EXPECT_TRUE(set(copy, std::string(row.name) + "=" + row.value)) << row.name;
    const auto again = rows(copy), before = rows(settings);
    for (size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].value, before[i].value) << again[i].name;
  }
  EXPECT_FALSE(profile("htp-100k"));
  WebSettings settings;
  settings.not_found = 0.95;
  EXPECT_FALSE(validate(settings));
}

TEST(Host, NamesCarryTheNumber) {
  WebSettings settings = test_settings();
  settings.hosts = 100'000'000;
  const World world(settings);
  for (const HostId id : {0UL, 1UL, 35UL, 36UL, 12345UL, 99'999'999UL}) {
    const std::string name = world.host_name(id);
    ASSERT_TRUE(world.host_of(name)) << name;
    EXPECT_EQ(world.host_of(name)->id, id);
  }
  EXPECT_EQ(world.host_name(12345), "h9ix.s2dq.test");
  EXPECT_EQ(world.host_of("H9IX.S2DQ.TEST.")->id, 12345U);
  for (const char* name :
       {"", ".", "h", "test", "h9ix.s2dr.test", "h09ix.s2dq.test", "h9ix.s2dq.tes", "x.h9ix.s2dq.test",
        "h9ix.s2dq.test..", "h1njchs.s0.test", "hzzzzzzzzzzzzzzzz.s0.test", "www.example.com"})
    EXPECT_FALSE(world.host_of(name)) << name;
}

TEST(Host, WildcardsExistWhereTrapsAre) {
  const World world(test_settings());
  const HostFacts with = find_host(world, [](const HostFacts& host) { return host.traps && host.open(); });
  const HostFacts without = find_host(world, [](const HostFacts& host) { return !host.traps; });
  const auto named = world.host_of("wzz." + world.host_name(with.id));
  ASSERT_TRUE(named);
  EXPECT_TRUE(named->wildcard);
  EXPECT_EQ(named->subdomain, 35U * 36 + 35);
  EXPECT_FALSE(world.host_of("wzz." + world.host_name(without.id)));
  EXPECT_EQ(world.resolve("wzz." + world.host_name(without.id)).outcome, Dns::nxdomain);
  EXPECT_EQ(world.resolve("wzz." + world.host_name(with.id)).address, with.address);
}

TEST(Host, DnsFollowsChains) {
  const World world(test_settings());
  const HostFacts host = find_host(world, [](const HostFacts& h) { return h.cnames >= 2; });
  const std::string name = world.host_name(host.id);
  const DnsFacts whole = world.resolve(name);
  EXPECT_EQ(whole.outcome, Dns::cname);
  ASSERT_EQ(whole.cnames.size(), host.cnames);
  EXPECT_EQ(whole.cnames[0], "c1." + name);
  EXPECT_EQ(whole.address, host.address);
  EXPECT_GE(whole.ttl, 1U);
  EXPECT_EQ(world.resolve(whole.cnames[0]).cnames.size(), host.cnames - 1U);
  EXPECT_EQ(world.resolve(whole.cnames.back()).outcome, Dns::ok);
  EXPECT_EQ(world.resolve("c9." + name).outcome, Dns::nxdomain);
  EXPECT_FALSE(world.host_of(whole.cnames[0])) << "no name to be asked for pages";
  for (const Dns failure : {Dns::nxdomain, Dns::servfail, Dns::timeout}) {
    const HostFacts bad = find_host(world, [&](const HostFacts& h) { return h.dns == failure; });
    EXPECT_EQ(world.resolve(world.host_name(bad.id)).outcome, failure);
  }
}

TEST(Host, AddressesAreLoopbackAndShared) {
  WebSettings settings = *profile("hosts-1m");
  settings.dead_host = 0.01;
  const World world(settings);
  std::map<uint32_t, int> sharing;
  for (HostId id = 0; id < world.hosts(); id += 97) {
    const HostFacts host = world.host(id);
    EXPECT_EQ(host.address >> 24, 127U);
    EXPECT_EQ(World::is_dead_address(host.address), host.reach == Reach::dead);
    if (host.reach != Reach::dead)
      EXPECT_EQ(host.address,
                world.host(id % 250'000).reach == Reach::dead ? host.address : world.host(id % 250'000).address);
  }
}

TEST(Host, PagesAddUpToWhatWasAsked) {
  for (const char* name : {"http-100k", "test", "hosts-1m"}) {
    WebSettings settings = *profile(name);
    if (settings.hosts > 50'000) settings.hosts /= 20, settings.pages /= 20;
    settings.dns_nxdomain = settings.dns_servfail = settings.dns_timeout = settings.dead_host = 0;
    settings.robots_unavailable = settings.robots_disallow_all = 0;
    const World world(settings);
    double pages = 0;
    for (HostId id = 0; id < world.hosts(); ++id) pages += static_cast<double>(world.host(id).pages);
    EXPECT_NEAR(pages / static_cast<double>(settings.pages), 1, 0.03) << name;
  }
}

// So that whoever tests against this profile meets everything.
std::set<std::string_view> all_there(const World& world) {
  std::set<std::string_view> found;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    found.insert({to_string(page.kind), to_string(host.dns), to_string(host.reach), to_string(host.robots)});
    if (host.open() && host.sitemap) found.insert("sitemap");
    if (host.open() && host.traps) found.insert(host.https ? "https trap" : "http trap");
  });
  return found;
}

TEST(Profile, TestHasEverything) {
  std::set<std::string_view> expected = {"sitemap", "https trap", "http trap"};
  for (int kind = 0; is_numbered(static_cast<Kind>(kind)); ++kind) expected.insert(to_string(static_cast<Kind>(kind)));
  for (const Dns dns : {Dns::ok, Dns::cname, Dns::nxdomain, Dns::servfail, Dns::timeout})
    expected.insert(to_string(dns));
  for (const Reach reach : {Reach::normal, Reach::slow, Reach::dead}) expected.insert(to_string(reach));
  for (int robots = 0; robots <= static_cast<int>(Robots::disallow_all); ++robots)
    expected.insert(to_string(static_cast<Robots>(robots)));
  EXPECT_EQ(all_there(World(test_settings())), expected);
}

TEST(Page, TargetsReadBack) {
  const World world(test_settings());
  const auto reads_back = [&](const HostFacts& host, const PageRef& page) {
    EXPECT_EQ(world.route(host, {.id = host.id}, path(page)), page) << path(page);
  };
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    reads_back(host, page);
    const Kind step = page.kind == Kind::redirect_chain ? Kind::chain_step : Kind::loop_step;
    for (uint32_t part = 1; part <= world.steps(host, page); ++part) reads_back(host, {step, page.number, part});
  });
  const HostFacts traps = find_host(world, [](const HostFacts& h) { return h.traps && h.open(); });
  for (const PageRef page :
       {PageRef{Kind::trap_calendar, 322}, PageRef{Kind::trap_calendar, 9}, PageRef{Kind::trap_session, 7, 0xDEADBEEF},
        PageRef{Kind::trap_path, 11}, PageRef{Kind::trap_shop, 0xF3A1}, PageRef{Kind::trap_missing, 12345}})
    reads_back(traps, page);
  EXPECT_EQ(path({Kind::trap_calendar, 322}), "/t/cal/2026-11");
  EXPECT_EQ(world.route(traps, {.id = traps.id, .wildcard = true, .subdomain = 5}, "/"), (PageRef{Kind::trap_host, 5}));
  EXPECT_EQ(world.route(traps, {.id = traps.id}, "/t/old/anything?x").kind, Kind::trap_missing);
  const HostFacts host = world.host(0);
  for (const char* target : {"", "x", "/d1/p0.html", "/d7/p07.html", "/d7/p99999999.html", "/p1", "/d7/p7.html?x", "//",
                             "/d1/p18446744073709551616.html", "/t/nothing", "/sitemap-99.xml"})
    EXPECT_EQ(world.route(host, {}, target).kind, Kind::unknown) << target;
}

TEST(Page, EverythingHangsOnTheSeed) {
  for (const uint64_t hosts : {1, 10, 60, 300}) {
    WebSettings settings = test_settings();
    settings.mean_links = 5;
    settings.hosts = hosts;
    settings.pages = hosts * 15;
    settings.zipf = 1.1;
    settings.trap_host = 0;
    const World world(settings);
    std::set<std::tuple<HostId, Kind, uint64_t, uint32_t>> found;
    std::vector<Link> queue = {{0, world.page(world.host(0), 0)}};
    const auto add = [&](const Link& link) {
      if (found.emplace(link.host, link.page.kind, link.page.number, link.page.part).second) queue.push_back(link);
    };
    add(queue.back());
    while (!queue.empty()) {
      const Link at = queue.back();
      queue.pop_back();
      const HostFacts host = world.host(at.host);
      if (!host.open()) EXPECT_EQ(at.page.number, 0U) << "only the home page of a closed host is linked";
      if (!host.open() || !World::allowed(host, at.page)) continue;
      for (const Link& link : world.links(host, at.page)) {
        ASSERT_LT(link.host, hosts);
        add(link);
      }
    }
    for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
      EXPECT_TRUE(found.contains({host.id, page.kind, page.number, 0})) << world.url(host, page);
      const Kind step = page.kind == Kind::redirect_chain ? Kind::chain_step : Kind::loop_step;
      for (uint32_t part = 1; part <= world.steps(host, page); ++part)
        EXPECT_TRUE(found.contains({host.id, step, page.number, part}));
    });
  }
}

// The links in the bytes of a page, found by the crawler's own extraction, are those that the world speaks of.
TEST(Page, LinksStandInTheBytes) {
  const World world(test_settings());
  const auto compare = [&](const HostFacts& host, const PageRef& page) {
    std::set<std::string> told, read;
    for (const Link& link : world.links(host, page)) told.insert(world.url(world.host(link.host), link.page));
    Answer answer;
    world.respond({.host = host.id, .page = page, .attempt = 9, .accepts_gzip = false}, answer);
    const std::string body = plain_entity(world, host, page), url = world.url(host, page);
    const std::string type = header(answer, "Content-Type"), location = header(answer, "Location");
    std::vector<caddis::extract::HeaderField> fields;
    if (!location.empty()) fields.emplace_back("Location", location);
    const auto extracted = caddis::extract::extract(
        {.url = url, .content_type = type, .body = body, .status = answer.status, .fields = fields}, {});
    for (const auto& link : extracted.links)
      if (!link.url().ends_with("/favicon.ico")) read.emplace(link.url());
    EXPECT_EQ(read, told) << url;
  };
  int count = 0;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    if (page.kind == Kind::gzip_bomb || !host.open()) return;
    if (page.number < 3 || page.kind != Kind::html || page.number % 10 == 0) compare(host, page), ++count;
  });
  EXPECT_GT(count, 300);
  const HostFacts sitemap = find_host(world, [](const HostFacts& h) { return h.sitemap && h.open(); });
  compare(sitemap, {Kind::sitemap_index});
  compare(sitemap, {Kind::sitemap, 0});
  const HostFacts traps = find_host(world, [](const HostFacts& h) { return h.traps && h.open(); });
  for (const PageRef page : {PageRef{Kind::trap_calendar, 322}, PageRef{Kind::trap_path, 11},
                             PageRef{Kind::trap_shop, 0xF3A1}, PageRef{Kind::trap_missing, 12345}})
    compare(traps, page);
}

TEST(Robots, SayWhatTheWorldMeans) {
  const World world(test_settings());
  std::set<Robots> seen;
  for (HostId id = 0; id < world.hosts(); ++id) {
    const HostFacts host = world.host(id);
    if (host.robots == Robots::none || host.robots == Robots::unavailable) continue;
    seen.insert(host.robots);
    const PageRef page{host.robots == Robots::redirect ? Kind::robots_target : Kind::robots};
    const std::string text = plain_entity(world, host, page);
    EXPECT_LE(text.size(), 500U << 10);
    const auto file = caddis::robots::Robots::parse(text);
    for (uint64_t number = 0; number < host.pages; ++number) {
      const PageRef asked = world.page(host, number);
      EXPECT_EQ(file.verdict("caddis", path(asked)).allowed, World::allowed(host, asked)) << path(asked);
      EXPECT_EQ(World::allowed(host, path(asked)), World::allowed(host, asked)) << path(asked);
    }
    for (const char* target : {"/private", "/privateer", "/private-open/x", "/x?print=", "/x?a=1&print=1", "/"})
      EXPECT_EQ(file.verdict("caddis", target).allowed, World::allowed(host, target)) << target;
    if (host.robots == Robots::named) EXPECT_FALSE(file.verdict("other", "/").allowed);
    const auto delay = file.crawl_delay("caddis");
    EXPECT_EQ(delay ? *delay / std::chrono::milliseconds(1) : 0, host.crawl_delay);
  }
  EXPECT_EQ(seen.size(), 7U);
}

TEST(Answer, FramesAndCodesTheSameEntity) {
  WebSettings settings = test_settings();
  settings.bomb_size = 5'000'000;
  const World world(settings);
  int gzipped = 0, chunked = 0;
  Answer answer, entity;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    if (page.number % 3 != 0 && page.kind == Kind::html) return;
    const Request request{.host = host.id, .page = page, .attempt = 9};
    world.respond(request, answer);
    world.entity(request, entity);
    const std::string wire = body_of(answer), coded = body_of(entity);
    EXPECT_EQ(wire.size(), answer.body_size);
    if (answer.chunked && !answer.head.empty()) {
      EXPECT_EQ(header(answer, "Transfer-Encoding"), "chunked");
      std::string bytes;
      caddis::io::ChunkedDecoder decoder;
      decoder.feed(wire, [&](std::string_view piece) { bytes += piece; });
      EXPECT_TRUE(decoder.done());
      EXPECT_EQ(decoder.consumed(), wire.size());
      EXPECT_EQ(bytes, coded);
      ++chunked;
    } else if (!answer.chunked) {
      EXPECT_EQ(wire, coded);
      if (answer.transfer == Transfer::whole && page.kind != Kind::bad_head && page.kind != Kind::length_short)
        EXPECT_EQ(header(answer, "Content-Length"), std::to_string(wire.size()));
    }
    EXPECT_EQ(answer.gzip, header(answer, "Content-Encoding") == "gzip");
    if (answer.gzip) {
      const caddis::io::Decoded plain = caddis::io::decode_content(coded, "gzip", 20'000'000);
      ASSERT_TRUE(plain.complete) << plain.problem;
      EXPECT_EQ(plain.bytes, plain_entity(world, host, page));
      ++gzipped;
    }
  });
  EXPECT_GT(gzipped, 200);
  EXPECT_GT(chunked, 200);
}

TEST(Answer, IsTheSameForEver) {
  const World world(test_settings());
  const std::string home = plain_entity(world, world.host(0), world.page(world.host(0), 0));
  EXPECT_EQ(caddis::io::sha1_base32(home), "NS2JTGL4G7A7YOOM5UOPEIQNMPWPRLMY");
  Answer one, two;
  world.respond({.host = 3, .page = world.page(world.host(3), 5)}, one);
  World(test_settings()).respond({.host = 3, .page = world.page(world.host(3), 5)}, two);
  EXPECT_EQ(one.head + body_of(one), two.head + body_of(two));
}

TEST(Answer, SizesAndSharesAreThoseOfTheSettings) {
  WebSettings settings = *profile("small-20k");
  settings.hosts = 4;
  settings.pages = 4000;
  const World world(settings);
  double size = 0, html = 0, all = 0, gzip = 0, chunked = 0, links = 0;
  std::map<std::string, int> bodies;
  std::map<Kind, double> kinds;
  Answer answer;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    ++all;
    ++kinds[page.kind];
    if (page.kind != Kind::html) return;
    world.respond({.host = host.id, .page = page}, answer);
    gzip += answer.gzip;
    chunked += answer.chunked;
    world.entity({.host = host.id, .page = page, .accepts_gzip = false}, answer);
    ++html;
    size += static_cast<double>(answer.body_size);
    links += static_cast<double>(world.links(host, page).size());
    ++bodies[caddis::io::sha1(body_of(answer))];
  });
  EXPECT_NEAR(size / html, 20'000, 2000);
  EXPECT_NEAR(links / html, 60, 5);
  EXPECT_NEAR(gzip / html, 0.6, 0.03);
  EXPECT_NEAR(chunked / html, 0.4, 0.03);
  EXPECT_NEAR(1 - static_cast<double>(bodies.size()) / html, 0.05, 0.01);
  EXPECT_NEAR(kinds[Kind::image] / all, 0.09, 0.02);
  EXPECT_NEAR(kinds[Kind::not_found] / all, 0.02, 0.01);
}

TEST(Answer, MisbehavesAsItsKindSays) {
  const World world(test_settings());
  auto sample = samples(world);
  Answer answer;
  const auto ask = [&](Kind kind, uint32_t attempt = 0) -> const Answer& {
    EXPECT_TRUE(sample.contains(kind)) << to_string(kind);
    const auto& [host, page] = sample[kind];
    world.respond({.host = host.id, .page = page, .attempt = attempt}, answer);
    return answer;
  };
  EXPECT_EQ(ask(Kind::not_found).status, 404);
  EXPECT_EQ(ask(Kind::server_error).status, 500);
  for (const Kind kind : {Kind::too_many, Kind::unavailable}) {
    const uint32_t refusals = world.refusals(sample[kind].first, sample[kind].second);
    EXPECT_EQ(ask(kind, refusals - 1).status, kind == Kind::too_many ? 429 : 503);
    EXPECT_EQ(header(answer, "Retry-After"), "1");
    EXPECT_EQ(ask(kind, refusals).status, 200);
  }
  EXPECT_EQ(ask(Kind::redirect).status / 100, 3);
  EXPECT_THAT(header(answer, "Location"), testing::AnyOf(StartsWith("/"), StartsWith("http")));
  EXPECT_GT(std::stoull(header(ask(Kind::length_long), "Content-Length")), answer.cut);
  EXPECT_EQ(answer.transfer, Transfer::cut);
  EXPECT_LT(std::stoull(header(ask(Kind::length_short), "Content-Length")), answer.body_size);
  EXPECT_EQ(ask(Kind::truncated).transfer, Transfer::cut);
  EXPECT_LT(answer.cut, answer.body_size);
  EXPECT_EQ(ask(Kind::reset).transfer, Transfer::reset);
  EXPECT_EQ(ask(Kind::hang).transfer, Transfer::hang);
  EXPECT_EQ(ask(Kind::drip).transfer, Transfer::drip);
  EXPECT_GT(answer.drip_bytes, 0U);
  EXPECT_EQ(ask(Kind::endless).transfer, Transfer::endless);
  EXPECT_EQ(header(answer, "Content-Length"), "");
  EXPECT_GT(ask(Kind::huge_head).head.size(), 200'000U);
  EXPECT_TRUE(ask(Kind::bad_head).close);
  EXPECT_LT(ask(Kind::gzip_bomb).body_size, 200'000U);
  EXPECT_THAT(header(ask(Kind::charset_conflict), "Content-Type"), HasSubstr("iso-8859-5"));
}

TEST(Answer, RedirectsArrive) {
  const World world(test_settings());
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) {
    if (page.kind != Kind::redirect_chain && page.kind != Kind::redirect_loop) return;
    PageRef at = page;
    uint32_t hops = 0;
    do {
      at = world.links(host, at).front().page;
      ++hops;
    } while (at.kind == Kind::chain_step || at.kind == Kind::loop_step);
    EXPECT_EQ(hops, world.steps(host, page) + 1);
    EXPECT_EQ(at == page, page.kind == Kind::redirect_loop);
  });
}

TEST(Answer, ValidatorsAreHonoured) {
  const World world(test_settings());
  Answer answer;
  const PageRef page = world.page(world.host(0), 1);
  world.respond({.host = 0, .page = page}, answer);
  const std::string tag = header(answer, "ETag");
  ASSERT_FALSE(tag.empty());
  world.respond({.host = 0, .page = page, .if_none_match = tag}, answer);
  EXPECT_EQ(answer.status, 304);
  EXPECT_TRUE(answer.body.empty());
  world.respond({.host = 0, .page = page, .if_none_match = "\"other\""}, answer);
  EXPECT_EQ(answer.status, 200);
}

TEST(Answer, FeedsChangeWithTheWindow) {
  const World world(test_settings());
  const auto [host, page] = samples(world)[Kind::feed];
  Answer now, later;
  world.respond({.host = host.id, .page = page, .window = 7}, now);
  world.respond({.host = host.id, .page = page, .window = 8}, later);
  EXPECT_NE(header(now, "ETag"), header(later, "ETag"));
  EXPECT_EQ(header(now, "X-Window"), "7");
  EXPECT_NE(body_of(now), body_of(later));
  world.respond({.host = host.id, .page = page, .window = 8, .if_none_match = header(now, "ETag")}, later);
  EXPECT_EQ(later.status, 200);
}

TEST(Mass, AddsUpWhereAllHostsAreOpen) {
  WebSettings settings = *profile("small-20k");
  settings.hosts = 200;
  settings.pages = 5000;
  const World world(settings);
  double sum = 0;
  for_each_page(world, [&](const HostFacts& host, const PageRef& page) { sum += world.mass(host, page); });
  EXPECT_NEAR(sum, 1, 0.01);
}

}  // namespace
}  // namespace simweb
