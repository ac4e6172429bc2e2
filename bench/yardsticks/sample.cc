#include "yardsticks/sample.h"

#include <fmt/format.h>

#include "caddis/base/random.h"
#include "caddis/io/content_codec.h"
#include "caddis/io/files.h"
#include "caddis/io/gzip.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"

namespace yardsticks {
namespace {

using caddis::ErrorCode;
using caddis::Result;
using caddis::warc::RecordType;

constexpr uint64_t kPlaces = 32;          // where records are taken from, over all files
constexpr uint64_t kMaxBlock = 16 << 20;  // larger ones are left out
constexpr size_t kMaxDecoded = 16 << 20;
constexpr size_t kMaxMember = 4 << 20;

std::string header_text(const caddis::warc::Header& header) {
  std::string text(header.version());
  text += "\r\n";
  for (size_t i = 0; i < header.size(); ++i) text += fmt::format("{}: {}\r\n", header[i].name, header[i].value);
  return text + "\r\n";
}

bool is_media(std::string_view type) {
  return (type.starts_with("image/") && !type.starts_with("image/svg")) || type.starts_with("video/") ||
         type.starts_with("audio/") || type.starts_with("font/");
}

// The HTTP parts of a response whose block is `record.block`.
void read_response(Record& record, std::string_view url) {
  record.is_response = true;
  record.is_document = !url.ends_with("/robots.txt");
  const auto head_end = caddis::warc::HttpHead::find_end(record.block);
  const caddis::warc::HttpHead head(std::string_view(record.block).substr(0, head_end.value_or(0)));
  const std::string_view body = std::string_view(record.block).substr(head_end.value_or(0));
  record.payload = head.chunked() ? caddis::io::dechunk(body).bytes : std::string(body);
  const std::string_view coding = head.get("Content-Encoding");
  record.is_coded = coding == "gzip";
  record.is_packed = !coding.empty() || is_media(head.get("Content-Type"));
  if (head.get("Content-Type").starts_with("text/html"))
    record.body = caddis::io::decode_content(record.payload, coding, kMaxDecoded).bytes;
}

// Where the next gzip member begins, so that the reader knows what it reads; `from` in a file without members.
Result<uint64_t> next_member(const caddis::warc::ByteSource& source, uint64_t from) {
  constexpr std::string_view kMagic = "\x1F\x8B\x08";
  std::string bytes(kMaxMember, '\0');
  TRY(const size_t got, source.read_at(from, bytes.data(), bytes.size()));
  const size_t found = std::string_view(bytes).substr(0, got).find(kMagic);
  return found == std::string_view::npos ? from : from + found;
}

Result<void> take_from(const caddis::warc::ByteSource& source, uint64_t start, uint64_t max_bytes, Sample& sample) {
  caddis::warc::Reader reader(source, {}, start);
  bool begun = false;
  for (uint64_t taken = 0;;) {
    TRY(caddis::warc::Record * found, reader.next());
    if (found == nullptr) return {};
    // A visit begins with its response; one that was cut by the choice of the place is left out, so that as many
    // requests and metadata come as responses.
    const bool begins = found->type() == RecordType::response || found->type() == RecordType::resource;
    if (begins && taken >= max_bytes) return {};
    begun = begun || begins;
    if (!begun || found->type() == RecordType::warcinfo || found->content_length() > kMaxBlock) continue;
    Record record;
    record.header = header_text(found->header());
    const bool is_response = found->type() == RecordType::response;
    const std::string url(found->header().target_uri());
    TRY(record.block, found->read_all(kMaxBlock));
    if (is_response) read_response(record, url);
    taken += record.block.size();
    sample.add(std::move(record));
  }
}

// Words with links in them, which compress about as web pages do.
std::string html(caddis::Random& random, uint64_t size, uint64_t links) {
  std::string text = "<!doctype html><html><head><title>A page</title></head><body>\n";
  const uint64_t every = size / (links + 1) + 1;
  while (text.size() < size) {
    if (text.size() / every < (text.size() + 60) / every)
      text += fmt::format("<a class=\"l{}\" href=\"/d{}/p{}.html\">", random.below(9), random.below(40),
                          random.below(100'000));
    if (text.size() > 1500 && random.below(2) == 0) {
      text += text.substr(random.below(text.size() - 400), 20 + random.below(300));
    } else {
      for (int i = 0; i < 40; ++i) text += random.below(6) == 0 ? ' ' : static_cast<char>('a' + random.below(26));
    }
    text += "</a>\n";
  }
  text.resize(size);
  return text;
}

Record field_record(std::string block, std::string_view type) {
  Record record;
  record.header = fmt::format(
      "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: http://h1.s2.test:18080/d7/p123.html\r\nWARC-Date: "
      "2026-01-02T03:04:05.678Z\r\nWARC-Record-ID: <urn:uuid:12345678-1234-4234-8234-123456789abc>\r\n"
      "WARC-IP-Address: 127.1.2.3\r\nWARC-Block-Digest: sha1:ABCDEFGHIJKLMNOPQRSTUVWXYZ234567\r\n"
      "WARC-Concurrent-To: <urn:uuid:12345678-1234-4234-8234-123456789abc>\r\nContent-Length: {}\r\n\r\n",
      type, block.size());
  record.block = std::move(block);
  return record;
}

}  // namespace

void Sample::add(Record record) {
  documents += record.is_document ? 1 : 0;
  exchanges += record.is_response ? 1 : 0;
  if (record.is_response) wire_bytes += record.block.size();
  if (record.block.starts_with("GET ")) request_bytes += record.block.size();
  raw_bytes += record.header.size() + record.block.size();
  body_bytes += record.body.size();
  records.push_back(std::move(record));
}

Result<Sample> sample_of_files(const std::vector<std::string>& files, uint64_t max_bytes) {
  Sample sample;
  const uint64_t places = kPlaces / files.size() + 1;
  for (const std::string& path : files) {
    TRY(const auto file, caddis::io::real_files().open_read(path));
    const caddis::warc::FileSource source(*file);
    TRY(const uint64_t size, source.size());
    for (uint64_t i = 0; i < places; ++i) {
      TRY(const uint64_t start, next_member(source, size / places * i));
      TRY_VOID(take_from(source, start, max_bytes / (files.size() * places), sample));
    }
  }
  if (sample.documents == 0) return caddis::fail(ErrorCode::not_found, files.front() + ": no response in it");
  return sample;
}

Sample made_sample(const MadeOptions& options) {
  Sample sample;
  caddis::SeededRandom random(1);
  for (uint64_t i = 0; i < options.pages; ++i) {
    const bool coded = static_cast<double>(i % 100) < options.gzip * 100;
    const std::string body = html(random, options.page_size, options.links);
    const std::string payload = coded ? caddis::io::gzip_member(body, caddis::io::GzipEffort::small) : body;
    Record response = field_record(
        fmt::format(
            "HTTP/1.1 200 OK\r\nServer: yardsticks\r\nContent-Type: text/html\r\n{}Content-Length: {}\r\n\r\n{}",
            coded ? "Content-Encoding: gzip\r\n" : "", payload.size(), payload),
        "response");
    read_response(response, "http://h1.s2.test/d7/p123.html");
    sample.add(std::move(response));
    sample.add(
        field_record("GET /d7/p123.html HTTP/1.1\r\nHost: h1.s2.test:18080\r\nUser-Agent: Mozilla/5.0 "
                     "(compatible; caddis/0.1 +http://localhost/)\r\nAccept: */*\r\nAccept-Encoding: "
                     "gzip\r\nReferer: http://h1.s2.test:18080/d7/p1.html\r\n\r\n",
                     "request"));
    std::string metadata = "via: http://h1.s2.test:18080/\r\nhopsFromSeed: LLL\r\nfetchTimeMs: 12\r\n";
    for (uint64_t link = 0; link < options.links; ++link)
      metadata += fmt::format("outlink: http://h1.s2.test:18080/d{}/p{}.html L a/@href\r\n", random.below(40),
                              random.below(100'000));
    sample.add(field_record(std::move(metadata), "metadata"));
  }
  return sample;
}

}  // namespace yardsticks
