#include "caddis/scope/scope.h"

#include <gtest/gtest.h>

#include <thread>

#include "caddis/settings/sections.h"

namespace caddis::scope {
namespace {

url::Url parsed(std::string_view text) { return url::Url::parse(text).value(); }

std::unique_ptr<Scope> make(ScopeSettings settings,
                            const std::vector<std::string>& seeds = {"https://www.example.co.uk/docs/start.html"}) {
  std::vector<url::Url> urls;
  for (const std::string& seed : seeds) urls.push_back(parsed(seed));
  return Scope::create(settings, urls).value();
}

// "+rule" for accepted, "-rule" for rejected.
std::string decide(const Scope& scope, std::string_view text, std::string_view hops = "L", bool is_seed = false) {
  const url::Url url = parsed(text);
  const Decision decision = scope.decide({.url = url, .hop_path = hops, .is_seed = is_seed});
  return (decision.accepted ? "+" : "-") + std::string(decision.rule);
}

TEST(Scope, KindsWiden) {
  struct Case {
    std::string_view url, page, prefix, host, domain, any;
  };
  const std::string_view out = "-out-of-scope";
  const Case cases[] = {
      {"https://www.example.co.uk/docs/start.html#top", "+page", "+prefix", "+host", "+domain", "+any"},
      {"https://www.example.co.uk/docs/a/b?c=d", out, "+prefix", "+host", "+domain", "+any"},
      {"http://www.example.co.uk/docs/", out, "+prefix", "+host", "+domain", "+any"},
      {"https://www.example.co.uk/docs", out, out, "+host", "+domain", "+any"},
      {"https://www.example.co.uk:8443/docs/", out, out, out, "+domain", "+any"},
      {"https://static.example.co.uk/", out, out, out, "+domain", "+any"},
      {"https://example.co.uk/", out, out, out, "+domain", "+any"},
      {"https://notexample.co.uk/", out, out, out, out, "+any"},
      {"https://www.example.co.uk.evil.net/", out, out, out, out, "+any"},
  };
  const auto page = make({.kind = ScopeKind::page}), prefix = make({.kind = ScopeKind::prefix}),
             host = make({.kind = ScopeKind::host}), domain = make({.kind = ScopeKind::domain}),
             any = make({.kind = ScopeKind::any});
  for (const Case& c : cases) {
    EXPECT_EQ(decide(*page, c.url), c.page) << c.url;
    EXPECT_EQ(decide(*prefix, c.url), c.prefix) << c.url;
    EXPECT_EQ(decide(*host, c.url), c.host) << c.url;
    EXPECT_EQ(decide(*domain, c.url), c.domain) << c.url;
    EXPECT_EQ(decide(*any, c.url), c.any) << c.url;
  }
}

// Files of this machine have no host: the folder of the seed is meant, by whatever kind.
TEST(Scope, FilesGoByTheFolderOfTheirSeed) {
  for (const ScopeKind kind : {ScopeKind::prefix, ScopeKind::host, ScopeKind::domain}) {
    const auto scope = make({.kind = kind}, {"file:///srv/site/index.html", "https://www.example.org/"});
    EXPECT_EQ(decide(*scope, "file:///srv/site/sub/a.html").front(), '+');
    EXPECT_EQ(decide(*scope, "file:///srv/site/").front(), '+');
    EXPECT_EQ(decide(*scope, "file:///srv/sites").front(), '-');
    EXPECT_EQ(decide(*scope, "file:///srv/").front(), '-');
    EXPECT_EQ(decide(*scope, "https://www.example.org/x").front(), '+');
    EXPECT_EQ(decide(*scope, "https://other.example.net/srv/site/").front(), '-');
  }
  const auto page = make({.kind = ScopeKind::page}, {"file:///srv/site/index.html"});
  EXPECT_EQ(decide(*page, "file:///srv/site/index.html"), "+page");
  EXPECT_EQ(decide(*page, "file:///srv/site/other.html"), "-out-of-scope");
  const auto none = make({.kind = ScopeKind::host}, {"https://www.example.org/"});
  EXPECT_EQ(decide(*none, "file:///etc/passwd"), "-out-of-scope");
}

TEST(Scope, HostsWithoutADomainStandForThemselves) {
  const auto scope = make({.kind = ScopeKind::domain},
                          {"http://127.0.0.1/", "http://localhost:8080/", "http://[::1]/", "https://github.io/"});
  EXPECT_EQ(decide(*scope, "http://127.0.0.1:99/x"), "+domain");
  EXPECT_EQ(decide(*scope, "http://localhost/x"), "+domain");
  EXPECT_EQ(decide(*scope, "http://[::1]/x"), "+domain");
  EXPECT_EQ(decide(*scope, "http://127.0.0.2/"), "-out-of-scope");
  EXPECT_EQ(decide(*scope, "https://github.io/x"), "+domain");
}

TEST(Scope, SeveralPrefixesOfAHost) {
  const auto scope = make({.kind = ScopeKind::prefix},
                          {"http://h.org/a/x", "http://h.org/b/", "http://h.org/a/y", "http://i.org/?q=/z/"});
  EXPECT_EQ(decide(*scope, "http://h.org/a/1"), "+prefix");
  EXPECT_EQ(decide(*scope, "http://h.org/b/1"), "+prefix");
  EXPECT_EQ(decide(*scope, "http://h.org/c/1"), "-out-of-scope");
  EXPECT_EQ(decide(*scope, "http://i.org/anything"), "+prefix");
}

// Heritrix's TransclusionDecideRule: L, S and M end the run, R does not count, one X at most.
TEST(Scope, EmbedsComeFromAnywhereFourHopsFar) {
  const auto scope = make({});
  const std::string_view cdn = "https://cdn.net/x";
  for (std::string_view hops :
       {"E", "LE", "LEE", "LEX", "LX", "LR", "LRRR", "LRE", "LEREI", "LEEEE", "LEREREE", "SE", "ME", "LI", "R"})
    EXPECT_EQ(decide(*scope, cdn, hops), "+embed") << hops;
  for (std::string_view hops : {"LEEEEE", "LEREREEI"})
    EXPECT_EQ(decide(*scope, cdn, hops), "-max-transitive-hops") << hops;
  EXPECT_EQ(decide(*scope, cdn, "LXX"), "-max-speculative-hops");
  EXPECT_EQ(decide(*scope, cdn, "LEL"), "-out-of-scope");
  EXPECT_EQ(decide(*scope, cdn, "S"), "-out-of-scope");
  EXPECT_EQ(decide(*scope, cdn, ""), "-out-of-scope");
  EXPECT_EQ(decide(*make({.max_transitive_hops = 0}), cdn, "LE"), "-max-transitive-hops");
}

TEST(Scope, CountsHops) {
  const auto scope = make({.max_hops = 3});
  const std::string_view inside = "https://www.example.co.uk/x";
  EXPECT_EQ(decide(*scope, inside, "LLL"), "+host");
  EXPECT_EQ(decide(*scope, inside, "LLLL"), "-max-hops");
  EXPECT_EQ(decide(*scope, inside, "LLLE"), "+embed") << "what the last page needs";
  EXPECT_EQ(decide(*make({.max_hops = 3, .max_transitive_hops = 2}), inside, "LLEEE"), "-max-hops");
  EXPECT_EQ(decide(*scope, inside, "1+LL"), "+host");
  EXPECT_EQ(decide(*scope, inside, "2+LL"), "-max-hops");
  EXPECT_EQ(decide(*make({.max_hops = 0}), inside, "L"), "-max-hops");
  EXPECT_EQ(decide(*make({.max_hops = 0}), inside, "E"), "+embed");
}

TEST(Scope, ExclusionWinsEvenOverSeeds) {
  const auto scope = make({.include = {"cdn\\.net/shared/", "/calendar/"}, .exclude = {"/calendar/", "sid="}});
  EXPECT_EQ(decide(*scope, "https://cdn.net/shared/x"), "+include");
  EXPECT_EQ(decide(*scope, "https://cdn.net/else"), "-out-of-scope");
  EXPECT_EQ(decide(*scope, "https://www.example.co.uk/calendar/1"), "-exclude");
  EXPECT_EQ(decide(*scope, "https://cdn.net/calendar/1"), "-exclude");
  EXPECT_EQ(decide(*scope, "https://cdn.net/x?sid=1", "LE"), "-exclude");
  EXPECT_EQ(decide(*scope, "https://www.example.co.uk/calendar/", "", true), "-exclude");
  EXPECT_EQ(decide(*scope, "https://www.example.co.uk/calendar/", "P"), "+prerequisite");
  const url::Url url = parsed("https://www.example.co.uk/?sid=1");
  EXPECT_EQ(scope->decide({.url = url}).detail, "sid=");
}

TEST(Scope, TrapsDoNotStopSeeds) {
  const auto scope = make({});
  const std::string base = "https://www.example.co.uk/";
  EXPECT_EQ(decide(*scope, base + "a/b/a/b/a/b/c"), "-max-path-repetitions");
  EXPECT_EQ(decide(*scope, base + "a/b/a/b/c"), "+host");
  EXPECT_EQ(decide(*scope, base + "a/b/a/b/a/b/c", "", true), "+seed");
  std::string deep = base;
  for (int i = 0; i < 19; ++i) deep += std::to_string(i) + "/";
  EXPECT_EQ(decide(*scope, deep), "+host");
  EXPECT_EQ(decide(*scope, deep + "x/"), "-max-path-depth");
  EXPECT_EQ(decide(*scope, base + std::string(2083 - base.size(), 'x')), "+host");
  EXPECT_EQ(decide(*scope, base + std::string(2084 - base.size(), 'x')), "-max-url-length");
  EXPECT_EQ(decide(*scope, base + std::string(2083 - base.size(), 'x') + "#fragment"), "+host");
}

TEST(Scope, KnowsListingsInOtherOrders) {
  const auto scope = make({});
  for (std::string_view query :
       {"?C=N;O=D", "?C=M;O=A", "?C=S&O=A", "?C=D;O=A", "?N=D", "?M=A", "?sort=name&order=desc"}) {
    EXPECT_EQ(decide(*scope, "https://www.example.co.uk/pub/" + std::string(query)), "-useless-paths") << query;
  }
  for (std::string_view query : {"", "?C=12", "?NC=N;O=D", "?N=December", "?sort=name", "?C=N;O=D&id=1"}) {
    EXPECT_EQ(decide(*scope, "https://www.example.co.uk/pub/" + std::string(query)), "+host") << query;
  }
  for (std::string_view pattern : {"\\?a|/pub/", "\\?*/pub/", "(?:\\?)?/pub/", "(?:\\?a|u)b"}) {
    EXPECT_EQ(decide(*make({.useless_paths = {std::string(pattern)}}), "https://www.example.co.uk/pub/"),
              "-useless-paths")
        << pattern;
  }
  EXPECT_EQ(decide(*make({.useless_paths = {}}), "https://www.example.co.uk/pub/?C=N;O=D"), "+host");
  EXPECT_EQ(decide(*make({.useless_paths = {"/print/"}}), "https://www.example.co.uk/print/"), "-useless-paths");
}

TEST(Scope, OnlyItsSchemes) {
  const auto scope = make({.kind = ScopeKind::any});
  EXPECT_EQ(decide(*scope, "ftp://www.example.co.uk/"), "+any");
  EXPECT_EQ(decide(*scope, "gopher://www.example.co.uk/"), "-schemes");
  EXPECT_EQ(decide(*scope, "mailto:a@b"), "-schemes");
  EXPECT_EQ(decide(*scope, "gopher://www.example.co.uk/", "", true), "-schemes");
  EXPECT_EQ(decide(*scope, "dns:www.example.co.uk", "P"), "+prerequisite");
  EXPECT_EQ(decide(*make({.kind = ScopeKind::any, .schemes = {"ftp"}}), "ftp://www.example.co.uk/"), "+any");
}

// Redirects are no embeds and, in scope, count as other hops only: without a bound of its own a chain has no end.
TEST(Scope, FollowsSoManyRedirectsInARow) {
  const std::string twenty(20, 'R');
  const std::string inside = "https://www.example.co.uk/r", outside = "https://elsewhere.org/r";
  for (const auto& kind : {ScopeKind::host, ScopeKind::any}) {
    const auto scope = make({.kind = kind});
    for (const std::string& url : {inside, outside}) {
      EXPECT_TRUE(decide(*scope, url, "L" + twenty).starts_with("+")) << url;
      EXPECT_EQ(decide(*scope, url, "L" + twenty + "R"), "-max-redirects") << url;
      EXPECT_EQ(decide(*scope, url, "E" + twenty + "R"), "-max-redirects") << url;
      EXPECT_EQ(decide(*scope, url, twenty + "R", true), "-max-redirects") << "a seed that a seed redirected to";
      EXPECT_EQ(decide(*scope, url, "100+" + twenty), "-max-redirects") << url;
      EXPECT_TRUE(decide(*scope, url, twenty + "ER").starts_with("+")) << "not in a row";
    }
  }
  const auto few = make({.max_redirects = 1});
  EXPECT_EQ(decide(*few, inside, "LR"), "+embed");
  EXPECT_EQ(decide(*few, inside, "LRR"), "-max-redirects");
  EXPECT_EQ(decide(*few, inside, "LRRP"), "+prerequisite");
  const url::Url url = parsed(inside);
  const Candidate candidate{.url = url, .hop_path = "LRR"};
  EXPECT_EQ(few->explain(candidate), "rejected by max-redirects: 2 redirects in a row, 1 are allowed");
}

TEST(Scope, RedirectedSeedsBecomeSeeds) {
  const auto scope = make({});
  const url::Url target = parsed("https://moved.org/");
  EXPECT_TRUE(scope->becomes_seed({.url = target, .hop_path = "R"}));
  EXPECT_TRUE(scope->becomes_seed({.url = target, .hop_path = "RR"}));
  EXPECT_FALSE(scope->becomes_seed({.url = target, .hop_path = "LR"}));
  EXPECT_FALSE(scope->becomes_seed({.url = target, .hop_path = "3+R"}));
  EXPECT_FALSE(scope->becomes_seed({.url = target, .hop_path = ""}));
  // A chain of them has an end: a server may redirect for ever, each time to another host.
  EXPECT_TRUE(scope->becomes_seed({.url = target, .hop_path = "RRRRR"}));
  EXPECT_FALSE(scope->becomes_seed({.url = target, .hop_path = "RRRRRR"}));
  EXPECT_FALSE(make({.max_seed_redirects = 0})->becomes_seed({.url = target, .hop_path = "R"}));
  EXPECT_FALSE(make({.seed_redirects = false})->becomes_seed({.url = target, .hop_path = "R"}));

  EXPECT_EQ(decide(*scope, "https://moved.org/a"), "-out-of-scope");
  scope->add_seed(target);
  EXPECT_EQ(decide(*scope, "https://moved.org/a"), "+host");
  EXPECT_EQ(decide(*scope, "https://www.example.co.uk/a"), "+host");
}

TEST(Scope, DecidesWhileSeedsAreAdded) {
  const auto scope = make({});
  std::jthread adder([&] {
    for (int i = 0; i < 2000; ++i) scope->add_seed(parsed("https://h" + std::to_string(i) + ".org/"));
  });
  for (int i = 0; i < 2000; ++i) {
    const std::string answer = decide(*scope, "https://h" + std::to_string(i) + ".org/x");
    EXPECT_TRUE(answer == "+host" || answer == "-out-of-scope");
  }
  adder.join();
  EXPECT_EQ(decide(*scope, "https://h1999.org/x"), "+host");
}

// A seed that ends leaves what another one lets in, too, whichever way rules look for seeds.
TEST(Scope, SeedsEnd) {
  const std::vector<std::string> urls = {"https://a.org/x/", "https://a.org/y", "https://www.b.org/x",
                                         "https://b.org/"};
  for (const ScopeKind kind : {ScopeKind::page, ScopeKind::prefix, ScopeKind::host, ScopeKind::domain}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const auto scope = make({.kind = kind}, urls);
    const auto end = [&](size_t seed) {
      scope->leave(parsed(urls[seed]));
      EXPECT_NE(decide(*scope, urls[seed])[0], '-') << "not before it is known what stays";
      for (size_t i = 0; i < urls.size(); ++i)
        if (i != seed && !scope->has_ended(urls[i])) scope->keep(parsed(urls[i]));
      scope->settle();
    };
    const auto in = [&] {
      std::string all;
      for (const std::string& url : urls) all += decide(*scope, url)[0];
      return all;
    };
    EXPECT_EQ(in(), "++++");
    end(0);
    EXPECT_TRUE(scope->has_ended(urls[0]));
    // The prefix of the second is all of its host.
    EXPECT_EQ(in(), kind == ScopeKind::page ? "-+++" : "++++");
    end(1);
    EXPECT_EQ(in(), "--++");
    end(2);
    EXPECT_EQ(in(), kind == ScopeKind::domain ? "--++" : "---+");
    const url::Url moved = parsed("https://moved.org/");
    EXPECT_FALSE(scope->becomes_seed({.url = moved, .hop_path = "R", .source_seed = urls[2]}));
    EXPECT_FALSE(scope->becomes_seed({.url = parsed(urls[2]), .hop_path = "R", .source_seed = urls[3]}));
    EXPECT_TRUE(scope->becomes_seed({.url = moved, .hop_path = "R", .source_seed = urls[3]}));
    scope->add_seed(parsed(urls[1]));
    EXPECT_FALSE(scope->has_ended(urls[1]));
    EXPECT_EQ(decide(*scope, urls[1])[0], '+') << "somebody names it once more";
  }
}

// One that comes while others are gone through stays.
TEST(Scope, SeedsThatComeWhileOthersEndStay) {
  const auto scope = make({.kind = ScopeKind::host}, {"https://a.org/1"});
  scope->leave(parsed("https://a.org/1"));
  scope->add_seed(parsed("https://a.org/2"));
  scope->settle();
  EXPECT_EQ(decide(*scope, "https://a.org/x"), "+host");
  EXPECT_TRUE(scope->has_ended("https://a.org/1"));
}

TEST(Scope, NamesThePatternThatIsWrong) {
  const auto scope = Scope::create({.exclude = {"fine", "(broken"}}, {});
  ASSERT_FALSE(scope.has_value());
  EXPECT_EQ(scope.error().message, "exclude[2]: '(broken' is no RE2 expression: missing ): (broken");
}

TEST(Scope, ExplainsItself) {
  const auto scope = make({.exclude = {"/no/"}, .max_hops = 2});
  const auto explain = [&](std::string_view text, std::string_view hops) {
    const url::Url url = parsed(text);
    const Candidate candidate{.url = url, .hop_path = hops};
    return scope->explain(candidate);
  };
  EXPECT_EQ(explain("https://www.example.co.uk/x", "LL"), "accepted by host: 'www.example.co.uk' is a seed's");
  EXPECT_EQ(explain("https://www.example.co.uk/x", "LLL"), "rejected by max-hops: 3 hops from the seed, 2 are allowed");
  EXPECT_EQ(explain("https://www.example.co.uk/no/x", "L"), "rejected by exclude: '/no/' is found in it");
  EXPECT_EQ(explain("https://www.example.co.uk/a/a/a/", "L"),
            "rejected by max-path-repetitions: 'a/' stands more than 2 times in a row");
  EXPECT_EQ(explain("https://else.org/", "L"),
            "rejected by out-of-scope: no seed, include rule or page in scope leads to it");
  EXPECT_EQ(explain("gopher://else.org/", "L"),
            "rejected by schemes: 'gopher' is none of http, https, ftp, sftp, whois, file");
}

TEST(Scope, FindsPrefixesOfSeedsOnOneHost) {
  const auto scope = make({.kind = ScopeKind::prefix}, {"http://h.org/a/b/c.html?x=/y/", "https://h.org/d/"});
  for (const char* inside : {"http://h.org/a/b/", "https://h.org/a/b/c/d?/", "http://h.org/d/x"})
    EXPECT_EQ(decide(*scope, inside), "+prefix") << inside;
  for (const char* outside : {"http://h.org/a/", "http://h.org/?/a/b/", "http://h.org:81/d/", "http://x.org/d/"})
    EXPECT_EQ(decide(*scope, outside), "-out-of-scope") << outside;
  const url::Url url = parsed("http://h.org/a/b/c/d?/");
  EXPECT_EQ(scope->decide({.url = url}).detail, "h.org/a/b/");
}

// Heritrix's "+http://(org,example," among seeds.
TEST(Scope, IsWidenedBySurtPrefixes) {
  const auto scope = make({});
  EXPECT_EQ(decide(*scope, "http://static.other.org/"), "-out-of-scope");
  scope->widen("http://(org,other,");
  EXPECT_EQ(decide(*scope, "https://static.other.org/"), "+host");
  EXPECT_EQ(decide(*scope, "http://another.org/"), "-out-of-scope");
}

// "-http://(org,other,)/private/", also where rules are written that do not ask for it.
TEST(Scope, IsNarrowedBySurtPrefixes) {
  for (const std::vector<std::string>& rules : {std::vector<std::string>(), {"accept all"}}) {
    const auto scope = make({.rules = rules}, {"http://other.org/"});
    EXPECT_EQ(decide(*scope, "https://other.org/private/a").front(), '+');
    EXPECT_FALSE(scope->has_changed());
    scope->narrow("http://(org,other,)/private/");
    EXPECT_TRUE(scope->has_changed());
    EXPECT_EQ(decide(*scope, "https://other.org/private/a"), "-minus-lines");
    EXPECT_EQ(decide(*scope, "https://other.org/public").front(), '+');
    const url::Url url = parsed("http://other.org/private/");
    EXPECT_THAT(scope->explain({.url = url}), ::testing::HasSubstr("rejected by minus-lines"));
    EXPECT_TRUE(scope->decide({.url = url, .hop_path = "LP"}).accepted) << "another URL asks for it";
  }
  const auto placed = make({.rules = {"accept all", "reject minus-lines", "accept url /public/"}}, {});
  placed->narrow("http://(org,other,");
  EXPECT_EQ(decide(*placed, "http://other.org/public/").front(), '+') << "the rules say where it stands";
  EXPECT_EQ(decide(*placed, "http://other.org/").front(), '-');
}

// A kind that rules ask for later.
TEST(Scope, LearnsAnotherKindWhenSeedsAreAddedAgain) {
  const auto scope = make({});
  EXPECT_FALSE(scope->looks_for(ScopeKind::domain));
  scope->look_for({ScopeKind::domain});
  scope->add_seed(parsed("https://www.example.co.uk/docs/start.html"));
  EXPECT_TRUE(scope->looks_for(ScopeKind::domain));
  const auto rules = SiteRules::create({.kind = ScopeKind::domain});
  const url::Url url = parsed("http://static.example.co.uk/");
  EXPECT_TRUE(scope->decide({.url = url, .hop_path = "L", .rules = &*rules}).accepted);
}

TEST(ScopeSettings, KnowAliases) {
  ScopeSettings settings;
  EXPECT_TRUE(settings::apply(settings, "kind", "broad", "--scope"));
  EXPECT_EQ(settings.kind, ScopeKind::any);
  EXPECT_TRUE(settings::apply(settings, "kind", "path", "--scope"));
  EXPECT_EQ(settings.kind, ScopeKind::prefix);
  EXPECT_EQ(settings::schema_of<ScopeSettings>().find("kind")->write(int64_t{1}), "prefix");
  EXPECT_EQ(settings::apply(settings, "kind", "hots", "--scope").error().message,
            "--scope: kind: 'hots' is none of page, prefix, path, host, domain, any, broad; did you mean 'host'?");
}

}  // namespace
}  // namespace caddis::scope
