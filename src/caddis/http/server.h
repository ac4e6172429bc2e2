// An HTTP/1.1 server (RFC 9112): replay, the control API and the statistics page stand behind it.
//
//   CO_TRY(auto server, Server::start(loop, network, endpoint, handler, ServerSettings()));
//   …
//   co_await server->stop();
//
// Request targets reach the handler raw, for replay URLs carry URLs: "/coll/2026/http://example.org/a//b?x".
// Malformed requests are answered 400, 413, 431 or 501 and never reach the handler. One loop thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"

namespace caddis::http {

using ServerHeaders = std::vector<std::pair<std::string, std::string>>;

// The body of a request as it arrives (ServerSettings::reads_body).
class BodyReader {
 public:
  virtual ~BodyReader() = default;
  // The next piece, without transfer coding, at most 64 KiB; empty at the end. An error: the client has gone, or what it
  // sends is malformed.
  virtual aio::Task<Result<std::string>> read() = 0;
};

struct ServerRequest {
  std::string method;
  std::string target;  // as it came: "/a//b?x=1"
  std::string path;    // the target up to the first '?', without scheme and host where it had them
  std::string query;   // what follows that '?'
  ServerHeaders headers;
  std::string body;      // without transfer coding
  aio::Endpoint remote;  // no address over a Unix socket
  bool tls = false;
  // In place of `body` for requests whose handler reads it; null for others. Gone when the handler has ended.
  BodyReader* reader = nullptr;

  // The first value of that header, name without case; empty where it is missing.
  std::string_view header(std::string_view name) const;
};

// Takes a body piece by piece.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // Waits while the client does not read. An error: the client has gone, further pieces are in vain.
  virtual aio::Task<Result<void>> write(std::string_view piece) = 0;
};

// A body that is made piece by piece by work that blocks: files read, an index searched. The server asks for a piece on
// a worker thread (ServerSettings::workers), each only after the client has taken the one before, so that a slow client
// holds neither a thread nor more memory than a piece. Pieces of one source are asked for one after another, by
// different threads. It is destroyed on a worker too, when it has ended or the client has gone: the work ends with it.
// It must not refer to the request, nor to anything else that ends with the handler's call.
class BodySource {
 public:
  static constexpr size_t piece_size = 64 * 1024;
  virtual ~BodySource() = default;
  // Adds what follows to `piece`, which comes empty and with the room of earlier ones: about `piece_size`, made in a
  // few milliseconds. False: with it the body ends. True and nothing added: there is nothing yet, and other work gets
  // its turn before the next call. An error before anything was added is answered with ServerSettings::refusal: 504 for
  // ErrorCode::timeout, 413 for limit, else 500. A later one cuts the connection, so that the client sees the body is
  // incomplete.
  virtual Result<bool> next(std::string& piece) = 0;
};

// How the sending of a response ended, for logs.
struct SentResponse {
  enum class End {
    whole,
    cut,   // its body failed in the middle
    left,  // the client left, or took no more
  };
  int status = 0;      // 0: nothing was sent
  uint64_t bytes = 0;  // of the body, without transfer coding
  End end = End::whole;
  bool operator==(const SentResponse&) const = default;
};

struct ServerResponse {
  ServerResponse() = default;
  explicit ServerResponse(int the_status) : status(the_status) {}

  int status = 200;
  std::string reason;     // empty: the usual one
  ServerHeaders headers;  // Content-Length, Transfer-Encoding, Connection and Date are set by the server
  std::string body;
  // Where set, gives the body instead; not called for HEAD. An error cuts the connection, so that the client sees the
  // body is incomplete.
  std::function<aio::Task<Result<void>>(BodySink&)> stream;
  // Where set, gives the body instead; not asked for HEAD.
  std::unique_ptr<BodySource> source;
  // The size of what `stream` or `source` will give, where it is known; the body is sent chunked where it is not.
  std::optional<uint64_t> stream_size;
  // Where set, is called when the response has been sent as far as it goes, with the status that was sent. The request is
  // still there, and the next one of its connection waits.
  std::function<aio::Task<void>(const SentResponse& sent)> when_sent;

  bool has_plain_body() const { return !stream && !source; }
};

// All of the body, on this thread, whoever gives it (but not `stream`); the source is used up. For tests, and bodies
// known to be small.
Result<std::string> whole_body(ServerResponse& response);

// "text/plain; charset=utf-8", a line end added.
ServerResponse text_response(int status, std::string_view text);
ServerResponse json_response(int status, std::string json);

using Handler = std::function<aio::Task<ServerResponse>(const ServerRequest&)>;

struct ServerSettings {
  // Answers a malformed request, and one whose body cannot be made.
  std::function<ServerResponse(int status, std::string_view message)> refusal = text_response;
  size_t max_head = 64 * 1024;
  size_t max_body = 16 << 20;
  // Requests whose handler reads the body itself, of any size. They reach it with their head; what it leaves unread ends
  // the connection.
  std::function<bool(const ServerRequest& head)> reads_body;
  // Further ones take the place of those that have waited longest for a whole head to come, or wait.
  size_t max_connections = 1000;
  // Of one address (0: no limit); further ones are answered 503 while all are at work. Behind a reverse proxy all
  // clients have its address.
  size_t max_per_address = 250;
  Duration head_timeout = std::chrono::seconds(10);  // for a head, from its first byte (a connection's first: at all)
  Duration idle_timeout = std::chrono::seconds(75);  // between requests
  // For the body of a request to arrive whole; for each piece where the handler reads it.
  Duration request_timeout = std::chrono::seconds(30);
  Duration fresh_time = std::chrono::seconds(1);      // so long a connection without a head keeps its place
  Duration write_timeout = std::chrono::seconds(60);  // for a client to take the next piece
  Duration stop_timeout = std::chrono::seconds(5);    // for running requests, when the server stops
  aio::Blocking* workers = nullptr;  // where sources of bodies work; null: on the loop, for those that do not block
};

class Server {
 public:
  static Result<std::unique_ptr<Server>> start(aio::Loop& loop, aio::Network& network, const aio::Endpoint& at,
                                               Handler handler, const ServerSettings& settings);
  // On a Unix domain socket.
  static Result<std::unique_ptr<Server>> start_unix(aio::Loop& loop, aio::Network& network, const std::string& path,
                                                    Handler handler, const ServerSettings& settings);
  // On any listener, as one with TLS.
  static std::unique_ptr<Server> start_on(aio::Loop& loop, std::unique_ptr<aio::Listener> listener, Handler handler,
                                          const ServerSettings& settings);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Has to be stopped.
  ~Server();

  aio::Endpoint local() const { return listener_->local(); }
  size_t connections() const { return connections_.size(); }
  // Accepts nothing more, lets running requests end within stop_timeout, then cuts. Not from within a handler.
  aio::Task<void> stop();

 private:
  class Connection;
  Server(aio::Loop& loop, std::unique_ptr<aio::Listener> listener, Handler handler, const ServerSettings& settings);
  aio::Task<void> accept_all();
  // Waits for a place, or frees one.
  aio::Task<void> make_room();
  // The connection, of that address or of any (empty), that has waited longest for a head; null where none waits.
  Connection* longest_waiting(std::string_view address) const;
  // False: a connection of that address is one too many.
  bool has_room_for(std::string_view address) const;
  aio::Task<void> serve(std::unique_ptr<aio::Stream> stream, bool is_welcome);

  aio::Loop& loop_;
  const ServerSettings settings_;
  const Handler handler_;
  std::unique_ptr<aio::Listener> listener_;
  std::set<Connection*> connections_;
  aio::Event room_;  // a connection has ended
  bool stopping_ = false;
  aio::Nursery nursery_;  // last: its children use all the rest
};

}  // namespace caddis::http
