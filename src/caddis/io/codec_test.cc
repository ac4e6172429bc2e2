// Digests, their texts, gzip members, the chunked coding, content codings.
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/base32.h"
#include "caddis/io/chunked.h"
#include "caddis/io/content_codec.h"
#include "caddis/io/content_decoder.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"

namespace caddis::io {
namespace {

using namespace std::string_literals;

std::string noise(size_t size, uint64_t seed) {
  SeededRandom random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

// Text that compresses as pages do, with copies near and far.
std::string prose(size_t size) {
  SeededRandom random(7);
  std::string text;
  while (text.size() < size) {
    if (text.size() > 100 && random.below(3) == 0) {
      const size_t at = random.below(text.size() - 50);
      text += text.substr(at, random.below(50));
    } else {
      text += "<a href=\"/page/" + std::to_string(random.below(1000)) + ".html\">link</a>\n";
    }
  }
  text.resize(size);
  return text;
}

TEST(Digest, KnownValuesAndReuse) {
  Sha1 sha1_digest;
  sha1_digest.update("a");
  sha1_digest.update("bc");
  EXPECT_EQ(to_hex(sha1_digest.finish()), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(base32(sha1_digest.finish()), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_label(sha1("")), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(digest_label(sha256("abc")), "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ");
  EXPECT_EQ(sha1_base32(""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  Digest moved = std::move(sha1_digest);
  moved.update("abc");
  EXPECT_EQ(to_hex(moved.finish()), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

// RFC 4648 section 10, without padding.
TEST(Base32, Rfc4648Vectors) {
  const std::pair<std::string, std::string> cases[] = {{"", ""},
                                                       {"f", "MY"},
                                                       {"fo", "MZXQ"},
                                                       {"foo", "MZXW6"},
                                                       {"foob", "MZXW6YQ"},
                                                       {"fooba", "MZXW6YTB"},
                                                       {"foobar", "MZXW6YTBOI"}};
  for (const auto& [raw, text] : cases) {
    EXPECT_EQ(base32(raw), text);
    EXPECT_EQ(decode_base32(text), raw);
    EXPECT_EQ(decode_base32(to_lower(text) + "="), raw);
  }
  EXPECT_FALSE(decode_base32("MZXW1"));
  EXPECT_FALSE(decode_base32("M"));
  EXPECT_FALSE(decode_base32("MZ"));  // bits left over
  EXPECT_EQ(encode_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encode_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode_base64("-_-_"), decode_base64("+/+/"));
  EXPECT_FALSE(decode_base64("Zm9v!"));
  EXPECT_EQ(decode_hex("00fF"), "\0\xff"s);
  EXPECT_FALSE(decode_hex("0"));
  EXPECT_FALSE(decode_hex("0g"));
}

class GzipEfforts : public ::testing::TestWithParam<GzipEffort> {};

TEST_P(GzipEfforts, MembersComeBackAndCarryNoTime) {
  for (const size_t size : {0, 1, 100, 70'000, 3'000'000}) {
    for (const std::string& data : {prose(size), noise(size, size)}) {
      const std::string member = gzip_member(data, GetParam());
      EXPECT_TRUE(looks_like_gzip(member));
      EXPECT_EQ(member.substr(4, 4), "\0\0\0\0"s);
      EXPECT_EQ(gunzip_all(member, size), data) << size;
      EXPECT_LT(member.size(), size + size / 100 + 100);
    }
  }
}

TEST_P(GzipEfforts, PartsAndStreamsGiveTheSameBytesBack) {
  const std::string data = prose(300'000);
  const std::string_view view = data;
  std::string out = "before";
  gzip_member_append(out, {view.substr(0, 10), view.substr(10, 0), view.substr(10, 99'990), view.substr(100'000)},
                     GetParam());
  ASSERT_TRUE(out.starts_with("before"));
  EXPECT_EQ(gunzip_all(std::string_view(out).substr(6), data.size()), data);

  GzipStream stream(GetParam());
  std::string two;
  for (int member = 0; member < 2; ++member) {
    for (size_t at = 0; at < data.size(); at += 7'777) stream.write(view.substr(at, 7'777), two);
    stream.finish(two);
  }
  EXPECT_EQ(gunzip_all(two, 2 * data.size()), data + data);
}

// What is packed already, of sizes about those of stored blocks, behind heads and in front of what ends a record.
TEST(GzipStored, KeepsBodiesOfEverySize) {
  for (const size_t size : {0, 1, 43, 511, 512, 65'534, 65'535, 65'536, 131'070, 200'000}) {
    const std::string head = "WARC/1.1\r\n" + prose(700), body = noise(size, size + 1);
    std::string out;
    gzip_member_append(out, {head, "HTTP/1.1 200 OK\r\n\r\n", body, "\r\n\r\n"}, GzipEffort::cheapest);
    EXPECT_EQ(gunzip_all(out, 1 << 20), head + "HTTP/1.1 200 OK\r\n\r\n" + body + "\r\n\r\n") << size;
    EXPECT_EQ(out.find(head.substr(50, 200)), std::string::npos) << size << ": the head is packed";
  }
}

INSTANTIATE_TEST_SUITE_P(All, GzipEfforts,
                         ::testing::Values(GzipEffort::fast, GzipEffort::small, GzipEffort::cheapest));

// The member ends exactly, however the input is cut into pieces and however small the output is.
TEST(Gunzip, MemberEndsAreExact) {
  const std::string first = gzip_member(prose(5'000), GzipEffort::small);
  const std::string second = gzip_member("x", GzipEffort::fast);
  const std::string file = first + second + gzip_member("", GzipEffort::small);
  for (const size_t piece : {1, 2, 3, 7, 8, 9, 100, 100'000}) {
    for (const size_t room : {1, 5, 4096}) {
      GunzipStream gunzip;
      std::string buffer(room, '\0');
      std::vector<size_t> ends;
      std::string out;
      size_t at = 0;
      bool full = false;
      while (at < file.size() || full) {
        std::string_view input = std::string_view(file).substr(at, piece);
        const size_t offered = input.size();
        const auto step = gunzip.inflate(input, buffer);
        ASSERT_TRUE(step) << step.error().message;
        at += offered - input.size();
        full = step->written == room;
        out.append(buffer, 0, step->written);
        if (step->member_end) ends.push_back(at);
      }
      EXPECT_EQ(ends, (std::vector<size_t>{first.size(), first.size() + second.size(), file.size()})) << piece;
      EXPECT_EQ(out, prose(5'000) + "x");
      EXPECT_FALSE(gunzip.inside_member());
    }
  }
}

TEST(Gunzip, WholeMembers) {
  const std::string data = prose(50'000);
  const std::string member = gzip_member(data, GzipEffort::fast);
  std::string buffer(data.size(), '\0');
  const auto whole = gunzip_member(member + "next", buffer);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->consumed, member.size());
  EXPECT_EQ(whole->written, data.size());
  EXPECT_EQ(buffer, data);
  EXPECT_FALSE(gunzip_member(std::string_view(member).substr(0, member.size() - 1), buffer));
  EXPECT_FALSE(gunzip_member(member, std::span(buffer).first(data.size() - 1)));
}

TEST(Gunzip, ReadsHeadersWithEveryField) {
  const std::string plain = gzip_member("hello", GzipEffort::small);
  const std::string body = plain.substr(10);
  const std::string fixed = plain.substr(0, 3);
  const std::string rest = plain.substr(4, 6);
  const std::string member = fixed + "\x1e" + rest + "\x02\0sl"s + "name\0comment\0"s + "\x12\x34" + body;
  EXPECT_EQ(gunzip_all(member, 100), "hello");
  EXPECT_EQ(gunzip_all(fixed + "\x04" + rest + "\0\0"s + body, 100), "hello");
}

TEST(Gunzip, FlawsAreNamed) {
  const std::string data = prose(20'000);
  const std::string sound = gzip_member(data, GzipEffort::small);
  std::string wrong_crc = sound;
  wrong_crc[sound.size() - 8] ^= 1;
  std::string wrong_length = sound;
  wrong_length[sound.size() - 1] ^= 1;
  std::string wrong_data = sound;
  for (size_t i = 100; i < 200; ++i) wrong_data[i] = '\xff';

  GunzipStream gunzip;
  std::string buffer(100'000, '\0');
  const auto run = [&](std::string_view input) {
    gunzip.begin_member();
    const auto step = gunzip.inflate(input, buffer);
    return step ? "sound"s : step.error().message;
  };
  EXPECT_EQ(run(sound), "sound");
  EXPECT_NE(run(wrong_crc).find("CRC mismatch"), std::string::npos);
  EXPECT_TRUE(gunzip.only_trailer_wrong());
  EXPECT_EQ(gunzip.damaged_output(), data.size());
  EXPECT_NE(run(wrong_length).find("length mismatch"), std::string::npos);
  EXPECT_NE(run(wrong_data).find("of the gzip member"), std::string::npos);
  EXPECT_FALSE(gunzip.only_trailer_wrong());
  EXPECT_NE(run("plain text").find("no gzip magic at byte 0"), std::string::npos);
  EXPECT_EQ(run(sound.substr(0, 50)), "sound");
  EXPECT_TRUE(gunzip.inside_member());
  EXPECT_EQ(gunzip_all(sound, 100).error().code, ErrorCode::limit);
  EXPECT_EQ(gunzip_all(sound.substr(0, 50), 100'000).error().code, ErrorCode::corrupt);
}

std::string decode_in_pieces(std::string_view coded, size_t piece, ChunkedDecoder& decoder) {
  std::string out;
  for (; !coded.empty(); coded.remove_prefix(std::min(piece, coded.size()))) {
    decoder.feed(coded.substr(0, piece), [&](std::string_view bytes) { out += bytes; });
  }
  return out;
}

TEST(Chunked, Bodies) {
  struct Case {
    std::string coded, body;
    ChunkedDecoder::State state;
  };
  using enum ChunkedDecoder::State;
  const Case cases[] = {
      {"5\r\nhello\r\n0\r\n\r\n", "hello", done},
      {"5\nhello\n0\n\n", "hello", done},
      {"5 ;name=\"v\"\r\nhello\r\n 6  \r\n world\r\n000\r\nTrailer: x\r\n\r\nnext", "hello world", done},
      {"0\r\n\r\n", "", done},
      {"5\r\nhel", "hel", data},
      {"5\r\nhello\r\n", "hello", size},
      {"5\r\nhello\r\n0\r\n", "hello", trailer},
      {"5\r\nhello!\r\n", "hello", broken},
      {"<html>\r\n", "", broken},
      {"-1\r\n", "", broken},
      {"5x\r\nhello", "", broken},
      {"ffffffffffffffff\r\n", "", broken},
  };
  for (const Case& c : cases) {
    for (const size_t piece : {1, 2, 3, 1000}) {
      ChunkedDecoder decoder;
      EXPECT_EQ(decode_in_pieces(c.coded, piece, decoder), c.body) << c.coded;
      EXPECT_EQ(decoder.state(), c.state) << c.coded << " in pieces of " << piece;
      EXPECT_EQ(decoder.problem().empty(), c.state != broken);
    }
  }
  ChunkedDecoder decoder;
  std::string_view input = "1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\nGET / HTTP/1.1\r\n";
  decoder.feed(input, [](std::string_view) {});
  EXPECT_EQ(decoder.trailer(), "A: b\r\nC: d\r\n");
  EXPECT_EQ(input.substr(decoder.consumed()), "GET / HTTP/1.1\r\n");
}

TEST(Chunked, LimitsAndWholes) {
  ChunkedDecoder decoder;
  decoder.feed(std::string(ChunkedDecoder::kMaxLine + 1, '0'), [](std::string_view) {});
  EXPECT_TRUE(decoder.broken());

  EXPECT_EQ(dechunk("5\r\nhello\r\n0\r\n\r\n").bytes, "hello");
  EXPECT_TRUE(dechunk("5\r\nhello\r\n0\r\n").complete);
  EXPECT_FALSE(dechunk("5\r\nhe").complete);
  EXPECT_EQ(dechunk("5\r\nhe").bytes, "he");
  EXPECT_EQ(dechunk("<!doctype html>\n<html>").bytes, "<!doctype html>\n<html>");
  EXPECT_FALSE(dechunk("<!doctype html>\n<html>").was_chunked);
  EXPECT_FALSE(dechunk("abc").was_chunked);
  EXPECT_EQ(dechunk("abc").bytes, "abc");
  // Sizes that cannot be true are none; zeros in front are no size.
  for (const std::string size : {"fffffffffffffff", "7fffffffffffffff", "ffffffffffffffff", "10000000000000005",
                                 "4000000000001", "99999999999999999999999999"}) {
    EXPECT_FALSE(dechunk(size + "\r\nhello").was_chunked) << size;
    EXPECT_EQ(dechunk(size + "\r\nhello").bytes, size + "\r\nhello");
    EXPECT_EQ(dechunk("2\r\nhe\r\n" + size + "\r\nllo").bytes, "he") << size;
  }
  EXPECT_EQ(dechunk("00000000000000000000000005\r\nhello\r\n0\r\n\r\n").bytes, "hello");
  // Nothing decoded is not "not chunked".
  for (const std::string_view empty : {"0\r\n\r\n", "0\r\n", "0\r\nT: u", "0\r\nT: u\r\n\r\n"}) {
    EXPECT_TRUE(dechunk(empty).was_chunked) << empty;
    EXPECT_TRUE(dechunk(empty).complete) << empty;
    EXPECT_EQ(dechunk(empty).bytes, "") << empty;
  }
  EXPECT_TRUE(dechunk("0\r\n" + std::string(ChunkedDecoder::kMaxLine + 1, 'x')).was_chunked);
}

std::string zlib_deflate(std::string_view data, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(data.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// "Hello" compressed with the reference brotli and zstd programs.
const std::string kBrotli = *decode_hex("0b028048656c6c6f03");
const std::string kZstd = *decode_hex("28b52ffd045829000048656c6c6f447db275");

// What is decoded without a problem.
std::string decoded(std::string_view body, std::string_view coding) {
  Decoded result = decode_content(body, coding, 1 << 20);
  EXPECT_TRUE(result.complete) << coding << ": " << result.problem;
  return std::move(result.bytes);
}

TEST(ContentCodec, EachCoding) {
  const std::string data = prose(200'000);
  EXPECT_EQ(decoded(gzip_member(data, GzipEffort::small), "gzip"), data);
  EXPECT_EQ(decoded(gzip_member(data, GzipEffort::fast), " X-GZIP "), data);
  EXPECT_EQ(decoded(zlib_deflate(data, 15), "deflate"), data);
  EXPECT_EQ(decoded(zlib_deflate(data, -15), "deflate"), data);
  EXPECT_EQ(decoded(kBrotli, "br"), "Hello");
  EXPECT_EQ(decoded(kZstd, "zstd"), "Hello");
  EXPECT_EQ(decoded(data, ""), data);
  EXPECT_EQ(decoded(data, "identity"), data);
  EXPECT_EQ(decoded(gzip_member(kBrotli, GzipEffort::small), "br, gzip"), "Hello");
  EXPECT_EQ(decoded("", "gzip"), "");
  EXPECT_TRUE(can_decode("gzip, br"));
  EXPECT_FALSE(can_decode("sdch"));
}

TEST(ContentCodec, DamageGivesWhatCanBeHad) {
  const std::string data = prose(200'000);
  const std::string packed = gzip_member(data, GzipEffort::small);
  Decoded cut = decode_content(std::string_view(packed).substr(0, packed.size() / 2), "gzip", 1 << 20);
  EXPECT_FALSE(cut.complete);
  EXPECT_GT(cut.bytes.size(), 50'000U);
  EXPECT_TRUE(data.starts_with(cut.bytes));
  EXPECT_NE(cut.problem.find("gzip: the data is cut"), std::string::npos) << cut.problem;

  Decoded plain = decode_content("<html>", "gzip", 1 << 20);
  EXPECT_FALSE(plain.complete);
  EXPECT_NE(plain.problem.find("no gzip magic"), std::string::npos);

  Decoded bomb = decode_content(gzip_member(std::string(10'000'000, 'x'), GzipEffort::small), "gzip", 1000);
  EXPECT_EQ(bomb.bytes.size(), 1000U);
  EXPECT_NE(bomb.problem.find("limit of 1000"), std::string::npos);

  EXPECT_EQ(decode_content(packed + "padding", "gzip", 1 << 20).bytes, data);
  EXPECT_TRUE(decode_content(packed + "padding", "gzip", 1 << 20).complete);
  EXPECT_EQ(decode_content("abc", "sdch", 100).bytes, "abc");
  EXPECT_FALSE(decode_content("abc", "sdch", 100).complete);
  for (const std::string coding : {"br", "zstd", "deflate"}) {
    EXPECT_FALSE(decode_content("certainly not compressed", coding, 100).complete) << coding;
  }
}

// All that comes out, the input and the output given in pieces of these sizes.
std::string decode_in_pieces(std::string_view body, std::string_view coding, size_t in, size_t out) {
  ContentDecoder decoder(coding);
  std::string buffer(out, '\0'), all;
  std::string_view input;
  for (int idle = 0; !decoder.ended(); ++idle) {
    if (input.empty()) {
      input = body.substr(0, in);
      body.remove_prefix(input.size());
    }
    const size_t written = decoder.decode(input, body.empty(), buffer);
    if (written > 0) idle = 0;
    if (idle > 200'000) return "no end";
    all += std::string_view(buffer).substr(0, written);
  }
  return all;
}

TEST(ContentDecoder, GivesInPiecesWhatTheWholeGives) {
  const std::string data = prose(100'000);
  const std::string packed = gzip_member(data, GzipEffort::small);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"gzip", packed},
      {"gzip", packed + packed},
      {"gzip", packed + "padding"},
      {"gzip", packed + "\x1f"},
      {"x-gzip", packed.substr(0, packed.size() / 2)},
      {"gzip", packed.substr(0, 100) + std::string(100, 'x') + packed.substr(200)},
      {"gzip", "<html>no gzip at all"},
      {"gzip", ""},
      {"deflate", zlib_deflate(data, 15)},
      {"deflate", zlib_deflate(data, -15)},
      {"deflate", zlib_deflate(data, 15).substr(0, 2000)},
      {"deflate", "certainly not compressed"},
      {"br", kBrotli},
      {"br", "certainly not compressed"},
      {"zstd", kZstd},
      {"zstd", kZstd + kZstd},
      {"zstd", "certainly not compressed"},
      {"br, gzip", gzip_member(kBrotli, GzipEffort::small)},
      {"gzip, gzip", gzip_member(packed, GzipEffort::small)},
      {"gzip, gzip", packed},
      {"sdch, gzip", packed},
      {"gzip, sdch", packed},
      {"identity", data},
      {"", data},
      {"gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip", data},
  };
  for (const auto& [coding, body] : cases) {
    const Decoded whole = decode_content(body, coding, 1 << 20);
    for (const auto& [in, out] : {std::pair<size_t, size_t>{1, 1}, {3, 70'000}, {70'000, 5}, {1 << 20, 1 << 20}})
      EXPECT_TRUE(decode_in_pieces(body, coding, in, out) == whole.bytes)
          << coding << " " << body.substr(0, 20) << " in pieces of " << in << " and " << out;
  }
}

TEST(ContentDecoder, WindowsShareTheirMemory) {
  MemoryBudget share(1 << 20);
  const auto decode = [&share](std::string_view coding, std::string_view body) {
    ContentDecoder decoder(coding, &share);
    std::string buffer(1000, '\0');
    buffer.resize(decoder.decode(body, true, buffer));
    return decoder.out_of_memory() ? "none left" : buffer;
  };
  EXPECT_EQ(decode("br", kBrotli), "Hello");
  EXPECT_EQ(decode("zstd", kZstd), "none left");  // it may need 8 MB
  EXPECT_EQ(share.used(), 0u);
  ASSERT_TRUE(share.take((1 << 20) - 1000));
  EXPECT_EQ(decode("br", kBrotli), "none left");
  EXPECT_EQ(decode("gzip", gzip_member("Hello", GzipEffort::small)), "Hello");
  EXPECT_EQ(share.used(), share.most() - 1000);
}

}  // namespace
}  // namespace caddis::io
