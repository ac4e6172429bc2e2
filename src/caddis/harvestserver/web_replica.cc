// Files by PUT and GET (RFC 9110 sections 9.3.1 and 9.3.4), each at <address>/<archive|indexes>/<name>; a bucket of S3 is the
// same with signed requests. A connection for each file: they are large. A part of one is asked for by Range (section 14.2); of
// a server that gives the whole file all the same, the bytes before it are passed over.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/harvestserver/replica.h"
#include "caddis/harvestserver/web_connection.h"
#include "caddis/http/framing.h"
#include "caddis/http/head.h"
#include "caddis/io/base32.h"
#include "caddis/remote/aws_signature.h"

namespace caddis::harvestserver {
namespace {

constexpr size_t kPiece = 256 * 1024;
constexpr size_t kMostHead = 64 * 1024;
constexpr size_t kMostWords = 2000;                       // of a refusal
constexpr Duration kPatience = std::chrono::seconds(60);  // with each piece
constexpr char kNoBody[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct WebAnswer {
  int status = 0;
  std::string words;  // of an answer that is no file: the beginning of its body
};

// A file that is wanted from that byte to its end; or that is sent, of `size` bytes.
struct Asked {
  std::string_view method;
  uint64_t from = 0;
  const io::File* body = nullptr;
  uint64_t size = 0;
};

// A server may give the whole file where a part was wanted.
bool is_what_was_asked(int status, uint64_t from) { return status == 200 || (status == 206 && from > 0); }

// One request. `sink` gets what is wanted.
class Transfer {
 public:
  Transfer(aio::Loop& loop, const WebPlace& place, std::string head, const Asked& asked, const ByteSink& sink)
      : loop_(loop), place_(place), head_(std::move(head)), asked_(asked), sink_(sink) {}

  aio::Task<void> run(Result<WebAnswer>& answer) { answer = co_await exchange(); }

 private:
  SteadyTime soon() const { return loop_.clock().steady() + kPatience; }

  aio::Task<Result<WebAnswer>> exchange() {
    const auto network = aio::make_network(loop_);
    CO_TRY(const auto stream, co_await connect_to(loop_, *network, place_, soon()));
    stream->set_deadline(soon());
    CO_TRY_VOID(co_await stream->write(head_));
    std::string buffer(kPiece, '\0');
    for (uint64_t at = 0; asked_.body != nullptr && at < asked_.size;) {
      CO_TRY(const size_t got, asked_.body->read_at(at, buffer.data(), buffer.size()));
      if (got == 0) co_return fail(ErrorCode::io, "the file has become shorter");
      const std::string_view piece = std::string_view(buffer).substr(0, got);
      stream->set_deadline(soon());
      CO_TRY_VOID(co_await stream->write(piece));
      at += got;
    }
    stream->set_deadline(soon());
    co_return co_await read_answer(*stream, buffer);
  }

  aio::Task<Result<WebAnswer>> read_answer(aio::Stream& stream, std::string& buffer) {
    std::string text;
    size_t end = std::string::npos;
    while (end == std::string::npos) {
      CO_TRY(const size_t got, co_await stream.read(buffer.data(), buffer.size()));
      if (got == 0) co_return fail(ErrorCode::closed, "the server ends the connection without an answer");
      text.append(buffer, 0, got);
      end = text.find("\r\n\r\n");
      if (text.size() > kMostHead && end == std::string::npos) co_return fail(ErrorCode::limit, "no head of an answer");
    }
    CO_TRY(const http::ResponseHead head, http::parse_response_head(text, http::Mode::lenient));
    const http::Framing framing = http::response_framing(head, asked_.method);
    WebAnswer answer{head.status(), {}};
    const bool is_file = asked_.body == nullptr && is_what_was_asked(answer.status, asked_.from);
    if (is_file && framing.kind == http::Framing::Kind::chunked)
      co_return fail(ErrorCode::unsupported, "the server sends the file in chunks, and does not say how long it is");
    std::string rest = text.substr(head.size());
    uint64_t had = 0, unwanted = answer.status == 200 ? asked_.from : 0;
    for (;;) {
      had += rest.size();
      if (is_file)
        CO_TRY_VOID(take(rest, unwanted));
      else if (answer.words.size() < kMostWords)
        answer.words += rest;
      if (framing.kind == http::Framing::Kind::none) break;
      if (framing.kind == http::Framing::Kind::length && had >= framing.length) break;
      if (!is_file && answer.words.size() >= kMostWords) break;
      stream.set_deadline(soon());
      CO_TRY(const size_t got, co_await stream.read(buffer.data(), buffer.size()));
      if (got == 0) break;
      rest.assign(buffer, 0, got);
    }
    if (is_file && framing.kind == http::Framing::Kind::length && had < framing.length)
      co_return fail(ErrorCode::closed, "the connection has ended before the file did");
    co_return answer;
  }

  Result<void> take(std::string_view bytes, uint64_t& unwanted) const {
    const uint64_t passed = std::min<uint64_t>(unwanted, bytes.size());
    unwanted -= passed;
    return passed < bytes.size() ? sink_(bytes.substr(passed)) : Result<void>();
  }

  aio::Loop& loop_;
  const WebPlace& place_;
  const std::string head_;
  const Asked asked_;
  const ByteSink& sink_;
};

class WebReplica : public Replica {
 public:
  WebReplica(const ReplicaWorld& world, ReplicaSettings settings, WebPlace place, ReplicaKey key)
      : world_(world), settings_(std::move(settings)), place_(std::move(place)), key_(std::move(key)) {}

  std::string words() const override { return fmt::format("{} {}", settings_.kind, settings_.place); }

  Result<void> read(const KeptFile& file, uint64_t from, const ByteSink& sink) override {
    TRY(const WebAnswer answer, ask(file, {.method = "GET", .from = from}, sink));
    if (answer.status == 404) return fail(ErrorCode::not_found, fmt::format("{} is not there", file.name));
    const bool is_shorter = answer.status == 416 && from > 0;
    return is_shorter || is_what_was_asked(answer.status, from) ? Result<void>() : refused(answer);
  }

  Result<void> put(const KeptFile& file, const std::string& path) override {
    TRY(const auto opened, world_.files.open_read(path));
    TRY(const uint64_t size, opened->size());
    TRY(const WebAnswer answer, ask(file, {.method = "PUT", .body = opened.get(), .size = size}, {}));
    return answer.status / 100 == 2 ? Result<void>() : refused(answer);
  }

 private:
  static std::unexpected<Error> refused(const WebAnswer& answer) {
    const ErrorCode code = answer.status == 401 || answer.status == 403 ? ErrorCode::denied : ErrorCode::io;
    return fail(code, fmt::format("the server answers {} {}", answer.status, trim(answer.words)));
  }

  std::string head_of(const Asked& asked, const std::string& path, const KeptFile& file) const {
    const bool has_body = asked.body != nullptr;
    std::string head =
        fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", asked.method, path, place_.authority());
    if (has_body) head += fmt::format("Content-Length: {}\r\nContent-Type: application/octet-stream\r\n", asked.size);
    if (asked.from > 0) head += fmt::format("Range: bytes={}-\r\n", asked.from);
    if (settings_.kind == "s3") {
      const WallTime now = world_.clock.wall();
      const std::string digest = has_body ? file.sha256 : kNoBody;
      const remote::AwsKeys keys{key_.user, key_.secret, key_.region.empty() ? "us-east-1" : key_.region, "s3"};
      const remote::AwsRequest request{
          std::string(asked.method),
          path,
          "",
          {{"Host", place_.authority()}, {"X-Amz-Content-Sha256", digest}, {"X-Amz-Date", remote::aws_date(now)}},
          digest};
      head += fmt::format("X-Amz-Content-Sha256: {}\r\nX-Amz-Date: {}\r\nAuthorization: {}\r\n", digest,
                          remote::aws_date(now), remote::aws_authorization(keys, request, now));
    } else if (!key_.user.empty()) {
      head += fmt::format("Authorization: Basic {}\r\n", io::encode_base64(key_.user + ":" + key_.secret));
    }
    return head + "\r\n";
  }

  Result<WebAnswer> ask(const KeptFile& file, const Asked& asked, const ByteSink& sink) const {
    const bool is_archive = file.kind == "warc" || file.kind == "metadata";
    const std::string path =
        fmt::format("{}/{}/{}", place_.path, is_archive ? "archive" : "indexes", percent_encoded(file.name));
    const auto loop = aio::make_loop(system_clock());
    Transfer transfer(*loop, place_, head_of(asked, path, file), asked, sink);
    Result<WebAnswer> answer;
    aio::run_to_end(*loop, transfer.run(answer));
    return answer;
  }

  const ReplicaWorld world_;
  const ReplicaSettings settings_;
  const WebPlace place_;
  const ReplicaKey key_;
};

}  // namespace

Result<ReplicaSettings> read_replica_settings(std::string_view text) {
  const size_t blank = text.find(' '), colon = text.find(':', blank == std::string_view::npos ? 0 : blank);
  ReplicaSettings settings;
  if (blank != std::string_view::npos && colon != std::string_view::npos) {
    settings.name = std::string(text.substr(0, blank));
    settings.kind = std::string(trim(text.substr(blank, colon - blank)));
    settings.place = std::string(trim(text.substr(colon + 1)));
  }
  const bool is_known = settings.kind == "folder" || settings.kind == "put" || settings.kind == "s3";
  if (!is_known || settings.name.empty() || settings.name == "archive" || settings.place.empty())
    return fail(ErrorCode::config,
                fmt::format("'{}' is no replica: write \"second folder:/mnt/b/archive\", \"dav put:https://…\" or "
                            "\"cloud s3:https://…\"; 'archive' is the name of the archive itself",
                            text));
  return settings;
}

Result<std::vector<ReplicaKey>> read_replica_keys(std::string_view text) {
  std::vector<ReplicaKey> keys;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).empty() || trim(line).starts_with('#')) continue;
    std::vector<std::string> words;
    for (const std::string_view word : split(trim(line), ' '))
      if (!word.empty()) words.emplace_back(word);
    if (words.size() < 3 || words.size() > 4)
      return fail(ErrorCode::config, "a line of keys has the name of a replica, a key or user, a secret, and a region");
    keys.push_back({words[0], words[1], words[2], words.size() > 3 ? words[3] : ""});
  }
  return keys;
}

Result<std::unique_ptr<Replica>> open_replica(const ReplicaWorld& world, const ReplicaSettings& settings,
                                              const std::vector<ReplicaKey>& keys) {
  if (settings.kind == "folder") return folder_replica(world, settings.place);
  TRY(WebPlace place, place_of(settings.place));
  if (place.host.empty()) return fail(ErrorCode::config, fmt::format("'{}' is no address of a server", settings.place));
  ReplicaKey own;
  for (const ReplicaKey& key : keys)
    if (key.name == settings.name) own = key;
  if (settings.kind == "s3" && own.user.empty())
    return fail(ErrorCode::config, fmt::format("the file of replica keys has no line for '{}'", settings.name));
  return std::make_unique<WebReplica>(world, settings, std::move(place), std::move(own));
}

}  // namespace caddis::harvestserver
