#include "caddis/dedup/digest_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/dedup/index_testing.h"
#include "caddis/dedup/payload_digest.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::dedup {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kId[] = "<urn:uuid:01234567-89ab-cdef-0123-456789abcdef>";

class DigestIndexTest : public ::testing::Test {
 protected:
  std::optional<Match> find(Strategy strategy, std::string_view payload, std::string_view url) {
    const auto found = index_->find(strategy, {label_of(payload), url, cdx::index_key(url)});
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::nullopt;
  }
  std::string url_of(Strategy strategy, std::string_view payload, std::string_view url) {
    const auto match = find(strategy, payload, url);
    return match ? match->original.url : "";
  }

  io::MemoryFiles files_;
  std::unique_ptr<DigestIndex> index_;
};

TEST_F(DigestIndexTest, FindsWhatIsKnownOfAnOriginal) {
  Original all = original("https://a.example/x?b=1", "2026-01-02T03:04:05.006Z", kId);
  all.etag = "W/\"abc\"";
  all.last_modified = "Fri, 02 Jan 2026 03:04:05 GMT";
  Original odd = original("http://b.example/", "1996-12-19T16:39:57.123456Z", "<urn:other:1>");
  odd.last_modified = "yesterday";
  index_ = index_of(files_, "x", {{"one", all}, {"two", odd}});
  const auto first = find(Strategy::url, "one", all.url);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->original.url, all.url);
  EXPECT_EQ(first->original.date, all.date);
  EXPECT_EQ(first->original.record_id, kId);
  EXPECT_EQ(first->original.etag, all.etag);
  EXPECT_EQ(first->original.last_modified, all.last_modified);
  const auto second = find(Strategy::any, "two", "http://elsewhere.example/");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->likeness, Likeness::digest);
  EXPECT_EQ(second->original.date, odd.date);
  EXPECT_EQ(second->original.record_id, odd.record_id);
  EXPECT_EQ(second->original.last_modified, "yesterday");
}

TEST_F(DigestIndexTest, StrategiesDiffer) {
  const std::string asked = "http://www.a.example/page";
  index_ = index_of(files_, "x",
                    {{"p", original("http://z.example/", "2020-01-01T00:00:00Z")},
                     {"p", original("https://a.example/page", "2021-01-01T00:00:00Z")},
                     {"p", original(asked, "2022-01-01T00:00:00Z")},
                     {"q", original("https://a.example/page", "2021-01-01T00:00:00Z")},
                     {"r", original("http://z.example/", "2021-01-01T00:00:00Z")}});
  EXPECT_FALSE(find(Strategy::off, "p", asked));
  EXPECT_EQ(find(Strategy::url, "p", asked)->likeness, Likeness::url);
  EXPECT_EQ(url_of(Strategy::url, "p", asked), asked);
  EXPECT_EQ(url_of(Strategy::url, "q", asked), "");
  EXPECT_EQ(url_of(Strategy::canonical, "p", asked), "https://a.example/page") << "the earliest of the key";
  EXPECT_EQ(find(Strategy::canonical, "q", asked)->likeness, Likeness::canonical);
  EXPECT_EQ(url_of(Strategy::canonical, "r", asked), "");
  EXPECT_EQ(url_of(Strategy::url_preferred, "p", asked), asked);
  EXPECT_EQ(find(Strategy::url_preferred, "q", asked)->likeness, Likeness::canonical);
  EXPECT_EQ(find(Strategy::url_preferred, "r", asked)->likeness, Likeness::digest);
  EXPECT_EQ(url_of(Strategy::any, "p", asked), "http://z.example/") << "the earliest of all";
  EXPECT_EQ(find(Strategy::any, "q", asked)->likeness, Likeness::canonical);
  EXPECT_FALSE(find(Strategy::any, "none", asked));
}

TEST_F(DigestIndexTest, KeepsTheEarliestOfOneUrl) {
  const std::string url = "http://a.example/";
  index_ = index_of(files_, "x",
                    {{"p", original(url, "2022-01-01T00:00:00Z", "<urn:late>")},
                     {"p", original(url, "2021-01-01T00:00:00Z", "<urn:early>")},
                     {"q", original(url, "2019-01-01T00:00:00Z")}});
  EXPECT_EQ(index_->info().originals, 2U);
  EXPECT_EQ(index_->info().digests, 2U);
  EXPECT_EQ(find(Strategy::url, "p", url)->original.record_id, "<urn:early>");
}

TEST_F(DigestIndexTest, JoinsTwoAccountsOfOneCapture) {
  const std::string url = "http://a.example/";
  index_ = index_of(files_, "x",
                    {{"p", original(url, "2022-01-01T00:00:05Z")},
                     {"p", original(url, "2022-01-01T00:00:05.250Z", kId)},
                     {"p", original(url, "2022-01-01T00:00:05.900Z", "<urn:another>")}});
  const auto match = find(Strategy::url, "p", url);
  EXPECT_EQ(rfc3339_millis(match->original.date), "2022-01-01T00:00:05.250Z");
  EXPECT_EQ(match->original.record_id, kId);
}

TEST_F(DigestIndexTest, ComparesTheWholeDigest) {
  DigestIndexWriter writer(files_, "x");
  const std::string digest = io::sha1("p");
  std::string alike = digest;
  alike.back() ^= 1;
  ASSERT_TRUE(writer.add(digest, original("http://later.example/", "2022-01-01T00:00:00Z")));
  ASSERT_TRUE(writer.add(alike, original("http://earlier.example/", "2021-01-01T00:00:00Z")));
  ASSERT_TRUE(writer.finish());
  index_ = *DigestIndex::open(files_, "x");
  EXPECT_EQ(url_of(Strategy::any, "p", "http://earlier.example/"), "http://later.example/");
  EXPECT_EQ(url_of(Strategy::url, "p", "http://earlier.example/"), "");
}

TEST_F(DigestIndexTest, AsksInAnyNotation) {
  index_ = index_of(files_, "x", {{"p", original("http://a.example/", "2022-01-01T00:00:00Z")}});
  const std::string raw = io::sha1("p");
  for (const std::string& text : {"sha1:" + to_hex(raw), "SHA-1:" + label_of("p").substr(5), label_of("p").substr(5)}) {
    const auto found = index_->find(Strategy::any, {text, "http://a.example/", {}});
    ASSERT_TRUE(found) << text;
    EXPECT_TRUE(*found) << text;
  }
  EXPECT_FALSE(*index_->find(Strategy::any, {"sha256:" + to_hex(io::sha256("p")), "http://a.example/", {}}));
  EXPECT_EQ(index_->find(Strategy::any, {"sha1:nonsense", "", {}}).error().code, ErrorCode::parse);
}

TEST_F(DigestIndexTest, MayBeEmpty) {
  index_ = index_of(files_, "x", {});
  EXPECT_FALSE(find(Strategy::any, "p", "http://a.example/"));
  EXPECT_TRUE(index_->check());
  EXPECT_TRUE(index_->each_of_url("http://a.example/", [](auto, auto&) { return Result<void>(); }));
  EXPECT_THAT(*index_->most_shared(3), IsEmpty());
}

TEST_F(DigestIndexTest, RefusesUrlsThatNoFormatHolds) {
  DigestIndexWriter writer(files_, "x");
  EXPECT_FALSE(writer.add(io::sha1("p"), original(std::string("http://a.example/\0x", 19), "2022-01-01")));
  EXPECT_FALSE(writer.add(io::sha1("p"), original("http://a.example/" + std::string(70'000, 'x'), "2022-01-01")));
  EXPECT_FALSE(writer.add("short", original("http://a.example/", "2022-01-01")));
}

// Thousands of originals, few payloads and hosts, in small runs: against a plain list.
class ManyOriginals : public DigestIndexTest {
 protected:
  static constexpr int kStored = 6000;

  void SetUp() override {
    SeededRandom random(7);
    const auto any = [&](uint64_t below) { return random.below(below); };
    for (int i = 0; i < kStored; ++i) {
      const std::string scheme = any(2) == 0 ? "http" : "https", www = any(3) == 0 ? "www." : "";
      const std::string url =
          scheme + "://" + www + "site" + std::to_string(any(40)) + ".example/" + std::to_string(any(60));
      Stored stored{"payload" + std::to_string(any(900)), original(url, "2020-01-01")};
      stored.original.date += std::chrono::microseconds(any(1'000'000'000'000));
      if (any(2) == 0) stored.original.record_id = kId;
      stored_.push_back(stored);
    }
    WriterOptions options;
    options.memory = 100'000;
    index_ = index_of(files_, "many", stored_, options);
  }

  // As a naive search finds it.
  std::optional<Match> expected(Strategy strategy, std::string_view payload, std::string_view url) const {
    std::optional<Match> best;
    for (const Stored& stored : stored_) {
      if (stored.payload != payload) continue;
      const Likeness likeness = stored.original.url == url                                   ? Likeness::url
                                : cdx::index_key(stored.original.url) == cdx::index_key(url) ? Likeness::canonical
                                                                                             : Likeness::digest;
      if (strategy == Strategy::url && likeness != Likeness::url) continue;
      if (strategy == Strategy::canonical && likeness == Likeness::digest) continue;
      const bool nearer = best && strategy == Strategy::url_preferred && likeness < best->likeness;
      const bool farther = best && strategy == Strategy::url_preferred && likeness > best->likeness;
      if (!best || nearer || (!farther && stored.original.date < best->original.date))
        best = {stored.original, likeness};
    }
    return best;
  }

  std::vector<Stored> stored_;
};

TEST_F(ManyOriginals, AreFoundAsANaiveSearchFindsThem) {
  for (int i = 0; i < 400; ++i) {
    const Stored& a = stored_[static_cast<size_t>(i) * 13 % kStored];
    const std::string& url = i % 3 == 0 ? a.original.url : stored_[static_cast<size_t>(i)].original.url;
    for (const Strategy strategy : {Strategy::url, Strategy::canonical, Strategy::url_preferred, Strategy::any}) {
      const auto found = find(strategy, a.payload, url);
      const auto wanted = expected(strategy, a.payload, url);
      ASSERT_EQ(found.has_value(), wanted.has_value());
      if (!found) continue;
      EXPECT_EQ(found->original.url, wanted->original.url);
      EXPECT_EQ(found->original.date, wanted->original.date);
      EXPECT_EQ(found->likeness, wanted->likeness);
    }
  }
}

TEST_F(ManyOriginals, AreGivenInOrderOfTheirUrls) {
  std::map<std::pair<std::string, std::string>, WallTime> wanted, given;
  for (const Stored& stored : stored_) {
    const auto [place, is_new] =
        wanted.emplace(std::pair(stored.original.url, io::sha1(stored.payload)), stored.original.date);
    if (!is_new) place->second = std::min(place->second, stored.original.date);
  }
  std::string last;
  ASSERT_TRUE(index_->each([&](std::string_view digest, const Original& one) -> Result<void> {
    const std::string rest(split_url(one.url).rest);
    EXPECT_LE(last, rest);
    last = rest;
    EXPECT_TRUE(given.emplace(std::pair(one.url, std::string(digest)), one.date).second);
    return {};
  }));
  EXPECT_EQ(given, wanted);
  EXPECT_EQ(index_->info().originals, wanted.size());
  EXPECT_TRUE(index_->check());
}

TEST_F(ManyOriginals, OfOneUrlAreGiven) {
  const std::string& url = stored_.front().original.url;
  std::set<std::string> wanted, given;
  for (const Stored& stored : stored_)
    if (stored.original.url == url) wanted.insert(io::sha1(stored.payload));
  ASSERT_TRUE(index_->each_of_url(url, [&](std::string_view digest, const Original& one) -> Result<void> {
    EXPECT_EQ(one.url, url);
    given.emplace(digest);
    return {};
  }));
  EXPECT_EQ(given, wanted);
}

TEST_F(ManyOriginals, SharedPayloadsAreCounted) {
  std::map<std::string, std::set<std::string>> urls;
  for (const Stored& stored : stored_) urls[label_of(stored.payload)].insert(stored.original.url);
  size_t most = 0;
  for (const auto& [digest, of] : urls) most = std::max(most, of.size());
  const auto shared = index_->most_shared(4);
  ASSERT_TRUE(shared);
  ASSERT_EQ(shared->size(), 4U);
  EXPECT_EQ(shared->front().urls, most);
  for (const auto& one : *shared) EXPECT_EQ(one.urls, urls[one.digest].size());
}

TEST_F(ManyOriginals, LeaveNoOtherFiles) {
  const auto entries = files_.list(".");
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), 1U);
}

TEST_F(ManyOriginals, AreTheSameHoweverTheyWereSorted) {
  index_of(files_, "again", {stored_.rbegin(), stored_.rend()});
  EXPECT_TRUE(*files_.read_all("again") == *files_.read_all("many"));
}

TEST_F(ManyOriginals, AnyDamageIsNoticed) {
  const std::string bytes = *files_.read_all("many");
  SeededRandom random(3);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
    ASSERT_TRUE(files_.write_atomically("damaged", damaged));
    const auto index = DigestIndex::open(files_, "damaged");
    const auto sound = index ? (*index)->check() : std::unexpected(index.error());
    // The zeros behind the head's text mean nothing.
    if (damaged.substr(0, kIndexHeadSize) == bytes.substr(0, kIndexHeadSize)) EXPECT_FALSE(sound);
  }
}

TEST_F(DigestIndexTest, IsReadFromTheSystemsFiles) {
  const testing::TempDir folder;
  const auto index =
      index_of(io::real_files(), folder / "x", {{"p", original("http://a.example/", "2022-01-01T00:00:00Z")}});
  EXPECT_TRUE(*index->find(Strategy::url, {label_of("p"), "http://a.example/", {}}));
}

TEST_F(DigestIndexTest, RefusesForeignFiles) {
  ASSERT_TRUE(files_.write_atomically("text", "WARC/1.1\r\n"));
  EXPECT_EQ(DigestIndex::open(files_, "text").error().code, ErrorCode::unsupported);
  ASSERT_TRUE(files_.write_atomically("newer", "caddis-digest-index/2\n"));
  EXPECT_THAT(DigestIndex::open(files_, "newer").error().message, HasSubstr("another version"));
  index_of(files_, "x", {{"p", original("http://a.example/", "2022-01-01T00:00:00Z")}});
  const std::string bytes = *files_.read_all("x");
  ASSERT_TRUE(files_.write_atomically("cut", bytes.substr(0, bytes.size() - 1)));
  EXPECT_EQ(DigestIndex::open(files_, "cut").error().code, ErrorCode::corrupt);
  const IndexKey other = index_key_by(*url::KeyPolicy::parse("exact"));
  const auto refused = DigestIndex::open(files_, "x", other);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("caddis dedup build --key-policy 'exact/1'"));
}

TEST_F(DigestIndexTest, GoesByTheKeyPolicyThatItWasMadeBy) {
  for (const char* notation : {"exact", "ia-surt -strip-www-n", "ia-surt -strip-www-n +regex(s/: \\d+//)",
                               "own/2: whatwg-parse strip-fragment lowercase-parts write-url"}) {
    WriterOptions options;
    options.key = index_key_by(*url::KeyPolicy::parse(notation));
    index_of(files_, "x", {{"p", original("http://www.a.example/A", "2022-01-01T00:00:00Z")}}, options);
    const auto opened = DigestIndex::open(files_, "x");
    ASSERT_TRUE(opened) << opened.error().message;
    const auto finds = [&](const char* url) {
      return (*opened)->find(Strategy::canonical, {label_of("p"), url, {}})->has_value();
    };
    EXPECT_TRUE(finds("http://www.a.example/A#b")) << notation;
    EXPECT_FALSE(finds("http://a.example/A")) << notation;
    EXPECT_EQ(finds("http://www.a.example/a"), std::string_view(notation) != "exact") << notation;
  }
}

TEST(IndexKey, IsKnownByItsHashAndNotByItsName) {
  const IndexKey shipped = standard_index_key();
  const IndexKey named = index_key_by(*url::KeyPolicy::parse("ours/7: " + url::KeyPolicy::ia_surt().steps()));
  EXPECT_TRUE(shipped.makes_keys_of(named.rules));
  EXPECT_FALSE(shipped.makes_keys_of(index_key_by(*url::KeyPolicy::parse("ia-surt -sort-query")).rules));
  EXPECT_EQ(index_key_of("next/1: step-of-tomorrow (sha256 0123456789abcdef)").error().code, ErrorCode::unsupported);
}

TEST_F(DigestIndexTest, AppearsWholeOrNotAtAll) {
  using Operation = io::MemoryFiles::Operation;
  index_of(files_, "x", {{"old", original("http://a.example/", "2022-01-01T00:00:00Z")}});
  const std::string before = *files_.read_all("x");
  for (const auto& [operation, nth] : {std::pair(Operation::append, 1),
                                       {Operation::append, 2},
                                       {Operation::sync, 1},
                                       {Operation::rename, 1},
                                       {Operation::open, 1},
                                       {Operation::open, 2}}) {
    {
      DigestIndexWriter writer(files_, "x");
      ASSERT_TRUE(writer.add(io::sha1("new"), original("http://a.example/", "2023-01-01")));
      files_.inject_failure(operation, static_cast<uint64_t>(nth));
      EXPECT_FALSE(writer.finish()) << nth;
    }
    EXPECT_EQ(*files_.read_all("x"), before);
    EXPECT_EQ(files_.list(".")->size(), 1U) << "nothing is left behind";
  }
}

// The bytes of docs/formats/digest-index.md, made by another program from that page.
TEST_F(DigestIndexTest, HasTheBytesOfItsFormat) {
  Original first = original("http://a.example/", "2021-01-01T00:00:00Z", kId);
  first.etag = "\"1\"";
  first.last_modified = "Thu, 31 Dec 2020 23:59:59 GMT";
  WriterOptions options;
  options.key = {"test/1: none", [](std::string_view url) { return std::string(url); }};
  DigestIndexWriter writer(files_, "x", options);
  ASSERT_TRUE(writer.add(io::sha1("p"), original("https://a.example/b", "2021-01-01T00:00:01.250Z")));
  ASSERT_TRUE(writer.add(io::sha1("p"), first));
  writer.add_source({"a.cdxj", {7, WallTime()}});
  ASSERT_TRUE(writer.finish());
  std::string buckets;
  for (int i = 0; i < 256; ++i) buckets += i < 0x51 ? std::string(4, '\0') : std::string("\3\0\0\0", 4);
  const std::string expected =
      *from_hex(
          "6361646469732d6469676573742d696e6465782f310a00000000000000000000"
          "63656b54da2d165310b19759da2d165310b19759001ed0000a612e6578616d706c652f8098f3fe0b0322312204050a016202fa01"
          "0123456789abcdef0123456789abcdef"
          "2000000000000000"
          "6b9783fca517eecbd1d064f5b3312f01000000"
          "6b9783fca517eecbd1d064a7f9117200000000"
          "6b9783fca517eecbd1d064a7f9117200000000") +
      buckets +
      "digest sha1\nrules test/1: none\noriginals 2\ndigests 1\nentries 3\nfirst 2021-01-01T00:00:00.000000Z\n"
      "last 2021-01-01T00:00:01.250000Z\nbucket-bits 8\nblocks 32 68 bfdfc638\ndirectory 100 8 9c54bd3f\n"
      "dictionary 108 0 00000000\ntable 108 57 ba6361d9\nbuckets 165 1024 4c9c3fe2\n"
      "source 7 1970-01-01T00:00:00.000000Z a.cdxj\n" +
      *from_hex("350100004861e7716469676573746978");
  EXPECT_EQ(*files_.read_all("x"), expected);
}

TEST_F(DigestIndexTest, KnowsItsSources) {
  ASSERT_TRUE(files_.write_atomically("a.cdxj", "12345"));
  DigestIndexWriter writer(files_, "x");
  writer.add_source({"a.cdxj", *io::stamp_of(files_, "a.cdxj")});
  writer.add_source({"odd\nname %41", {7, WallTime()}});
  ASSERT_TRUE(writer.finish());
  index_ = *DigestIndex::open(files_, "x");
  ASSERT_EQ(index_->info().sources.size(), 2U);
  EXPECT_EQ(index_->info().sources[1].name, "odd\nname %41");
  EXPECT_EQ(changed_sources(files_, index_->info()).size(), 1U) << "the second is not there";
  ASSERT_TRUE(files_.write_atomically("a.cdxj", "1234567"));
  EXPECT_EQ(changed_sources(files_, index_->info()).size(), 2U);
}

}  // namespace
}  // namespace caddis::dedup
