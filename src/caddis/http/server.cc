#include "caddis/http/server.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/http/begun_body.h"
#include "caddis/http/server_request.h"
#include "caddis/http/server_response.h"

namespace caddis::http {
namespace {

constexpr size_t buffer_size = 64 * 1024;

// Bodies up to this size travel in one write with their head.
constexpr size_t small_body = 32 * 1024;

}  // namespace

std::string_view ServerRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (equals_ignore_case(key, name)) return value;
  }
  return {};
}

// A connection's life: requests one after another, until one of both has had enough.
class Server::Connection : private BodySink, private BodyReader {
 public:
  Connection(Server& server, aio::Stream& stream)
      : server_(server),
        stream_(stream),
        address_(stream.remote().address),
        waits_since_(server.loop_.clock().steady()) {
    server_.connections_.insert(this);
  }
  ~Connection() override {
    server_.connections_.erase(this);
    server_.room_.notify();
  }

  bool idle() const { return idle_; }
  // For a head; such a connection may be cut for another.
  bool waits() const { return waits_ && !cut_; }
  SteadyTime waits_since() const { return waits_since_; }
  bool is_cut() const { return cut_; }
  // One that counts for the limit of its address.
  bool is_guest_from(std::string_view address) const { return !cut_ && !turned_away_ && address_ == address; }
  void cut() {
    cut_ = true;
    stream_.close();
  }

  aio::Task<void> run() {
    while (co_await exchange()) {
    }
  }

  aio::Task<void> turn_away() {
    idle_ = false;
    turned_away_ = true;
    const ServerResponse response =
        server_.settings_.refusal(503, "There are too many connections from your address: try again later.");
    co_await refuse(response);
  }

 private:
  void allow(Duration time) { stream_.set_deadline(server_.loop_.clock().steady() + time); }

  // One request and its response. False: the connection is to end.
  aio::Task<bool> exchange() {
    RequestParser parser(server_.settings_);
    auto received = co_await receive(parser);
    idle_ = false;
    if (!received) {
      if (received.error().code == ErrorCode::cancelled) co_return false;
      const Error& error = received.error();
      const ServerResponse response =
          server_.settings_.refusal(status_of(error, parser.in_head()), "Bad request: " + error.message + ".");
      co_await refuse(response);
      co_return false;
    }
    ServerRequest& request = parser.request();
    request.remote = stream_.remote();
    request.tls = stream_.tls() != nullptr;
    // Only the handler knows how long it may take.
    stream_.set_deadline(SteadyTime::max());
    if (parser.is_for_reader()) {
      read_by_ = &parser;
      request.reader = this;
    }
    ServerResponse response = co_await server_.handler_(request);
    read_by_ = nullptr;
    const auto when_sent = std::move(response.when_sent);
    sending_ = Sending();
    if (response.source && request.method != "HEAD") co_await begin_source(response);
    if (response.status == 0) {
      if (when_sent) co_await when_sent(sent_response(0, false));
      co_return false;
    }
    const bool keep_alive = parser.keep_alive() && parser.done() && !server_.stopping_;
    const ResponsePlan plan = plan_response(response, request.method == "HEAD", parser.http_1_0(), keep_alive);
    const auto sent = co_await respond(response, plan, parser.http_1_0());
    if (response.source) co_await end_source(response.source);
    if (when_sent) co_await when_sent(sent_response(response.status, sent.has_value()));
    if (sent && !parser.done()) co_await drain();
    co_return sent.has_value() && plan.keep_alive;
  }

  SentResponse sent_response(int status, bool is_whole) const {
    using enum SentResponse::End;
    return {status, sending_.bytes, is_whole ? whole : sending_.has_left ? left : cut};
  }

  // ErrorCode::cancelled where there is nobody to answer: the client has gone, or nothing came.
  aio::Task<Result<void>> receive(RequestParser& parser) {
    idle_ = begin_ == end_;
    allow(idle_ && !is_first_ ? server_.settings_.idle_timeout : server_.settings_.head_timeout);
    wait_for_head();
    for (;;) {
      while (begin_ < end_ || parser.done()) {
        if (parser.done()) co_return Result<void>();
        CO_TRY(const size_t taken, parser.take(std::string_view(buffer_.get() + begin_, end_ - begin_)));
        begin_ += taken;
        if (waits_ && !parser.in_head()) {
          waits_ = is_first_ = false;
          allow(server_.settings_.request_timeout);
        }
        if (taken == 0 || parser.is_for_reader()) break;
      }
      if (parser.done() || parser.is_for_reader()) co_return Result<void>();
      if (parser.take_wish_to_continue()) {
        const auto told = co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n");
        if (!told) co_return fail(ErrorCode::cancelled, "the client has gone");
      }
      CO_TRY_VOID(co_await read_more());
    }
  }

  // The next piece of a body that the handler reads.
  aio::Task<Result<std::string>> read() override {
    if (read_by_ == nullptr) co_return fail(ErrorCode::closed, "the request has been answered");
    RequestParser& parser = *read_by_;
    std::string& body = parser.request().body;
    while (body.empty() && !parser.done()) {
      if (begin_ == end_) {
        if (parser.take_wish_to_continue()) {
          CO_TRY_VOID(co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n"));
        }
        allow(server_.settings_.request_timeout);
        CO_TRY_VOID(co_await read_more());
      }
      CO_TRY(const size_t taken, parser.take(std::string_view(buffer_.get() + begin_, end_ - begin_)));
      begin_ += taken;
      if (taken == 0 && !parser.done()) CO_TRY_VOID(co_await read_more());
    }
    stream_.set_deadline(SteadyTime::max());
    co_return std::exchange(body, std::string());
  }

  aio::Task<Result<void>> read_more() {
    if (begin_ > 0) {
      std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
      end_ -= std::exchange(begin_, 0);
    }
    if (end_ == buffer_size) co_return fail(ErrorCode::limit, "the head is too long");
    const auto count = co_await stream_.read(buffer_.get() + end_, buffer_size - end_);
    if (!count || *count == 0) co_return fail(ErrorCode::cancelled, "the client has gone");
    end_ += *count;
    if (std::exchange(idle_, false) && !is_first_) allow(server_.settings_.head_timeout);
    co_return Result<void>();
  }

  void wait_for_head() {
    waits_ = true;
    waits_since_ = server_.loop_.clock().steady();
    server_.room_.notify();  // somebody may wait for a connection that can be cut
  }

  aio::Task<void> refuse(const ServerResponse& response) {
    wait_for_head();  // there is nothing that would be lost with it
    const ResponsePlan plan = plan_response(response, false, false, false);
    const auto sent = co_await respond(response, plan, false);
    if (sent) co_await drain();
  }

  // Closing with bytes unread would reset the connection, and take the answer from the client.
  aio::Task<void> drain() {
    allow(std::chrono::seconds(2));
    for (size_t drained = 0; drained < (4u << 20);) {
      const auto count = co_await stream_.read(buffer_.get(), buffer_size);
      if (!count || *count == 0) co_return;
      drained += *count;
    }
  }

  aio::Task<Result<void>> respond(const ServerResponse& response, const ResponsePlan& plan, bool http_1_0) {
    using enum ResponsePlan::Body;
    std::string head = response_head(response, plan, http_1_0, server_.loop_.clock().wall());
    const bool with_body = plan.body == sized && response.has_plain_body();
    const bool together = with_body && response.body.size() <= small_body;
    if (together) head += response.body;
    allow(server_.settings_.write_timeout);
    CO_TRY_VOID(co_await send(head));
    if (together) sending_.bytes = response.body.size();
    if (with_body && !together) co_return co_await write_pieces(response.body);
    if (plan.body == none || with_body) co_return Result<void>();
    sending_.is_chunked = plan.body == chunked;
    sending_.left = plan.body == sized ? plan.size : UINT64_MAX;
    if (response.source) {
      CO_TRY_VOID(co_await write_source(*response.source));
    } else {
      BodySink& sink = *this;
      CO_TRY_VOID(co_await response.stream(sink));
    }
    if (plan.body == sized && sending_.left > 0)
      co_return fail(ErrorCode::corrupt, "the handler wrote less than it declared");
    if (sending_.is_chunked) co_return co_await send("0\r\n\r\n");
    co_return Result<void>();
  }

  // Has the first piece made before the head is sent: a body that fails until then is answered with a status that tells
  // so, and one of unknown size that is whole with that piece is sent as a plain one. Status 0 if the client has gone.
  aio::Task<void> begin_source(ServerResponse& response) {
    std::string first;
    Result<bool> more = true;
    bool has_gone = false;
    while (more && *more && first.empty() && !has_gone) {
      std::function<void()> work = [&] {
        more = response.source->next(first);
        if (more && !*more) response.source.reset();
      };
      co_await on_worker(std::move(work));
      has_gone = first.empty() && stream_.peer_left();
    }
    if (more && !has_gone) {
      if (response.source || response.stream_size)
        response.source = begun_body(std::move(first), std::move(response.source));
      else
        response.body = std::move(first);
      co_return;
    }
    co_await end_source(response.source);
    sending_.has_left = has_gone;
    response =
        has_gone ? ServerResponse(0) : server_.settings_.refusal(status_of_body(more.error()), more.error().message);
  }

  // Only one piece is held, and no thread while the client takes it.
  aio::Task<Result<void>> write_source(BodySource& source) {
    std::string piece;
    Result<bool> more = true;
    while (*more) {
      piece.clear();
      std::function<void()> work = [&] { more = source.next(piece); };
      co_await on_worker(std::move(work));
      if (!more) {
        log_warn("http", "a response was cut: {}", more.error().message);
        co_return std::unexpected(more.error());
      }
      sending_.has_left = piece.empty() && stream_.peer_left();
      if (sending_.has_left) co_return fail(ErrorCode::cancelled, "the client has gone");
      CO_TRY_VOID(co_await write(piece));
    }
    co_return Result<void>();
  }

  aio::Task<void> end_source(std::unique_ptr<BodySource>& source) {
    std::function<void()> work = [&] { source.reset(); };
    co_await on_worker(std::move(work));
  }

  aio::Task<void> on_worker(std::function<void()> work) {
    if (server_.settings_.workers != nullptr) {
      co_await server_.settings_.workers->run_piece(server_.loop_, std::move(work));
    } else {
      work();
      co_await aio::resume_on(server_.loop_);
    }
  }

  // Bytes of a response.
  aio::Task<Result<void>> send(std::string_view bytes) {
    auto sent = co_await stream_.write(bytes);
    if (!sent) sending_.has_left = true;
    co_return sent;
  }

  // Large bodies in pieces, so that the time limit is one for a piece.
  aio::Task<Result<void>> write_pieces(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, 1 << 20);
      bytes.remove_prefix(piece.size());
      allow(server_.settings_.write_timeout);
      CO_TRY_VOID(co_await send(piece));
      sending_.bytes += piece.size();
    }
    co_return Result<void>();
  }

  aio::Task<Result<void>> write(std::string_view piece) override {
    if (piece.empty()) co_return Result<void>();
    if (piece.size() > sending_.left) co_return fail(ErrorCode::corrupt, "the handler writes more than it declared");
    sending_.left -= piece.size();
    if (!sending_.is_chunked) co_return co_await write_pieces(piece);
    allow(server_.settings_.write_timeout);
    std::array<char, 24> size_line;
    const int size = std::snprintf(size_line.data(), size_line.size(), "%zx\r\n", piece.size());
    std::string frame(size_line.data(), static_cast<size_t>(size));
    if (piece.size() > small_body) {
      CO_TRY_VOID(co_await send(frame));
      CO_TRY_VOID(co_await write_pieces(piece));
      co_return co_await send("\r\n");
    }
    frame += piece;
    frame += "\r\n";
    CO_TRY_VOID(co_await send(frame));
    sending_.bytes += piece.size();
    co_return Result<void>();
  }

  Server& server_;
  aio::Stream& stream_;
  const std::string address_;
  bool idle_ = true;      // between requests
  bool is_first_ = true;  // no head has come yet
  bool waits_ = true;
  SteadyTime waits_since_;
  bool cut_ = false;
  bool turned_away_ = false;
  RequestParser* read_by_ = nullptr;  // whose body the handler reads
  struct Sending {
    bool is_chunked = false;
    uint64_t left = 0;      // that a streaming handler may still write
    uint64_t bytes = 0;     // of the body, sent
    bool has_left = false;  // the client
  };
  Sending sending_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(buffer_size);
  size_t begin_ = 0;  // received, not yet taken: [begin_, end_)
  size_t end_ = 0;
};

Server::Server(aio::Loop& loop, std::unique_ptr<aio::Listener> listener, Handler handler,
               const ServerSettings& settings)
    : loop_(loop), settings_(settings), handler_(std::move(handler)), listener_(std::move(listener)), room_(loop) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(aio::Loop& loop, aio::Network& network, const aio::Endpoint& at,
                                              Handler handler, const ServerSettings& settings) {
  TRY(auto listener, network.listen(at));
  return start_on(loop, std::move(listener), std::move(handler), settings);
}

Result<std::unique_ptr<Server>> Server::start_unix(aio::Loop& loop, aio::Network& network, const std::string& path,
                                                   Handler handler, const ServerSettings& settings) {
  TRY(auto listener, network.listen_unix(path));
  return start_on(loop, std::move(listener), std::move(handler), settings);
}

std::unique_ptr<Server> Server::start_on(aio::Loop& loop, std::unique_ptr<aio::Listener> listener, Handler handler,
                                         const ServerSettings& settings) {
  std::unique_ptr<Server> server(new Server(loop, std::move(listener), std::move(handler), settings));
  server->nursery_.spawn(server->accept_all());
  return server;
}

aio::Task<void> Server::accept_all() {
  while (!stopping_) {
    auto stream = co_await listener_->accept();
    if (stopping_) co_return;
    if (!stream) {
      // Too many open files, as a rule: it gets better when connections end.
      log_warn("http", "{}", stream.error().message);
      if (Connection* const longest = longest_waiting({})) longest->cut();
      co_await aio::sleep_for(loop_, std::chrono::milliseconds(100));
      continue;
    }
    co_await make_room();
    if (stopping_) co_return;
    const bool is_welcome = has_room_for((*stream)->remote().address);
    nursery_.spawn(serve(*std::move(stream), is_welcome));
  }
}

aio::Task<void> Server::make_room() {
  const auto is_full = [this] {
    const auto count = std::ranges::count(connections_, false, &Connection::is_cut);
    return static_cast<size_t>(count) >= settings_.max_connections;
  };
  while (!stopping_ && is_full()) {
    Connection* const longest = longest_waiting({});
    if (longest == nullptr) {
      co_await room_.wait();
      continue;
    }
    const SteadyTime until = longest->waits_since() + settings_.fresh_time;
    if (until <= loop_.clock().steady()) {
      longest->cut();
      continue;
    }
    const auto timer = loop_.at(until, [this] { room_.notify(); });
    co_await room_.wait();
    loop_.cancel(timer);
  }
}

Server::Connection* Server::longest_waiting(std::string_view address) const {
  Connection* longest = nullptr;
  for (Connection* const one : connections_) {
    if (!one->waits() || (!address.empty() && !one->is_guest_from(address))) continue;
    if (longest == nullptr || one->waits_since() < longest->waits_since()) longest = one;
  }
  return longest;
}

bool Server::has_room_for(std::string_view address) const {
  if (settings_.max_per_address == 0 || address.empty()) return true;
  const auto count =
      std::ranges::count_if(connections_, [&](const Connection* one) { return one->is_guest_from(address); });
  if (static_cast<size_t>(count) < settings_.max_per_address) return true;
  Connection* const longest = longest_waiting(address);
  if (longest == nullptr || longest->waits_since() + settings_.fresh_time > loop_.clock().steady()) return false;
  longest->cut();
  return true;
}

aio::Task<void> Server::serve(std::unique_ptr<aio::Stream> stream, bool is_welcome) {
  Connection connection(*this, *stream);
  if (is_welcome)
    co_await connection.run();
  else
    co_await connection.turn_away();
}

aio::Task<void> Server::stop() {
  stopping_ = true;
  listener_->close();
  room_.notify();
  for (Connection* connection : connections_) {
    if (connection->idle()) connection->cut();
  }
  const auto timer = loop_.at(loop_.clock().steady() + settings_.stop_timeout, [this] {
    for (Connection* connection : connections_) connection->cut();
  });
  co_await nursery_.join();
  loop_.cancel(timer);
}

}  // namespace caddis::http
