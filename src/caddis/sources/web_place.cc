// A file is read in windows: the first as long as the record, if that is known, and those behind it twice as long each time, up
// to a bound. Whoever jumps begins with a small one again.
#include "caddis/sources/web_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/sources/redirects.h"

namespace caddis::sources {
namespace {

constexpr size_t kFirstWindow = 64 * 1024;
constexpr size_t kLargestWindow = 1 << 20;

struct ContentRange {
  uint64_t first = 0, total = 0;
};

// "bytes 100-199/5000" (RFC 9110 section 14.4). Without a total it is of no use here.
std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (!starts_with_ignore_case(text, "bytes ")) return std::nullopt;
  text.remove_prefix(6);
  const size_t dash = text.find('-'), slash = text.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || slash < dash) return std::nullopt;
  const auto first = parse_int(trim(text.substr(0, dash)));
  const auto total = parse_int(trim(text.substr(slash + 1)));
  if (!first || !total || *first < 0 || *total <= *first) return std::nullopt;
  return ContentRange{static_cast<uint64_t>(*first), static_cast<uint64_t>(*total)};
}

class WebFile final : public io::File {
 public:
  WebFile(std::shared_ptr<WebPlace> place, std::string address, std::optional<uint64_t> end)
      : place_(std::move(place)), address_(std::move(address)), end_(end) {}

  Result<void> begin(uint64_t offset) {
    const std::scoped_lock lock(mutex_);
    return fetch(offset, end_ ? *end_ - offset : kFirstWindow);
  }

  Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
    const std::scoped_lock lock(mutex_);
    const uint64_t end = end_of_file();
    size_t got = 0;
    while (got < size && offset + got < end) {
      const uint64_t at = offset + got;
      if (at < window_.offset || at >= window_.offset + window_.bytes.size()) {
        TRY_VOID(fetch(at, std::min<uint64_t>(size - got, end - at)));
        if (at < window_.offset || at >= window_.offset + window_.bytes.size()) break;
      }
      const size_t in_window = static_cast<size_t>(at - window_.offset);
      const size_t count = std::min(size - got, window_.bytes.size() - in_window);
      std::memcpy(buffer + got, window_.bytes.data() + in_window, count);
      got += count;
    }
    return got;
  }
  Result<uint64_t> size() const override {
    const std::scoped_lock lock(mutex_);
    return end_of_file();
  }

  Result<void> append(std::string_view) override { return read_only(); }
  Result<void> sync() override { return {}; }
  Result<void> truncate(uint64_t) override { return read_only(); }

 private:
  std::unexpected<Error> read_only() const { return fail(ErrorCode::denied, place_->name() + ": it can only be read"); }
  uint64_t end_of_file() const { return end_ ? std::min(*end_, window_.file_size) : window_.file_size; }

  Result<void> fetch(uint64_t offset, uint64_t wanted) const {
    const bool goes_on = !window_.bytes.empty() && offset == window_.offset + window_.bytes.size();
    next_ = goes_on ? std::min(next_ * 2, kLargestWindow) : kFirstWindow;
    uint64_t size = std::clamp<uint64_t>(wanted, next_, kLargestWindow);
    if (end_) size = std::min(size, *end_ - offset);
    TRY(window_, place_->read(address_, offset, static_cast<size_t>(size)));
    return {};
  }

  const std::shared_ptr<WebPlace> place_;
  const std::string address_;
  const std::optional<uint64_t> end_;
  mutable std::mutex mutex_;  // of what follows
  mutable WebPlace::Part window_;
  mutable size_t next_ = kFirstWindow;
};

}  // namespace

WebPlace::WebPlace(std::shared_ptr<remote::WebClient> client, WebPlaceOptions options)
    : client_(std::move(client)),
      options_(std::move(options)),
      health_(client_->clock(), options_.name),
      credentials_(options_.credentials) {}

// Follows redirects, as stores that spread files over servers answer; those of S3 would want another signature. S3 is asked again
// if it refuses credentials which the file that has them has no more.
Result<remote::WebAnswer> WebPlace::ask(std::string address, uint64_t offset, size_t size) {
  const bool is_s3 = !options_.region.empty();
  remote::S3Credentials credentials = held_credentials();
  Redirects redirects;
  redirects.request = [&](const std::string& asked) {
    remote::WebRequest request;
    request.address = asked;
    request.timeout = options_.timeout;
    request.max_body = size;
    request.memory = size;
    request.may_be_cut = true;
    request.headers.push_back({"Range", fmt::format("bytes={}-{}", offset, offset + size - 1)});
    if (is_s3)
      for (http::Header& field :
           remote::s3_signature(asked, request.headers, credentials, options_.region, client_->clock().wall()))
        request.headers.push_back(std::move(field));
    return request;
  };
  redirects.may_follow = [&](const remote::WebAnswer&, const url::Url&) { return !is_s3; };
  TRY(auto answer, get_following(*client_, address, redirects));
  // 400 is for a session that has expired.
  const bool is_refused = is_s3 && (answer.status == 400 || answer.status == 403);
  if (!is_refused || !renew_credentials(credentials)) return answer;
  credentials = held_credentials();
  return get_following(*client_, std::move(address), redirects);
}

remote::S3Credentials WebPlace::held_credentials() const {
  const std::scoped_lock lock(mutex_);
  return credentials_;
}

bool WebPlace::renew_credentials(const remote::S3Credentials& refused) {
  if (!options_.read_credentials) return false;
  const std::scoped_lock lock(mutex_);
  if (credentials_ != refused) return true;  // somebody else has
  auto read = options_.read_credentials();
  if (!read || *read == refused) return false;
  credentials_ = *std::move(read);
  return true;
}

std::unexpected<Error> WebPlace::refusal(const remote::WebAnswer& answer, const std::string& address) {
  const std::string place = fmt::format("{}: {}", options_.name, remote::shown_address(address));
  const int status = answer.status;
  const std::string_view region = answer.header("x-amz-bucket-region");
  if (!region.empty() && region != options_.region)
    return fail(ErrorCode::config, fmt::format("{}: the bucket is in the region '{}': name that", place, region));
  if (status == 404 || status == 410) return fail(ErrorCode::not_found, place + ": it is not there");
  if (status == 416) return fail(ErrorCode::not_found, place + ": the file is shorter than the index says");
  if (status == 401 || status == 403)
    return fail(ErrorCode::denied,
                fmt::format("{}: the server refuses it ({}): look at its rules and {}", place, status,
                            options_.region.empty() ? "who may read there" : "the credentials"));
  if (status == 200)
    return fail(ErrorCode::unsupported,
                place + ": the server gives no ranges of files (status 200 for a request with Range): it has to");
  const std::string message = fmt::format("{}: the server answers with status {}", place, status);
  if (status >= 500 || status == 429) health_.failed(message);
  return fail(ErrorCode::io, message);
}

Result<WebPlace::Part> WebPlace::read(const std::string& address, uint64_t offset, size_t size) {
  if (const auto reason = health_.why_not()) return fail(ErrorCode::io, *reason);
  auto answer = ask(address, offset, size);
  if (!answer) {
    health_.failed(options_.name + ": " + answer.error().message);
    return pass(std::move(answer).error(), options_.name);
  }
  const auto range = parse_content_range(answer->header("content-range"));
  const bool is_part = answer->status == 206 && range && range->first == offset;
  const bool is_whole = answer->status == 200 && !answer->is_cut;
  if (!is_part && !is_whole) return refusal(*answer, address);
  health_.answered();
  Part part;
  TRY(part.bytes, answer->text(size));
  part.offset = is_part ? offset : 0;
  part.file_size = is_part ? range->total : part.bytes.size();
  if (part.bytes.empty() || offset >= part.file_size)
    return fail(ErrorCode::not_found, fmt::format("{}: {}: the file is shorter than the index says", options_.name,
                                                  remote::shown_address(address)));
  return part;
}

Result<std::unique_ptr<io::File>> open_web_file(std::shared_ptr<WebPlace> place, std::string address, uint64_t offset,
                                                std::optional<uint64_t> length) {
  std::optional<uint64_t> end;
  if (length && *length > 0 && *length < UINT64_MAX - offset) end = offset + *length;
  auto file = std::make_unique<WebFile>(std::move(place), std::move(address), end);
  TRY_VOID(file->begin(offset));
  return file;
}

}  // namespace caddis::sources
