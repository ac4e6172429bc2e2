#include "caddis/http/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/blank_line.h"

namespace caddis::http {
namespace {

// More interim responses than these are an attack, not patience.
constexpr unsigned kMaxInterimHeads = 20;
// Enough to tell HTTP from everything else, with some blank lines in front.
constexpr size_t kDecidingBytes = 64;
// Behind a body that is read in place, for what a server sends too much.
constexpr size_t kSurplusRoom = 256;
// Of a body's announced length that memory is taken for before it has come: what servers say costs nothing.
constexpr uint64_t kBelieved = 64 * 1024;

}  // namespace

std::string_view warc_truncated(Truncated reason) {
  switch (reason) {
    case Truncated::none:
      return "";
    case Truncated::length:
      return "length";
    case Truncated::time:
      return "time";
    case Truncated::disconnect:
      return "disconnect";
    case Truncated::head:
      return "length";
    case Truncated::unwanted:
      return "unspecified";
  }
  return "unspecified";
}

std::string_view truncated_annotation(Truncated reason) {
  switch (reason) {
    case Truncated::none:
      return "";
    case Truncated::length:
      return "lenTrunc";
    case Truncated::time:
      return "timeTrunc";
    case Truncated::disconnect:
      return "disconnectTrunc";
    case Truncated::head:
      return "headerTrunc";
    case Truncated::unwanted:
      return "midFetchAbort";
  }
  return "";
}

std::string_view protocol_of(const Exchange& exchange) {
  if (exchange.resource) return exchange.resource->protocol;
  return exchange.tls && exchange.tls->application == "h2" ? "h2" : "http/1.1";
}

ResponseRecorder::ResponseRecorder(io::SpoolFolder& folder, const Limits& limits, std::string_view method)
    : limits_(limits),
      method_(method),
      exchange_(io::Spool(folder, limits.memory)),
      block_(limits.digest),
      payload_(limits.digest) {}

Result<void> ResponseRecorder::feed(std::string_view bytes) {
  received_ += bytes.size();
  while (!bytes.empty() && state_ != State::done) {
    TRY_VOID(state_ == State::head ? feed_head(bytes) : feed_body(bytes));
  }
  // The rest of a response that is cut here is no surplus.
  if (exchange_.truncated == Truncated::none) exchange_.surplus += bytes.size();
  return {};
}

std::span<char> ResponseRecorder::place() {
  const bool plain = state_ == State::body && exchange_.framing.kind == Framing::Kind::length;
  if (!plain || (limits_.max_body > 0 && exchange_.framing.length > limits_.max_body)) return {};
  const std::span<char> room = exchange_.response.room();
  if (room.size() == left_) return {};  // none for more than the body: the spool's memory ends here
  return room.first(static_cast<size_t>(std::min<uint64_t>(room.size(), left_ + kSurplusRoom)));
}

void ResponseRecorder::fed_in_place(size_t count) {
  const std::string_view bytes(exchange_.response.room().data(), std::min<uint64_t>(count, left_));
  exchange_.response.filled(bytes.size());
  received(bytes);
  payload(bytes);
  received_ += count;
  exchange_.surplus += count - bytes.size();
  left_ -= bytes.size();
  if (left_ == 0) state_ = State::done;
}

Result<void> ResponseRecorder::feed_head(std::string_view& bytes) {
  // The usual head comes in one piece and is not copied here.
  const size_t before = pending_.size();
  if (before > 0) pending_ += bytes;
  const std::string_view all = before > 0 ? std::string_view(pending_) : bytes;
  if (looks_like_response(all.substr(0, kDecidingBytes)) == Looks::like_other) {
    refuse("the server does not speak HTTP");
    return {};
  }
  const auto end = scanner_.scan(all);
  if (!end && all.size() < limits_.max_head) {
    if (before == 0) pending_ = all;
    bytes = {};
    return {};
  }
  const bool whole = end && *end <= limits_.max_head;
  const std::string_view raw = all.substr(0, whole ? *end : limits_.max_head);
  bytes.remove_prefix(raw.size() - before);
  TRY_VOID(take_head(raw));
  if (!whole && not_http_.empty()) stop(Truncated::head);
  pending_.clear();
  scanner_ = HeadScanner();
  return {};
}

Result<void> ResponseRecorder::take_head(std::string_view raw) {
  auto head = parse_response_head(raw, Mode::lenient, HeadLimits{.bytes = limits_.max_head + 1});
  if (!head) {
    refuse(std::move(head.error().message));
    return {};
  }
  if (head->is_interim()) {
    exchange_.interim += raw;
    if (++interim_heads_ > kMaxInterimHeads) refuse(fmt::format("more than {} interim responses", kMaxInterimHeads));
    return {};
  }
  exchange_.framing = response_framing(*head, method_);
  exchange_.head = *std::move(head);
  left_ = exchange_.framing.length;
  exchange_.response.reserve(raw.size() + std::min(left_, kBelieved) + kSurplusRoom);
  state_ = State::body;
  const bool empty =
      exchange_.framing.kind == Framing::Kind::none || (exchange_.framing.kind == Framing::Kind::length && left_ == 0);
  if (empty) state_ = State::done;
  exchange_.payload_is_body = exchange_.framing.kind != Framing::Kind::chunked;
  TRY_VOID(store(raw));
  exchange_.head_size = raw.size();
  exchange_.head_size_for_readers = std::min(after_blank_line(raw), raw.size());
  if (readers_differ()) {
    payload_.update(raw.substr(exchange_.head_size_for_readers));
    note("a blank line before the end of the head, where readers of archives take the body to begin");
  }
  note(exchange_.framing.problem);
  const bool has_length = exchange_.framing.kind == Framing::Kind::length;
  if (state_ == State::body && limits_.wants_body &&
      !limits_.wants_body(exchange_.head, has_length ? static_cast<int64_t>(left_) : -1))
    stop(Truncated::unwanted);
  return {};
}

Result<void> ResponseRecorder::feed_body(std::string_view& bytes) {
  std::string_view part = bytes;
  bool over = false;
  if (limits_.max_body > 0 && part.size() > limits_.max_body - exchange_.body_size()) {
    part = part.substr(0, limits_.max_body - exchange_.body_size());
    over = true;
  }
  switch (exchange_.framing.kind) {
    case Framing::Kind::none:
      break;
    case Framing::Kind::length:
      part = part.substr(0, std::min<uint64_t>(left_, part.size()));
      left_ -= part.size();
      if (left_ == 0) state_ = State::done;
      payload(part);
      break;
    case Framing::Kind::until_close:
      payload(part);
      break;
    case Framing::Kind::chunked:
      part = part.substr(0, take_chunked(part));
      break;
  }
  bytes.remove_prefix(part.size());
  TRY_VOID(store(part));
  if (over && state_ != State::done) stop(Truncated::length);
  return {};
}

// How many of `bytes` belong to the body.
size_t ResponseRecorder::take_chunked(std::string_view bytes) {
  if (chunks_.broken()) return bytes.size();
  std::string_view rest = bytes;
  for (std::string_view piece; !(piece = chunks_.next(rest)).empty();) payload(piece);
  if (chunks_.done()) {
    state_ = State::done;
    return bytes.size() - rest.size();
  }
  if (chunks_.was_chunked())
    undecided_ = {};
  else
    undecided_ += bytes;
  if (!chunks_.broken()) return bytes.size();
  // From here on nobody knows where it ends: everything the server sends belongs to it.
  exchange_.framing.keep_alive = false;
  note(chunks_.problem());
  if (!chunks_.was_chunked()) not_chunked();
  return bytes.size();
}

// The field said chunked, but the first line is no chunk size: the body is what it is.
void ResponseRecorder::not_chunked() {
  exchange_.framing.kind = Framing::Kind::until_close;
  exchange_.payload_is_body = true;
  payload(undecided_);
  undecided_ = {};
}

Result<void> ResponseRecorder::store(std::string_view bytes) {
  received(bytes);
  return exchange_.response.append(bytes);
}

void ResponseRecorder::received(std::string_view bytes) {
  block_.update(bytes);
  if (readers_differ()) payload_.update(bytes);
}

void ResponseRecorder::payload(std::string_view bytes) {
  if (!readers_differ()) payload_.update(bytes);
  exchange_.payload_size += bytes.size();
}

void ResponseRecorder::note(std::string_view problem) {
  if (problem.empty()) return;
  if (!exchange_.problem.empty()) exchange_.problem += "; ";
  exchange_.problem += problem;
}

void ResponseRecorder::stop(Truncated why) {
  exchange_.truncated = why;
  state_ = State::done;
}

void ResponseRecorder::refuse(std::string why) {
  not_http_ = std::move(why);
  state_ = State::done;
}

FetchResult ResponseRecorder::finish(End end, std::string_view why) {
  if (state_ == State::head && end == End::closed && pending_.find('\n') != std::string::npos) {
    // Some servers send a head without the empty line, and close.
    if (auto stored = take_head(pending_); !stored)
      return std::unexpected(Failure{Failure::At::local, std::move(stored).error()});
    if (state_ == State::body)
      stop(Truncated::disconnect);
    else if (state_ == State::done && not_http_.empty())
      exchange_.truncated = Truncated::disconnect;
  }
  if (!not_http_.empty()) return std::unexpected(Failure{Failure::At::protocol, Error{ErrorCode::parse, not_http_}});
  if (state_ == State::head) return std::unexpected(no_response(end, why));

  if (state_ != State::done) exchange_.truncated = lacking(end);
  if (exchange_.framing.kind == Framing::Kind::chunked && !chunks_.was_chunked()) not_chunked();
  const uint64_t surplus = exchange_.surplus;
  if (surplus > 0) note(fmt::format("{} bytes behind the end of the response", surplus));
  exchange_.framing.keep_alive =
      exchange_.framing.keep_alive && end == End::complete && surplus == 0 && exchange_.truncated == Truncated::none;
  exchange_.block_digest = block_.finish();
  exchange_.payload_digest = payload_.finish();
  return std::move(exchange_);
}

Failure ResponseRecorder::no_response(End end, std::string_view why) const {
  const std::string_view when = received_ == 0 ? "before the response" : "within the response's head";
  if (end == End::timeout)
    return {Failure::At::response, Error{ErrorCode::timeout, fmt::format("time ran out {}", when)}};
  if (end == End::broken)
    return {Failure::At::response, Error{ErrorCode::closed, fmt::format("connection lost {}: {}", when, why)}};
  return {Failure::At::response, Error{ErrorCode::closed, fmt::format("the server closed the connection {}", when)}};
}

// What is missing where the input ended before the response did.
Truncated ResponseRecorder::lacking(End end) const {
  if (chunks_.has_all_data()) return Truncated::none;
  const bool ends_with_connection = exchange_.framing.kind == Framing::Kind::until_close || chunks_.broken();
  if (end == End::timeout) return Truncated::time;
  return end == End::closed && ends_with_connection ? Truncated::none : Truncated::disconnect;
}

}  // namespace caddis::http
