// nghttp2 reads frames, unpacks fields, holds what comes against RFC 9113 and writes the answers; the callbacks here
// make the HTTP/1.1 rendition of what they are told, and hand it to the recorder. What nghttp2 finds to be malformed
// ends the exchange. Bytes that lead nowhere (settings, pings, frames without content) are counted: a server that sends
// nothing else is left.
#include "caddis/http/http2_session.h"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/http/recorder.h"

namespace caddis::http {
namespace {

constexpr int32_t kLargestWindow = 1 << 20;
// Beside the head itself, of what leads to no part of a response.
constexpr size_t kFruitlessMost = 64 * 1024;
constexpr size_t kNotesMost = 4096;

// Fields of a connection of HTTP/1.1, and those that have a pseudo field instead (RFC 9113, section 8.2.2).
bool is_of_connection(std::string_view name) {
  for (const std::string_view other :
       {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "http2-settings"})
    if (equals_ignore_case(name, other)) return true;
  return false;
}

nghttp2_nv field(const std::string& name, const std::string& value, bool is_secret = false) {
  const auto flags = static_cast<uint8_t>(is_secret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE);
  // nghttp2 copies both; it only forgot to say const.
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),   // NOLINT(cppcoreguidelines-pro-type-const-cast)
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),  // NOLINT(cppcoreguidelines-pro-type-const-cast)
          name.size(), value.size(), flags};
}

std::string_view view(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

std::string_view view(nghttp2_rcbuf* buffer) {
  const nghttp2_vec bytes = nghttp2_rcbuf_get_buf(buffer);
  return view(bytes.base, bytes.len);
}

// A line end within a field would be another field of its rendition; nghttp2 refuses them, too.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  return line;
}

}  // namespace

std::string http1_rendition(const Request& request) {
  Request shown = request;
  std::erase_if(shown.headers, [](const Header& header) { return is_of_connection(header.name); });
  shown.version = {1, 1};
  return shown.recorded_bytes();
}

// The functions that nghttp2 calls.
struct Http2Callbacks {
  static Http2Session& session(void* user) { return *static_cast<Http2Session*>(user); }
  static bool is_ours(const Http2Session& self, const nghttp2_frame& frame) {
    return self.recorder_ != nullptr && self.stream_ != 0 && frame.hd.stream_id == self.stream_;
  }

  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& self = session(user);
    if (is_ours(self, *frame)) self.head_.clear();
    return 0;
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, nghttp2_rcbuf* name, nghttp2_rcbuf* value, uint8_t,
                       void* user) {
    Http2Session& self = session(user);
    if (!is_ours(self, *frame)) return 0;
    if (self.has_head_) {
      self.take_trailer(view(name), view(value));
      return 0;
    }
    self.take_field(view(name), view(value));
    if (self.head_.size() <= self.max_head_) return 0;
    // The recorder keeps the beginning of it, and wants no more.
    const int recorded = self.record(self.head_);
    return recorded != 0 ? recorded : static_cast<int>(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE);
  }

  static int on_invalid_header(nghttp2_session*, const nghttp2_frame* frame, nghttp2_rcbuf* name, nghttp2_rcbuf* value,
                               uint8_t, void* user) {
    Http2Session& self = session(user);
    if (is_ours(self, *frame))
      self.note(fmt::format("no field of HTTP: {}: {}", on_one_line(view(name)), on_one_line(view(value))));
    return 0;
  }

  // Streams that it leaves out are closed next, as refused.
  static int on_goaway(Http2Session& self, const nghttp2_goaway& frame) {
    if (self.stream_ <= frame.last_stream_id || self.has_ended_) return 0;
    self.fail_with(fmt::format("the server ended the connection: {}", nghttp2_http2_strerror(frame.error_code)));
    if (frame.error_code == NGHTTP2_HTTP_1_1_REQUIRED) self.advice_ = Http2Session::Advice::http1;
    return 0;
  }

  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Http2Session& self = session(user);
    if (frame->hd.type == NGHTTP2_GOAWAY) return on_goaway(self, frame->goaway);
    if (!is_ours(self, *frame)) return 0;
    const bool is_content = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (is_content && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) self.has_ended_ = true;
    return frame->hd.type == NGHTTP2_HEADERS ? self.end_of_head() : 0;
  }

  static int on_data(nghttp2_session*, uint8_t, int32_t stream, const uint8_t* bytes, size_t size, void* user) {
    Http2Session& self = session(user);
    if (self.recorder_ == nullptr || stream != self.stream_) return 0;
    return self.take_data(view(bytes, size));
  }

  static int on_close(nghttp2_session*, int32_t stream, uint32_t code, void* user) {
    Http2Session& self = session(user);
    if (stream == self.stream_) self.closed(code);
    return 0;
  }

  static int on_error(nghttp2_session*, int, const char* text, size_t size, void* user) {
    Http2Session& self = session(user);
    if (std::string_view(text, size).starts_with("Ignoring")) return 0;  // on_invalid_header has noted it
    // The first is the cause of the others.
    if (self.why_.empty()) {
      self.why_ = "the server's HTTP/2 is broken: " + on_one_line(std::string_view(text, size));
      self.advice_ = Http2Session::Advice::http1;
    }
    return 0;
  }

  static ssize_t read_body(nghttp2_session*, int32_t, uint8_t* to, size_t size, uint32_t* flags, nghttp2_data_source*,
                           void* user) {
    Http2Session& self = session(user);
    const size_t count = std::min(size, self.body_.size());
    std::memcpy(to, self.body_.data(), count);
    self.body_.erase(0, count);
    self.counted_.sent += count;
    if (self.body_.empty()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
  }

  static const nghttp2_session_callbacks* all() {
    static const nghttp2_session_callbacks* const shared = [] {
      nghttp2_session_callbacks* made = nullptr;
      CADDIS_CHECK(nghttp2_session_callbacks_new(&made) == 0);
      nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
      nghttp2_session_callbacks_set_on_header_callback2(made, on_header);
      nghttp2_session_callbacks_set_on_invalid_header_callback2(made, on_invalid_header);
      nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
      nghttp2_session_callbacks_set_on_stream_close_callback(made, on_close);
      nghttp2_session_callbacks_set_error_callback2(made, on_error);
      return made;
    }();
    return shared;
  }
};

void Http2Session::SessionDeleter::operator()(nghttp2_session* session) const { nghttp2_session_del(session); }

Http2Session::Http2Session() {
  nghttp2_session* made = nullptr;
  CADDIS_CHECK(nghttp2_session_client_new(&made, Http2Callbacks::all(), this) == 0);
  session_.reset(made);
  const auto settings = std::to_array<nghttp2_settings_entry>({{NGHTTP2_SETTINGS_ENABLE_PUSH, 0}});
  CADDIS_CHECK(nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0);
}

Http2Session::~Http2Session() = default;

void Http2Session::begin(const Request& request, ResponseRecorder& recorder, size_t max_head) {
  recorder_ = &recorder;
  max_head_ = max_head;
  has_head_ = has_ended_ = is_closed_ = false;
  counted_ = Counted();
  advice_ = Advice::none;
  why_.clear();
  notes_.clear();
  body_ = request.body;
  std::vector<std::pair<std::string, std::string>> fields = {
      {":method", request.method}, {":scheme", "https"}, {":authority", ""}, {":path", request.target}};
  std::vector<bool> secrets(fields.size(), false);
  for (const Header& header : request.headers) {
    if (equals_ignore_case(header.name, "host")) {
      fields[2].second = header.value;
    } else if (!is_of_connection(header.name)) {
      fields.emplace_back(to_lower(header.name), on_one_line(header.value));
      secrets.push_back(header.secret);
    }
  }
  std::vector<nghttp2_nv> sent;
  sent.reserve(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) sent.push_back(field(fields[i].first, fields[i].second, secrets[i]));
  nghttp2_data_provider body{};
  body.read_callback = Http2Callbacks::read_body;
  const int32_t stream = nghttp2_submit_request(session_.get(), nullptr, sent.data(), sent.size(),
                                                body_.empty() ? nullptr : &body, nullptr);
  stream_ = std::max(stream, 0);
  if (stream > 0) return;
  fail_with("the connection takes no further request");
  advice_ = Advice::again;
}

Result<void> Http2Session::feed(std::string_view bytes) {
  const uint64_t before = counted_.received;
  const ssize_t taken =
      nghttp2_session_mem_recv(session_.get(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (error_) return std::unexpected(*error_);
  counted_.fruitless = counted_.received > before ? 0 : counted_.fruitless + bytes.size();
  if (taken < 0) {
    fail_with(fmt::format("the server's HTTP/2 is broken: {}", nghttp2_strerror(static_cast<int>(taken))));
    advice_ = Advice::http1;
  }
  if (counted_.fruitless > max_head_ + kFruitlessMost) fail_with("the server sends frames without content");
  return {};
}

std::string Http2Session::output() {
  std::string out;
  for (;;) {
    const uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_.get(), &bytes);
    if (size < 0) fail_with(nghttp2_strerror(static_cast<int>(size)));
    if (size <= 0) break;
    out += view(bytes, static_cast<size_t>(size));
  }
  // Once it has said goodbye, since what came cannot be understood, it reads no further.
  if (stream_ != 0 && !is_closed_ && !has_ended_ && nghttp2_session_want_read(session_.get()) == 0) {
    fail_with("the server's HTTP/2 is broken");
    advice_ = Advice::http1;
  }
  return out;
}

bool Http2Session::is_over() const { return is_closed_ || stream_ == 0 || !why_.empty(); }

bool Http2Session::finish() {
  recorder_ = nullptr;
  body_.clear();
  head_ = {};
  const bool is_in_order = has_ended_ && is_closed_ && why_.empty() && !error_;
  stream_ = 0;
  return is_in_order && nghttp2_session_want_read(session_.get()) != 0 &&
         nghttp2_session_check_request_allowed(session_.get()) != 0;
}

void Http2Session::take_field(std::string_view name, std::string_view value) {
  if (name == ":status") {
    head_ = fmt::format("HTTP/1.1 {} \r\n", on_one_line(value));
  } else if (!name.starts_with(':')) {
    head_.append(on_one_line(name)).append(": ").append(on_one_line(value)).append("\r\n");
  }
}

void Http2Session::take_trailer(std::string_view name, std::string_view value) {
  note(fmt::format("trailer {}: {}", on_one_line(name), on_one_line(value)));
}

void Http2Session::note(std::string_view text) {
  if (notes_.size() + text.size() > kNotesMost) return;
  if (!notes_.empty()) notes_ += "; ";
  notes_ += text;
}

int Http2Session::end_of_head() {
  if (has_head_ || !recorder_->wants_more()) return 0;
  // An interim head ("HTTP/1.1 103 ") is followed by another.
  has_head_ = !head_.starts_with("HTTP/1.1 1");
  head_ += "\r\n";
  return record(head_);
}

int Http2Session::take_data(std::string_view bytes) {
  if (!recorder_->wants_more()) return 0;
  const int recorded = record(bytes);
  widen();
  return recorded;
}

int Http2Session::record(std::string_view bytes) {
  counted_.received += bytes.size();
  auto stored = recorder_->feed(bytes);
  if (stored) return 0;
  error_ = std::move(stored).error();
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

// Doubles the windows of stream and connection each time that a body has filled them.
void Http2Session::widen() {
  for (const int32_t which : {stream_, 0}) {
    const int32_t window = which == 0 ? nghttp2_session_get_effective_local_window_size(session_.get())
                                      : nghttp2_session_get_stream_effective_local_window_size(session_.get(), which);
    if (window <= 0 || window >= kLargestWindow || counted_.received < static_cast<uint64_t>(window)) continue;
    nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, which,
                                          std::min(window * 2, kLargestWindow));
  }
}

void Http2Session::closed(uint32_t code) {
  is_closed_ = true;
  if (has_ended_) return;
  fail_with(fmt::format("the stream was reset: {}", nghttp2_http2_strerror(code)));
  if (code == NGHTTP2_REFUSED_STREAM && advice_ == Advice::none) advice_ = Advice::again;
  if (code == NGHTTP2_HTTP_1_1_REQUIRED) advice_ = Advice::http1;
}

void Http2Session::fail_with(std::string_view why) {
  if (why_.empty()) why_ = why;
}

}  // namespace caddis::http
