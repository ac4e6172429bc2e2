// A session goes from the greeting to QUIT. Each part of it is a coroutine that ends with why there is no document; a
// reply that refuses is such a reason, with the server's own code as status.

#include "caddis/protocols/ftp_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/http/throttle.h"
#include "caddis/protocols/body_recorder.h"
#include "caddis/protocols/ftp_control.h"
#include "caddis/protocols/ftp_listing.h"
#include "caddis/text/media_types.h"

namespace caddis::protocols {
namespace {

using At = http::Failure::At;
using Listing = http::Resource::Listing;

constexpr int kLoginRefused = 530;
constexpr int kTransferred = 226;
constexpr int kRefusedForGood = 500;  // and above

std::unexpected<TransferFailure> refused(const FtpReply& reply) {
  TransferFailure failure;
  failure.error = Error{ErrorCode::denied, reply.text()};
  failure.status = reply.code;
  failure.is_transient = reply.is_transient();
  return std::unexpected(std::move(failure));
}

// A failure of the control connection.
std::unexpected<TransferFailure> broken(Error error) {
  const bool is_no_ftp = error.code == ErrorCode::parse || error.code == ErrorCode::limit;
  return failed(is_no_ftp ? At::protocol : At::response, std::move(error));
}

class FtpSession {
 public:
  FtpSession(Wires& wires, io::SpoolFolder& spools, Transfer transfer, bool is_active)
      : wires_(wires),
        spools_(spools),
        transfer_(std::move(transfer)),
        is_active_(is_active),
        begun_(wires.loop().clock().steady()),
        patience_{wires.loop().clock(), transfer_.limits.silence, begun_ + transfer_.limits.total} {
    timings_.started = wires.loop().clock().wall();
  }

  aio::Task<TransferResult> run() {
    TransferStep done = co_await connect();
    if (done) done = co_await log_in();
    if (done) done = co_await fetch();
    if (!done) co_return std::unexpected(std::move(done).error());
    co_await control_->quit();
    co_return finish();
  }

 private:
  aio::Task<TransferStep> connect() {
    auto wire = co_await wires_.open(transfer_.way(), connect_by(), patience_, transfer_.ticket);
    if (!wire) co_return failed(transfer_.no_way(), std::move(wire).error());
    timings_.connected = since_begin();
    control_.emplace(*std::move(wire));
    const bool is_direct = transfer_.proxy == nullptr;
    control_->note(fmt::format("connected to {} port {}{}", is_direct ? transfer_.server.address : transfer_.name,
                               transfer_.server.port, is_direct ? "" : " through a proxy"));
    const Result<FtpReply> greeting = co_await control_->reply();
    if (!greeting) co_return broken(greeting.error());
    if (!greeting->is_done()) co_return refused(*greeting);
    co_return TransferStep();
  }

  aio::Task<TransferStep> log_in() {
    Result<FtpReply> reply = co_await control_->ask("USER " + transfer_.user);
    if (reply && reply->wants_more()) {
      const std::string shown = transfer_.is_secret ? "PASS (not recorded)" : "";
      reply = co_await control_->ask("PASS " + transfer_.password, shown);
    }
    if (!reply) co_return broken(reply.error());
    // An account (332) is nothing that a URL has.
    if (reply->wants_more()) reply->code = kLoginRefused;
    if (!reply->is_done()) co_return refused(*reply);
    reply = co_await control_->ask("TYPE I");
    if (!reply) co_return broken(reply.error());
    co_return TransferStep();
  }

  aio::Task<TransferStep> fetch() {
    if (transfer_.path.ends_with('/')) co_return co_await list();
    TransferStep got = co_await retrieve();
    constexpr int kNoFile = 550, kNoSuchName = 553;
    const bool may_be_folder = !got && (got.error().status == kNoFile || got.error().status == kNoSuchName);
    if (!may_be_folder) co_return got;
    TransferStep listed = co_await list();
    // It is neither: what was said of the file counts.
    if (!listed && listed.error().status >= kRefusedForGood) co_return got;
    co_return listed;
  }

  aio::Task<TransferStep> retrieve() {
    Result<FtpReply> size = co_await control_->ask("SIZE " + transfer_.path);
    if (!size) co_return broken(size.error());
    if (size->code == 213) document_.size = size_of(size->lines.back());
    const Result<FtpReply> modified = co_await control_->ask("MDTM " + transfer_.path);
    if (!modified) co_return broken(modified.error());
    document_.media_type = text::media_type_of(transfer_.path);
    if (transfer_.limits.wants_body) {
      const http::ResponseHead head = made_up_head(kTransferred, document_.media_type);
      const int64_t length = document_.size ? static_cast<int64_t>(*document_.size) : -1;
      if (!transfer_.limits.wants_body(head, length)) {
        recorder_.emplace(spools_, transfer_.limits);
        recorder_->cut(http::Truncated::unwanted);
        co_return TransferStep();
      }
    }
    co_return co_await transmit("RETR " + transfer_.path);
  }

  aio::Task<TransferStep> list() {
    document_.size.reset();
    const Result<FtpReply> entered = co_await control_->ask("CWD " + transfer_.path);
    if (!entered) co_return broken(entered.error());
    if (!entered->is_done()) co_return refused(*entered);
    document_.media_type = "text/plain";
    const Result<FtpReply> features = co_await control_->ask("FEAT");
    if (!features) co_return broken(features.error());
    const bool has_mlsd = features->is_done() && std::ranges::any_of(features->lines, [](std::string_view line) {
                            return starts_with_ignore_case(trim(line), "MLS");
                          });
    TransferStep listed = co_await list_as(has_mlsd ? Listing::mlsd : Listing::list);
    if (has_mlsd && !listed && listed.error().status >= kRefusedForGood) listed = co_await list_as(Listing::list);
    const bool is_unknown = listed ? tells_nothing() : listed.error().status >= kRefusedForGood;
    if (is_unknown) listed = co_await list_as(Listing::nlst);
    co_return listed;
  }

  aio::Task<TransferStep> list_as(Listing form) {
    document_.listing = form;
    const std::string command = form == Listing::mlsd ? "MLSD" : form == Listing::list ? "LIST" : "NLST";
    co_return co_await transmit(command);
  }

  // A listing by LIST whose lines nobody understands.
  bool tells_nothing() const {
    return document_.listing == Listing::list && recorder_->size() > 0 &&
           !starts_with_ignore_case(document_.front, "total") &&
           read_listing(document_.front, Listing::list, 1).empty();
  }

  // One transfer over a data connection.
  aio::Task<TransferStep> transmit(std::string command) {
    recorder_.emplace(spools_, transfer_.limits);
    document_.front.clear();
    auto opened = is_active_ ? co_await offer_port() : co_await open_passive();
    if (!opened) co_return std::unexpected(std::move(opened).error());
    const Result<FtpReply> begun = co_await control_->begin(std::move(command));
    if (!begun) co_return broken(begun.error());
    if (begun->is_refused() || begun->wants_more()) co_return refused(*begun);
    if (listener_) {
      auto wire =
          co_await wires_.accept(*listener_, control_->remote().address, connect_by_now(), patience_, transfer_.ticket);
      listener_.reset();
      if (!wire) co_return failed(At::connect, std::move(wire).error());
      data_ = *std::move(wire);
    }
    control_->note("data connection with port " + std::to_string(data_port_ != 0 ? data_port_ : data_->remote().port));
    bool has_ended = false;
    TransferStep received = co_await receive(has_ended);
    data_.reset();
    if (!received) co_return received;
    document_.reply = begun->text();
    if (!has_ended) co_return TransferStep();
    co_return co_await conclude(*begun);
  }

  // Reads all data. `has_ended`: to its end.
  aio::Task<TransferStep> receive(bool& has_ended) {
    http::Throttle throttle(transfer_.limits.bandwidth);
    const Clock& clock = wires_.loop().clock();
    const auto buffer = std::make_unique<std::array<char, kBuffer>>();
    while (!recorder_->is_cut()) {
      if (const SteadyTime next = throttle.next(); next > clock.steady()) {
        co_await aio::sleep_until(wires_.loop(), std::min(next, patience_.deadline));
        if (next >= patience_.deadline) recorder_->cut(http::Truncated::time);
        if (recorder_->is_cut()) break;
      }
      const Result<size_t> got = co_await data_->read(buffer->data(), throttle.at_once(buffer->size()));
      if (!got) {
        // If not a byte came, or we have stopped it, there is no document.
        if (recorder_->size() == 0 || got.error().code == ErrorCode::cancelled)
          co_return failed(At::response, got.error());
        const bool is_late = got.error().code == ErrorCode::timeout;
        recorder_->cut(is_late ? http::Truncated::time : http::Truncated::disconnect);
        break;
      }
      if (*got == 0) {
        has_ended = true;
        break;
      }
      if (timings_.first_byte == Duration::zero()) timings_.first_byte = since_begin();
      throttle.took(*got, clock.steady());
      const std::string_view bytes(buffer->data(), *got);
      if (document_.front.size() < kFront) document_.front += bytes.substr(0, kFront - document_.front.size());
      if (const Result<void> stored = recorder_->feed(bytes); !stored) co_return failed(At::local, stored.error());
    }
    co_return TransferStep();
  }

  // The server's word on a transfer whose data has ended: without it nobody knows whether that is all.
  aio::Task<TransferStep> conclude(FtpReply begun) {
    FtpReply last = std::move(begun);
    if (last.is_preliminary()) {
      Result<FtpReply> reply = co_await control_->reply();
      if (!reply && reply.error().code == ErrorCode::cancelled) co_return broken(reply.error());
      if (!reply) {
        recorder_->note("the FTP server has not said whether this is all: " + reply.error().message);
        if (document_.size && recorder_->size() < *document_.size) recorder_->cut(http::Truncated::disconnect);
        co_return TransferStep();
      }
      last = *std::move(reply);
    }
    document_.reply = last.text();
    if (last.is_refused()) {
      if (recorder_->size() == 0) co_return refused(last);
      recorder_->cut(http::Truncated::disconnect);
      recorder_->note(document_.reply);
    } else if (document_.size && *document_.size != recorder_->size()) {
      recorder_->note(fmt::format("{} bytes came of {}", recorder_->size(), *document_.size));
      if (recorder_->size() < *document_.size) recorder_->cut(http::Truncated::disconnect);
    }
    co_return TransferStep();
  }

  aio::Task<TransferStep> open_passive() {
    std::optional<uint16_t> port;
    Result<FtpReply> reply = co_await control_->ask("EPSV");
    if (!reply) co_return broken(reply.error());
    if (reply->code == 229) port = epsv_port(reply->lines.back());
    if (!port && !is_ipv6()) {
      reply = co_await control_->ask("PASV");
      if (!reply) co_return broken(reply.error());
      if (reply->is_done()) port = pasv_port(reply->lines.back());
    }
    if (reply->is_refused()) co_return refused(*reply);
    if (!port) {
      std::string why = "no port for data stands in the FTP server's reply: " + reply->text();
      co_return failed(At::protocol, Error{ErrorCode::parse, std::move(why)});
    }
    Way way = transfer_.way();
    way.server.port = *port;
    if (way.proxy == nullptr) way.server.address = control_->remote().address;
    if (transfer_.refusal && way.proxy == nullptr) {
      if (auto why = transfer_.refusal(way.server)) co_return forbidden(way.server, *std::move(why));
    }
    auto wire = co_await wires_.open(std::move(way), connect_by_now(), patience_, transfer_.ticket);
    if (!wire) co_return failed(transfer_.no_way(), std::move(wire).error());
    data_ = *std::move(wire);
    data_port_ = *port;
    co_return TransferStep();
  }

  static std::unexpected<TransferFailure> forbidden(const aio::Endpoint& to, std::string why) {
    TransferFailure failure;
    failure.error = Error{ErrorCode::denied, "the port for data: " + std::move(why)};
    failure.status = status::kAddressRefused;
    failure.refused_address = to.address;
    return std::unexpected(std::move(failure));
  }

  // EPRT (RFC 2428, section 2), or PORT for servers that do not know it.
  aio::Task<TransferStep> offer_port() {
    const std::string address = control_->local().address;
    auto listener = wires_.listen(aio::Endpoint(address, 0));
    if (!listener) co_return failed(At::connect, std::move(listener).error());
    listener_ = *std::move(listener);
    const uint16_t port = listener_->local().port;
    Result<FtpReply> reply = co_await control_->ask(fmt::format("EPRT |{}|{}|{}|", is_ipv6() ? 2 : 1, address, port));
    if (reply && reply->is_refused() && !is_ipv6()) {
      std::string numbers = address;
      std::ranges::replace(numbers, '.', ',');
      reply = co_await control_->ask(fmt::format("PORT {},{},{}", numbers, port / 256, port % 256));
    }
    if (!reply) co_return broken(reply.error());
    if (!reply->is_done()) co_return refused(*reply);
    co_return TransferStep();
  }

  TransferResult finish() {
    http::Resource resource;
    resource.protocol = "ftp";
    resource.status = kTransferred;
    resource.reply = document_.reply;
    resource.conversation = control_->conversation();
    resource.listing = document_.listing;
    http::Exchange exchange = recorder_->finish(std::move(resource), document_.media_type);
    exchange.remote = control_->remote();
    timings_.finished = since_begin();
    if (timings_.first_byte == Duration::zero()) timings_.first_byte = timings_.finished;
    exchange.timings = timings_;
    return exchange;
  }

  bool is_ipv6() const { return transfer_.server.address.contains(':'); }
  Duration since_begin() const { return wires_.loop().clock().steady() - begun_; }
  SteadyTime connect_by() const { return std::min(begun_ + transfer_.limits.connect, patience_.deadline); }
  SteadyTime connect_by_now() const {
    return std::min(wires_.loop().clock().steady() + transfer_.limits.connect, patience_.deadline);
  }

  struct Document {
    std::optional<uint64_t> size;  // as the server says
    Listing listing = Listing::none;
    std::string front;
    std::string reply;  // the server's last word on it
    std::string media_type;
  };
  static constexpr size_t kBuffer = 64 * 1024;
  static constexpr size_t kFront = 16 * 1024;  // of a listing, in which names are looked for

  Wires& wires_;
  io::SpoolFolder& spools_;
  const Transfer transfer_;
  const bool is_active_;
  const SteadyTime begun_;
  const Patience patience_;
  std::optional<FtpControl> control_;
  std::unique_ptr<aio::Listener> listener_;
  std::unique_ptr<Wire> data_;
  uint16_t data_port_ = 0;  // of the server; 0: it has connected to us
  std::optional<BodyRecorder> recorder_;
  Document document_;
  http::Timings timings_;
};

}  // namespace

aio::Task<TransferResult> FtpClient::fetch(Transfer transfer, bool is_active) {
  if (transfer.path.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos ||
      (transfer.user + transfer.password).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    TransferFailure failure;
    failure.error = Error{ErrorCode::parse, "a line end stands in the path or the login: FTP has no word for that"};
    failure.status = status::kUnfetchable;
    co_return std::unexpected(std::move(failure));
  }
  FtpSession session(wires_, spools_, std::move(transfer), is_active);
  co_return co_await session.run();
}

}  // namespace caddis::protocols
