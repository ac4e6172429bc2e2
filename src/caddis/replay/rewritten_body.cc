#include "caddis/replay/rewritten_body.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "caddis/replay/app_manifest.h"
#include "caddis/replay/css.h"
#include "caddis/replay/dash.h"
#include "caddis/replay/html.h"
#include "caddis/replay/jsonp.h"
#include "caddis/replay/playlist.h"
#include "caddis/replay/script_rewriter.h"
#include "caddis/text/encoding.h"

namespace caddis::replay {
namespace {

// What is looked at together, as a rule, and where a token is longer.
constexpr size_t kWindow = 64 * 1024;
constexpr size_t kMaxWindow = 1 << 20;
// Of rewritten bytes that are given at once.
constexpr size_t kEnough = 64 * 1024;
// Scripts are held as a whole, up to this size; all of them together up to the other.
constexpr size_t kMostOfScript = 8 << 20;
constexpr size_t kMostOfScripts = 256 << 20;

// Feeds a rewriter with windows of the body.
template <class Rewriter>
class Rewritten : public BodyReader {
 public:
  Result<Piece> next() override {
    out_.clear();
    TRY_VOID(fill());
    const std::string_view window = std::string_view(window_).substr(done_);
    const bool last = last_ && input_.empty();
    if (window.size() < wanted_ && !last) return Piece();
    const size_t done = rewriter_.rewrite(window, last, kEnough, out_);
    done_ += done;
    if (done > 0 || !out_.empty() || last) {
      wanted_ = kWindow;
    } else if (wanted_ < kMaxWindow) {
      wanted_ *= 2;
    } else {
      done_ += rewriter_.pass_token(window, out_);
    }
    return Piece{out_, last && done_ == window_.size()};
  }

 protected:
  template <class... Options>
  Rewritten(std::unique_ptr<BodyReader> body, LinkRewriter links, Options&&... options)
      : body_(std::move(body)), links_(std::move(links)), rewriter_(links_, std::forward<Options>(options)...) {}

 private:
  // Brings the window to its wanted size, or as near as one piece of the body brings it.
  Result<void> fill() {
    if (window_.size() - done_ >= wanted_) return {};
    window_.erase(0, std::exchange(done_, 0));
    if (input_.empty() && !last_) {
      TRY(const Piece piece, body_->next());
      input_ = piece.bytes;
      last_ = piece.end;
    }
    const size_t n = std::min(input_.size(), wanted_ - std::min(wanted_, window_.size()));
    window_ += input_.substr(0, n);
    input_.remove_prefix(n);
    if (last_ && input_.empty()) body_.reset();
    return {};
  }

  std::unique_ptr<BodyReader> body_;
  std::string_view input_;  // of the body's piece: not in the window yet
  bool last_ = false;
  std::string window_;
  size_t done_ = 0;  // bytes at its front
  size_t wanted_ = kWindow;
  std::string out_;
  LinkRewriter links_;
  Rewriter rewriter_;
};

// A body whose rewriter needs nothing but the links.
template <class Rewriter>
class Plain : public Rewritten<Rewriter> {
 public:
  Plain(std::unique_ptr<BodyReader> body, LinkRewriter links)
      : Rewritten<Rewriter>(std::move(body), std::move(links)) {}
};

class Xml : public Rewritten<XmlRewriter> {
 public:
  Xml(std::unique_ptr<BodyReader> body, LinkRewriter links, XmlClients clients)
      : Rewritten(std::move(body), std::move(links), std::move(clients)) {}
};

// What a document's rewriter is made with has to be there before it.
struct DocumentOptions {
  std::string head_insert;
  HtmlOptions options;
};

class Document : private DocumentOptions, public Rewritten<HtmlRewriter> {
 public:
  Document(std::unique_ptr<BodyReader> body, LinkRewriter links, std::string insert, bool xml)
      : DocumentOptions{std::move(insert), {}}, Rewritten(std::move(body), std::move(links), with(xml)) {}

 private:
  const HtmlOptions& with(bool xml) {
    options.head_insert = head_insert;
    options.xml = xml;
    options.scripts = !head_insert.empty();
    return options;
  }
};

// Memory that the scripts at hand take, with what they are rewritten to.
class ScriptMemory {
 public:
  ScriptMemory() = default;
  ScriptMemory(const ScriptMemory&) = delete;
  ScriptMemory& operator=(const ScriptMemory&) = delete;
  ~ScriptMemory() { give_back(); }

  // False if there is none left.
  bool take(size_t size) {
    taken_ += size;
    return total_.fetch_add(size) + size <= kMostOfScripts;
  }
  void give_back() { total_.fetch_sub(std::exchange(taken_, 0)); }

 private:
  static inline std::atomic<size_t> total_ = 0;
  size_t taken_ = 0;
};

class Script : public BodyReader {
 public:
  Script(std::unique_ptr<BodyReader> body, LinkRewriter links, std::string begin, std::optional<url::Url> asked)
      : body_(std::move(body)), links_(std::move(links)), out_(std::move(begin)), asked_(std::move(asked)) {}

  Result<Piece> next() override {
    if (!read_) {
      TRY(const Piece piece, body_->next());
      if (!memory_.take(2 * piece.bytes.size()))
        return fail(ErrorCode::limit, "too many scripts are being rewritten at once");
      held_ += piece.bytes;
      if (!piece.end && held_.size() <= kMostOfScript) return Piece();
      read_ = true;
      whole_ = piece.end;
      rewrite();
    }
    if (given_ == out_.size()) {
      out_ = {};
      memory_.give_back();
      return body_->next();
    }
    const std::string_view piece = std::string_view(out_).substr(given_, kEnough);
    given_ += piece.size();
    return Piece{piece, whole_ && given_ == out_.size()};
  }

 private:
  void rewrite() {
    if (const auto change = asked_ ? changed_callback(held_, links_.page(), *asked_) : std::nullopt)
      held_ = with_callback(held_, *change);
    const auto script = whole_ ? rewrite_script(held_, ScriptKind::classic, links_) : std::nullopt;
    // The byte order mark tells the charset only at the front.
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (held_.starts_with(kMark) && !out_.empty()) out_.insert(0, kMark);
    out_ += script ? *script : held_;
    held_ = {};
  }

  std::unique_ptr<BodyReader> body_;
  LinkRewriter links_;
  ScriptMemory memory_;
  std::string held_;
  std::string out_;
  std::optional<url::Url> asked_;
  size_t given_ = 0;
  bool read_ = false;   // all of it, or what can be held,
  bool whole_ = false;  // which is all of it
};

class Utf8Reader : public BodyReader {
 public:
  Utf8Reader(std::unique_ptr<BodyReader> body, std::string_view encoding)
      : body_(std::move(body)), encoding_(encoding) {}

  Result<Piece> next() override {
    if (input_.empty() && !last_) {
      TRY(const Piece piece, body_->next());
      input_ = piece.bytes;
      last_ = piece.end;
    }
    held_ += input_.substr(0, kWindow);
    input_.remove_prefix(std::min(kWindow, input_.size()));
    const bool last = last_ && input_.empty();
    const size_t size = last ? held_.size() : whole_characters();
    const std::string_view ready = std::string_view(held_).substr(0, size);
    // A byte order mark is one at the front only.
    const bool front = !std::exchange(begun_, begun_ || size > 0);
    out_ = front ? text::to_utf8(ready, encoding_, storage_) : text::piece_to_utf8(ready, encoding_, storage_);
    if (out_.data() != storage_.data()) storage_ = out_;
    held_.erase(0, size);
    return Piece{storage_, last};
  }

 private:
  size_t whole_characters() const {
    // Escape sequences hold up to the end of their line.
    if (encoding_ == "ISO-2022-JP") {
      const size_t line_end = held_.rfind('\n');
      return line_end != std::string::npos ? line_end + 1 : held_.size() < kMaxWindow ? 0 : held_.size();
    }
    const size_t size = held_.size() & ~size_t{1};
    if (size == 0) return 0;
    const char high = held_[encoding_ == "UTF-16LE" ? size - 1 : size - 2];
    return (high & 0xFC) == 0xD8 ? size - 2 : size;
  }

  std::unique_ptr<BodyReader> body_;
  std::string encoding_;
  std::string_view input_;  // of the body's piece: not held yet
  bool last_ = false;
  bool begun_ = false;
  std::string held_;
  std::string storage_;
  std::string_view out_;
};

// What the standard makes of bodies that must not be decoded.
class ReplacementCharacter : public BodyReader {
 public:
  Result<Piece> next() override { return Piece{"\uFFFD", true}; }
};

}  // namespace

std::unique_ptr<BodyReader> rewritten_document(std::unique_ptr<BodyReader> body, LinkRewriter links,
                                               std::string head_insert, bool xml) {
  return std::make_unique<Document>(std::move(body), std::move(links), std::move(head_insert), xml);
}

std::unique_ptr<BodyReader> rewritten_sheet(std::unique_ptr<BodyReader> body, LinkRewriter links) {
  return std::make_unique<Plain<CssRewriter>>(std::move(body), std::move(links));
}

std::unique_ptr<BodyReader> rewritten_playlist(std::unique_ptr<BodyReader> body, LinkRewriter links) {
  return std::make_unique<Plain<PlaylistRewriter>>(std::move(body), std::move(links));
}

std::unique_ptr<BodyReader> rewritten_dash(std::unique_ptr<BodyReader> body, LinkRewriter links) {
  return std::make_unique<Plain<DashRewriter>>(std::move(body), std::move(links));
}

std::unique_ptr<BodyReader> rewritten_xml(std::unique_ptr<BodyReader> body, LinkRewriter links, XmlClients clients) {
  return std::make_unique<Xml>(std::move(body), std::move(links), std::move(clients));
}

std::unique_ptr<BodyReader> rewritten_app_manifest(std::unique_ptr<BodyReader> body, LinkRewriter links) {
  return std::make_unique<Plain<ManifestRewriter>>(std::move(body), std::move(links));
}

std::unique_ptr<BodyReader> rewritten_script(std::unique_ptr<BodyReader> body, LinkRewriter links, std::string begin,
                                             std::optional<url::Url> asked) {
  return std::make_unique<Script>(std::move(body), std::move(links), std::move(begin), std::move(asked));
}

std::unique_ptr<BodyReader> body_in_utf8(std::unique_ptr<BodyReader> body, std::string_view encoding) {
  if (encoding == "replacement") return std::make_unique<ReplacementCharacter>();
  return std::make_unique<Utf8Reader>(std::move(body), encoding);
}

}  // namespace caddis::replay
