// For tests only: a server of HTTP/2 over any stream, and frames written by hand for peers that behave badly.
#pragma once

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/check.h"

namespace caddis::http {

using Http2Fields = std::vector<std::pair<std::string, std::string>>;

struct Http2Answer {
  std::vector<Http2Fields> interim;
  Http2Fields fields = {{":status", "200"}};
  std::string body;
  Http2Fields trailers;
  size_t reset_after = std::string::npos;  // bytes of the body
  uint32_t reset_code = NGHTTP2_INTERNAL_ERROR;
  bool leaves = false;  // instead of an answer: GOAWAY with this code, as if the request had never come
  uint32_t leave_code = NGHTTP2_NO_ERROR;
  bool pings = false;  // and changes settings, before the answer
};

// Answers each request as it is told, and notes them.
class Http2TestServer {
 public:
  using Respond = std::function<Http2Answer(const Http2Fields& request, const std::string& body)>;
  explicit Http2TestServer(Respond respond) : respond_(std::move(respond)) {}

  size_t connections() const { return connections_; }
  const std::vector<Http2Fields>& requests() const { return requests_; }
  // Waits before each read.
  void read_slowly(aio::Loop& loop, Duration pause) {
    loop_ = &loop;
    pause_ = pause;
  }

  // One connection.
  aio::Task<void> serve(std::unique_ptr<aio::Stream> stream) {
    ++connections_;
    Connection connection(*this);
    aio::Loop* const loop = loop_;  // this may have ended by then
    const Duration pause = pause_;
    char buffer[16384];
    for (;;) {
      const std::string out = connection.output();
      if (!out.empty()) {
        const auto sent = co_await stream->write(out);
        if (!sent) co_return;
      }
      if (connection.is_over()) co_return;
      if (loop != nullptr) co_await aio::sleep_for(*loop, pause);
      const auto got = co_await stream->read(buffer, sizeof(buffer));
      if (!got || *got == 0) co_return;
      if (!connection.feed(std::string_view(buffer, *got))) co_return;
    }
  }

 private:
  struct Exchange {
    Http2Fields request;
    std::string body;
    Http2Answer answer;
    size_t sent = 0;
  };

  class Connection {
   public:
    explicit Connection(Http2TestServer& server) : server_(server) {
      nghttp2_session_callbacks* callbacks = nullptr;
      nghttp2_session_callbacks_new(&callbacks);
      nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
      nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
      nghttp2_option* option = nullptr;
      nghttp2_option_new(&option);
      nghttp2_option_set_no_http_messaging(option, 1);
      CADDIS_CHECK(nghttp2_session_server_new2(&session_, callbacks, this, option) == 0);
      nghttp2_option_del(option);
      nghttp2_session_callbacks_del(callbacks);
      nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, nullptr, 0);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() { nghttp2_session_del(session_); }

    std::string output() {
      std::string out;
      const uint8_t* bytes = nullptr;
      for (ssize_t n = 0; (n = nghttp2_session_mem_send(session_, &bytes)) > 0;)
        out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(n));
      return out;
    }
    bool feed(std::string_view bytes) {
      return nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()) >= 0;
    }
    bool is_over() const {
      return nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
    }

   private:
    static Connection& self(void* user) { return *static_cast<Connection*>(user); }
    static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size,
                         const uint8_t* value, size_t value_size, uint8_t, void* user) {
      self(user).exchanges_[frame->hd.stream_id].request.emplace_back(
          std::string(reinterpret_cast<const char*>(name), name_size),
          std::string(reinterpret_cast<const char*>(value), value_size));
      return 0;
    }
    static int on_data(nghttp2_session*, uint8_t, int32_t stream, const uint8_t* bytes, size_t size, void* user) {
      self(user).exchanges_[stream].body.append(reinterpret_cast<const char*>(bytes), size);
      return 0;
    }
    static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
      const bool is_content = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
      if (is_content && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) self(user).answer(frame->hd.stream_id);
      return 0;
    }
    static std::vector<nghttp2_nv> nv(const Http2Fields& fields) {
      std::vector<nghttp2_nv> all;
      for (const auto& [name, value] : fields)
        all.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                       reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
                       NGHTTP2_NV_FLAG_NONE});
      return all;
    }
    void answer(int32_t stream) {
      Exchange& exchange = exchanges_[stream];
      server_.requests_.push_back(exchange.request);
      exchange.answer = server_.respond_(exchange.request, exchange.body);
      const Http2Answer& answer = exchange.answer;
      if (answer.leaves) {
        nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, stream - 2 > 0 ? stream - 2 : 0, answer.leave_code, nullptr,
                              0);
        return;
      }
      if (answer.pings) {
        nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
        const nghttp2_settings_entry entry{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 7};
        nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &entry, 1);
      }
      for (const Http2Fields& interim : answer.interim) {
        const auto fields = nv(interim);
        nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, fields.data(), fields.size(), nullptr);
      }
      const auto fields = nv(answer.fields);
      nghttp2_data_provider body{};
      body.source.ptr = this;
      body.read_callback = read_body;
      const bool has_body = !answer.body.empty() || answer.reset_after != std::string::npos;
      nghttp2_submit_response(session_, stream, fields.data(), fields.size(), has_body ? &body : nullptr);
    }
    static ssize_t read_body(nghttp2_session* session, int32_t stream, uint8_t* to, size_t size, uint32_t* flags,
                             nghttp2_data_source* source, void*) {
      Exchange& exchange = static_cast<Connection*>(source->ptr)->exchanges_[stream];
      const Http2Answer& answer = exchange.answer;
      const size_t end = std::min(answer.body.size(), answer.reset_after);
      const size_t count = std::min(size, end - exchange.sent);
      std::memcpy(to, answer.body.data() + exchange.sent, count);
      exchange.sent += count;
      if (answer.reset_after != std::string::npos) {
        if (count > 0) return static_cast<ssize_t>(count);
        nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, answer.reset_code);
        return NGHTTP2_ERR_DEFERRED;
      }
      if (exchange.sent < end) return static_cast<ssize_t>(count);
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (answer.trailers.empty()) return static_cast<ssize_t>(count);
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const auto trailers = nv(answer.trailers);
      nghttp2_submit_trailer(session, stream, trailers.data(), trailers.size());
      return static_cast<ssize_t>(count);
    }

    Http2TestServer& server_;
    nghttp2_session* session_ = nullptr;
    std::map<int32_t, Exchange> exchanges_;
  };

  const Respond respond_;
  size_t connections_ = 0;
  std::vector<Http2Fields> requests_;
  aio::Loop* loop_ = nullptr;  // of one that reads slowly
  Duration pause_{};
};

// A frame as it goes over the wire (RFC 9113, section 4.1).
inline std::string http2_frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload) {
  std::string frame;
  for (const unsigned shift : {16U, 8U, 0U}) frame += static_cast<char>(payload.size() >> shift & 0xff);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) frame += static_cast<char>(stream >> shift & 0xff);
  return frame.append(payload);
}

}  // namespace caddis::http
