#include "simweb/serve/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "simweb/serve/sending.h"

namespace simweb {

using namespace std::chrono_literals;

namespace {

constexpr size_t kMostOfForm = 16 * 1024;
constexpr uint32_t kMostStreams = 100;
constexpr size_t kMostAtOnce = 1024 * 1024;

// A request as it comes in, and its answer on the way.
struct Stream {
  std::string method, path, authority, fields, cookies, body;
  std::optional<Sending> sending;
  std::optional<Asked> asked;
  Transfer transfer = Transfer::whole;
  uint64_t timer = 0;
};

// The fields of an answer's head, without what is of HTTP/1.1 alone.
std::vector<std::pair<std::string, std::string>> fields_of(const Answer& answer) {
  std::vector<std::pair<std::string, std::string>> fields = {{":status", std::to_string(answer.status)}};
  std::string_view rest = answer.head;
  rest.remove_prefix(std::min(rest.find("\r\n"), rest.size()));
  for (const std::string_view line : caddis::split(rest, '\n')) {
    const size_t colon = line.find(':');
    if (colon == line.npos) continue;
    std::string name = caddis::to_lower(line.substr(0, colon));
    if (name == "connection" || name == "transfer-encoding") continue;
    fields.emplace_back(std::move(name), caddis::trim(line.substr(colon + 1)));
  }
  return fields;
}

nghttp2_nv field_of(const std::pair<std::string, std::string>& field) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));  // nghttp2 does not write there
  };
  return {bytes(field.first), bytes(field.second), field.first.size(), field.second.size(), NGHTTP2_NV_FLAG_NONE};
}

class NgSession final : public Http2Session {
 public:
  NgSession(Site& site, Desk& desk, Transport& transport, std::function<void()> failed)
      : site_(site), desk_(desk), transport_(transport), failed_(std::move(failed)) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_session_server_new(&session_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry entry{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams};
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &entry, 1);
  }
  ~NgSession() override {
    site_.loop.cancel(timer_);
    for (auto& [id, stream] : streams_) end(stream, false);
    nghttp2_session_del(session_);
  }
  NgSession(const NgSession&) = delete;
  NgSession& operator=(const NgSession&) = delete;

  bool receive(std::string_view bytes) override {
    const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
    const ssize_t taken = nghttp2_session_mem_recv(session_, data, bytes.size());
    if (taken < 0) ++site_.recorder.odd().bad;
    return taken >= 0;
  }

  Transport::State send() override {
    size_t sent = 0;
    for (;;) {
      if (out_.empty()) {
        const uint8_t* data = nullptr;
        const ssize_t size = nghttp2_session_mem_send(session_, &data);
        if (size < 0) return Transport::State::closed;
        if (size == 0) break;
        out_.assign(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
      }
      const iovec piece{out_.data(), out_.size()};
      const Transport::Moved moved = transport_.write({&piece, 1});
      if (moved.state != Transport::State::ok) return moved.state;
      out_.erase(0, moved.bytes);
      sent += moved.bytes;
      // Others have their turn before it goes on.
      if (sent > kMostAtOnce) {
        send_later();
        return Transport::State::ok;
      }
    }
    if (const Transport::State state = transport_.flush(); state != Transport::State::ok) return state;
    const bool is_over = nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
    return is_over ? Transport::State::closed : Transport::State::ok;
  }

 private:
  static NgSession& self(void* user) { return *static_cast<NgSession*>(user); }

  static int on_begin(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
      self(user).streams_.try_emplace(frame->hd.stream_id);
    return 0;
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                       const uint8_t* value, size_t value_size, uint8_t, void* user) {
    const auto found = self(user).streams_.find(frame->hd.stream_id);
    if (found == self(user).streams_.end()) return 0;
    Stream& stream = found->second;
    const std::string_view field(reinterpret_cast<const char*>(name), name_size);
    const std::string_view text(reinterpret_cast<const char*>(value), value_size);
    if (field == ":method")
      stream.method = text;
    else if (field == ":path")
      stream.path = text;
    else if (field == ":authority")
      stream.authority = text;
    else if (field == "cookie")  // one or several (RFC 9113, section 8.2.3)
      stream.cookies.append(stream.cookies.empty() ? "" : "; ").append(text);
    else if (!field.starts_with(':') && field != "host")
      stream.fields.append(field).append(": ").append(text).append("\r\n");
    return 0;
  }

  static int on_data(nghttp2_session* session, uint8_t, int32_t id, const uint8_t* data, size_t size, void* user) {
    const auto found = self(user).streams_.find(id);
    if (found == self(user).streams_.end()) return 0;
    found->second.body.append(reinterpret_cast<const char*>(data), size);
    if (found->second.body.size() > kMostOfForm)
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_REFUSED_STREAM);
    return 0;
  }

  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    const bool ends = (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
                      (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (ends) self(user).answer(frame->hd.stream_id);
    return 0;
  }

  // The last byte of a whole answer has been handed over.
  static int on_sent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    const bool ends = (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
                      (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    const auto found = self(user).streams_.find(frame->hd.stream_id);
    if (ends && found != self(user).streams_.end()) self(user).end(found->second, true);
    return 0;
  }

  static int on_close(nghttp2_session*, int32_t id, uint32_t, void* user) {
    const auto found = self(user).streams_.find(id);
    if (found == self(user).streams_.end()) return 0;
    self(user).end(found->second, false);
    self(user).streams_.erase(found);
    return 0;
  }

  static ssize_t on_read(nghttp2_session*, int32_t id, uint8_t* buffer, size_t size, uint32_t* flags,
                         nghttp2_data_source*, void* user) {
    const auto found = self(user).streams_.find(id);
    if (found == self(user).streams_.end() || !found->second.sending) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    Stream& stream = found->second;
    const size_t copied = stream.sending->copy(std::span(reinterpret_cast<char*>(buffer), size));
    if (!stream.sending->done()) return static_cast<ssize_t>(copied);
    switch (stream.transfer) {
      case Transfer::cut:
      case Transfer::reset:
        // Copied bytes go; the next call resets the stream.
        return copied > 0 ? static_cast<ssize_t>(copied) : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
      case Transfer::hang:
        return copied > 0 ? static_cast<ssize_t>(copied) : NGHTTP2_ERR_DEFERRED;
      case Transfer::drip:
        if (copied > 0) return static_cast<ssize_t>(copied);
        if (self(user).drips(id, stream)) return NGHTTP2_ERR_DEFERRED;
        [[fallthrough]];
      default:
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        return static_cast<ssize_t>(copied);
    }
  }

  // Whether another drop falls, after a while.
  bool drips(int32_t id, Stream& stream) {
    if (!stream.sending->allow(stream.sending->answer().drip_bytes)) return false;
    const auto interval = std::chrono::milliseconds(stream.sending->answer().drip_interval);
    stream.timer = site_.loop.call_at(site_.loop.now() + interval, [this, id] {
      nghttp2_session_resume_data(session_, id);
      send_or_fail();
    });
    return true;
  }

  void answer(int32_t id) {
    Stream& stream = streams_.at(id);
    const std::string text = stream.method + " " + stream.path + " HTTP/1.1\r\nHost: " + stream.authority + "\r\n" +
                             (stream.cookies.empty() ? "" : "Cookie: " + stream.cookies + "\r\n") + stream.fields +
                             "\r\n";
    RequestHead head;
    const ParsedRequest parsed = parse_request(text, 0, head);
    const bool is_sound = parsed.state == ParsedRequest::State::complete;
    if (!is_sound) ++site_.recorder.odd().bad;
    Reply reply = is_sound ? desk_.reply(head, stream.body, true) : desk_.refusal(parsed.status);
    stream.asked = std::move(reply.asked);
    stream.transfer = reply.head_only ? Transfer::whole : reply.answer->transfer;
    const uint32_t delay = reply.answer->delay;
    const bool says_nothing = stream.transfer == Transfer::hang && reply.answer->head.empty();
    const auto fields = std::make_shared<std::vector<std::pair<std::string, std::string>>>(fields_of(*reply.answer));
    reply.answer->head.clear();
    const bool has_body = !reply.head_only && (reply.answer->body_size > 0 || stream.transfer != Transfer::whole);
    stream.sending.emplace(std::move(reply.answer), reply.limit, reply.again);
    if (says_nothing) return;
    if (delay == 0) return respond(id, *fields, has_body);
    stream.timer =
        site_.loop.call_at(site_.loop.now() + std::chrono::milliseconds(delay), [this, id, fields, has_body] {
          respond(id, *fields, has_body);
          send_or_fail();
        });
  }

  void respond(int32_t id, const std::vector<std::pair<std::string, std::string>>& fields, bool has_body) {
    std::vector<nghttp2_nv> names;
    names.reserve(fields.size());
    for (const auto& field : fields) names.push_back(field_of(field));
    nghttp2_data_provider provider{};
    provider.read_callback = on_read;
    nghttp2_submit_response(session_, id, names.data(), names.size(), has_body ? &provider : nullptr);
  }

  // Once of each stream.
  void end(Stream& stream, bool whole) {
    site_.loop.cancel(std::exchange(stream.timer, 0));
    if (!stream.sending) return;
    desk_.ended(stream.asked, stream.sending->answer(), whole);
    site_.give_back(stream.sending->release());
    stream.sending.reset();
    stream.asked.reset();
  }

  void send_later() {
    site_.loop.cancel(timer_);
    timer_ = site_.loop.call_at(site_.loop.now() + 1ns, [this] { send_or_fail(); });
  }

  // The last thing that a timer does: it may be the end of this session.
  void send_or_fail() {
    if (send() != Transport::State::closed) return;
    const std::function<void()> failed = failed_;
    failed();
  }

  Site& site_;
  Desk& desk_;
  Transport& transport_;
  const std::function<void()> failed_;
  nghttp2_session* session_ = nullptr;
  std::map<int32_t, Stream> streams_;
  std::string out_;  // of a frame, not sent yet
  uint64_t timer_ = 0;
};

}  // namespace

std::unique_ptr<Http2Session> Http2Session::create(Site& site, Desk& desk, Transport& transport,
                                                   std::function<void()> failed) {
  return std::make_unique<NgSession>(site, desk, transport, std::move(failed));
}

}  // namespace simweb
