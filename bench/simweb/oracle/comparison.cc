#include "simweb/oracle/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/views.h"
#include "simweb/world/doors.h"

namespace simweb {
namespace {

using caddis::warc::HttpHead;
using caddis::warc::Record;

// Holds bytes as they come against the pieces of an answer.
class Walk {
 public:
  Walk(const Answer& answer, uint64_t limit, bool endless) : pieces_(answer.body), left_(limit), endless_(endless) {}

  void feed(std::string_view bytes) {
    while (!bytes.empty() && !different_) {
      skip_finished();
      const size_t size = std::min<uint64_t>({bytes.size(), left_, ahead().size()});
      if (size == 0 || bytes.substr(0, size) != ahead().substr(0, size)) {
        different_ = true;
        for (size_t i = 0; i < size && bytes[i] == ahead()[i]; ++i) ++position_;
        return;
      }
      bytes.remove_prefix(size);
      position_ += size;
      in_piece_ += size;
      left_ -= size;
    }
  }
  bool different() const { return different_; }
  uint64_t position() const { return position_; }  // of the first difference

 private:
  std::string_view ahead() const {
    return piece_ < pieces_.size() ? pieces_[piece_].substr(in_piece_) : std::string_view();
  }
  void skip_finished() {
    while (piece_ < pieces_.size() && in_piece_ == pieces_[piece_].size()) {
      ++piece_;
      in_piece_ = 0;
      if (endless_ && piece_ == pieces_.size()) piece_ = 0;
    }
  }

  const std::vector<std::string_view>& pieces_;
  uint64_t left_;
  bool endless_;
  size_t piece_ = 0, in_piece_ = 0;
  uint64_t position_ = 0;
  bool different_ = false;
};

// What the head of an archived answer says of which of the possible answers it is.
Request request_for(const HostFacts& host, const PageRef& page, const HttpHead& head) {
  Request request{.host = host.id, .page = page, .attempt = 9, .let_in = page.kind != Kind::login_form};
  request.window = caddis::parse_int(head.get("X-Window")).value_or(0);
  request.accepts_gzip = caddis::equals_ignore_case(head.get("Content-Encoding"), "gzip");
  return request;
}

class Comparer {
 public:
  Comparer(const World& world, const HostFacts& host, const PageRef& page, const Expectation& expected)
      : world_(world), host_(host), page_(page), expected_(expected) {}

  caddis::Result<Comparison> response(Record& record) {
    caddis::warc::PayloadSplitter splitter(caddis::warc::is_http(record.header()));
    std::optional<Walk> walk;
    uint64_t size = 0;
    const auto take = [&](std::string_view piece) {
      if (!walk) walk.emplace(begin(HttpHead(splitter.head())));
      sha1_.update(piece);
      walk->feed(piece);
      size += piece.size();
    };
    for (;;) {
      TRY(const std::string_view piece, record.read_block());
      if (piece.empty()) break;
      splitter.feed(
          piece, [&](std::string_view raw) { splitter.chunked() ? void() : take(raw); },
          [&](std::string_view entity) { take(entity); });
    }
    const std::string digest = caddis::io::digest_label(sha1_.finish());
    if (!record.complete()) return differs("the record is damaged");
    if (page_.kind == Kind::bad_head) return std::move(result_);
    if (!splitter.head_complete()) {
      if (expected_.match == Match::prefix) return std::move(result_);
      return differs("the head has no end");
    }
    if (!walk) walk.emplace(begin(HttpHead(splitter.head())));
    if (!result_.difference.empty()) return std::move(result_);
    if (walk->different()) return differs(fmt::format("the payload differs from byte {}", walk->position()));
    if (expected_.match == Match::exact && size != expected_size_)
      return differs(fmt::format("the payload has {} bytes of {}", size, expected_size_));
    if (expected_.match == Match::exact && splitter.chunked() && !splitter.decoder().done())
      return differs("the last chunk is not there");
    const std::string_view said = record.header().payload_digest();
    if (said.starts_with("sha1:") && !same_digest(said, digest))
      return differs(fmt::format("its WARC-Payload-Digest is {}, its payload's {}", said, digest));
    return std::move(result_);
  }

  caddis::Result<Comparison> revisit(Record& record) {
    TRY(const std::string block, record.read_all(1 << 20));
    if (!record.complete()) return differs("the record is damaged");
    const HttpHead head(block);
    if (caddis::warc::Revisit(record.header()).profile() == caddis::warc::Revisit::Profile::server_not_modified) {
      result_.interim = result_.unchanged = true;
      return std::move(result_);
    }
    begin(head);
    if (!result_.difference.empty() || expected_.match != Match::exact) return std::move(result_);
    for (const std::string_view piece : answer().body) {
      const size_t size = std::min<uint64_t>(piece.size(), left_);
      sha1_.update(piece.substr(0, size));
      left_ -= size;
    }
    const std::string digest = caddis::io::digest_label(sha1_.finish());
    if (same_digest(record.header().payload_digest(), digest)) return std::move(result_);
    return differs(fmt::format("it says its payload is {}, but it is {}", record.header().payload_digest(), digest));
  }

 private:
  static Answer& answer() {
    thread_local Answer answer;
    return answer;
  }

  static bool same_digest(std::string_view a, std::string_view b) {
    const auto first = caddis::warc::parse_digest_field(a), second = caddis::warc::parse_digest_field(b);
    return first && second && first->raw == second->raw;
  }

  Comparison differs(std::string how) {
    result_.difference = std::move(how);
    return std::move(result_);
  }

  // Chooses the answer that the head belongs to; what to hold the payload against.
  Walk begin(const HttpHead& head) {
    const int status = head.status();
    Request request = request_for(host_, page_, head);
    world_.respond(request, answer());
    if (answer().status != status && counts_attempts(page_.kind)) {
      request.attempt = 0;
      world_.respond(request, answer());
      result_.interim = answer().status == status;
    }
    if (answer().status != status && door_of(world_.settings(), host_.id, page_.kind) == Door::cookie) {
      request.let_in = false;
      world_.respond(request, answer());
      result_.interim = answer().status == status;
    }
    // The answer to a form that was filled in rightly.
    if (answer().status != status && page_.kind == Kind::login_form) {
      request.let_in = true;
      world_.respond(request, answer());
    }
    if (answer().status != status && page_.kind != Kind::bad_head)
      result_.difference = fmt::format("its status is {} instead of {}", status, answer().status);
    const uint64_t limit = page_.kind == Kind::length_short ? answer().declared : UINT64_MAX;
    world_.entity(request, answer());
    left_ = limit;
    expected_size_ = std::min(limit, answer().body_size);
    return Walk(answer(), limit, page_.kind == Kind::endless);
  }

  const World& world_;
  const HostFacts& host_;
  const PageRef& page_;
  const Expectation& expected_;
  caddis::io::Sha1 sha1_;
  uint64_t left_ = 0, expected_size_ = 0;
  Comparison result_;
};

}  // namespace

caddis::Result<Comparison> compare_record(const World& world, const HostFacts& host, const PageRef& page,
                                          const Expectation& expected, Record& record) {
  Comparer comparer(world, host, page, expected);
  return record.type() == caddis::warc::RecordType::revisit ? comparer.revisit(record) : comparer.response(record);
}

}  // namespace simweb
