#include "caddis/extract/js_links.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/extract/chunk_names.h"
#include "caddis/extract/js_claims.h"
#include "caddis/extract/js_strings.h"
#include "caddis/extract/markup_links.h"
#include "caddis/extract/script_base.h"
#include "caddis/extract/url_guess.h"
#include "caddis/html/srcset.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

bool is_json(ScriptKind kind) { return kind == ScriptKind::page_json || kind == ScriptKind::json_file; }

class ScriptLinks {
 public:
  ScriptLinks(std::string_view script, const ScriptPlace& place, LinkSink& sink)
      : kind_(place.kind),
        is_in_page_(place.kind == ScriptKind::inline_script || place.kind == ScriptKind::page_json),
        rules_(place.rules),
        sink_(sink),
        built_(script),
        page_(place.kind == ScriptKind::script_file && place.via != nullptr ? *place.via : sink.base()),
        own_(is_in_page_ ? sink.base() : sink.document_url()),
        knows_page_(is_in_page_ || place.via != nullptr),
        is_strict_(rules_.strict || (!rules_.strict_in.empty() && rules_.strict_in.match(sink.document_url().href()))) {
    if (kind_ == ScriptKind::script_file) return;
    if (const std::string path = drupal_base(script); !path.empty())
      if (auto parsed = url::Url::parse(path, &page_)) drupal_ = *std::move(parsed);
  }

  void take_all(std::string_view script, unsigned depth = 0) {
    JsStrings strings(script);
    JsString previous;
    for (JsString string; strings.next(string); previous = string) {
      pass_on_place(previous, string);
      take(string, depth);
    }
  }

  void take_chunks(std::string_view script) {
    if (is_json(kind_)) return;
    each_chunk_name(script, sink_.longest(), [this](const std::string& name) {
      if (!sink_.may_write(name.size())) return false;
      if (is_absolute_url(name))
        add(base(), name);
      else if (may_be_path(name) && has_extension(name))
        add(built_.folder_of(name, own_, page_), name);
      return !sink_.is_full();
    });
  }

 private:
  void take(const JsString& string, unsigned depth) {
    constexpr size_t kMinimum = 2;
    if (string.raw.size() < kMinimum) return;
    if (holds_strings(string)) return take_strings(string, depth);
    std::string unescaped;
    if (string.has_escape) unescaped = js_unescape(string.raw);
    const std::string_view text = trim_url(string.has_escape ? std::string_view(unescaped) : string.raw);
    if (rules_.max_length > 0 && text.size() > rules_.max_length) return;
    if (text.empty() || rules_.reject_strings.has(text)) return;
    const auto take_within = [this](std::string_view url, bool is_url) { take_of_markup(trim_url(url), is_url); };
    if (text.find('<') != std::string_view::npos) {
      each_url_of_markup(text, take_within);
    } else if (text.find("url(") != std::string_view::npos && !is_absolute_url(text)) {
      each_url_of_css(text, take_within);
    } else if (equals_ignore_case(string.word, "srcset") && claim_of(string, rules_) != Claim::none) {
      html::SrcsetUrls urls(text);
      for (std::string_view url; !string.is_part && urls.next(url);) take_of_markup(url, true);
    } else if (built_.names(string) && !is_absolute_url(text)) {
      if (may_be_path(text) && has_extension(text)) add(built_.folder_of(text, own_, page_), text);
    } else if (!string.is_part) {
      take_whole(string, text);
    }
  }

  // A string that no other completes.
  void take_whole(const JsString& string, std::string_view text) {
    if (is_absolute_url(text)) {
      add(base(), text);
    } else if (!is_json(kind_) && is_www_host(text)) {
      add_www(text);
    } else if (may_be_path(text)) {
      if (is_import(string) || is_beside_script(string)) {
        if (is_anchored_path(text) || !is_import(string) || string.call == "importScripts") add(own_, text);
      } else if (is_sure(string, text)) {
        add(base(), text);
      }
    }
  }

  // Strings that stand in one of this script: those of JSON, mostly. In them there may be such a string, but no third.
  void take_strings(const JsString& string, unsigned depth) {
    constexpr unsigned kMaxDepth = 2;
    if (string.is_part || depth >= kMaxDepth) return;
    std::string text = string.has_escape ? js_unescape(string.raw) : std::string(string.raw);
    if (text.starts_with('%')) text = url::percent_decode(text);
    const ScriptKind outer = std::exchange(kind_, is_in_page_ ? ScriptKind::page_json : ScriptKind::json_file);
    take_all(text, depth + 1);
    kind_ = outer;
  }

  void add(const url::Url& base, std::string_view text) {
    if (is_json(kind_))
      sink_.add_to(base, text, Hop::inferred, kInferredMisc, {});
    else
      sink_.add_to(base, text, Hop::speculative, kJsMisc, {});
  }

  // A host of our own is reached as this page was, any other over http.
  void add_www(std::string_view text) {
    const std::string_view host = text.substr(0, text.find_first_of("/?#"));
    const bool own = equals_ignore_case(host, sink_.document_url().host());
    add(sink_.base(), std::string(own ? sink_.document_url().protocol() : "http:") + "//" + std::string(text));
  }

  // The base of paths in strings.
  const url::Url& base() const { return drupal_ ? *drupal_ : page_; }

  bool may_be_path(std::string_view text) const {
    const bool has_scheme = text.substr(0, text.find_first_of("/?#")).find(':') != std::string_view::npos;
    return !is_strict_ && !has_scheme && is_clean_path(text) && !rules_.reject_relative.match(text);
  }

  bool has_extension(std::string_view path) const { return rules_.extensions.has(extension_of(path)); }

  bool is_sure(const JsString& string, std::string_view path) const {
    const bool rooted = path.starts_with('/'), extension = has_extension(path);
    if (rooted && extension) return true;
    switch (claim_of(string, rules_)) {
      case Claim::url:
        return rooted || knows_page_;
      case Claim::likely:
        if (rooted) return path.size() > 1;
        if (extension) return knows_page_ || kind_ == ScriptKind::json_file;
        return kind_ == ScriptKind::inline_script &&
               (is_anchored_path(path) || (string.before == '=' && path.find('?') != std::string_view::npos));
      case Claim::none:
        return kind_ == ScriptKind::inline_script && extension && is_file(string, path);
    }
    return false;
  }

  // A file by its name alone: 'images/a.gif'. One without a folder could be a host (allegro.pl), a product (Node.js), or
  // the title of a picture (title: "Tree.jpg").
  bool is_file(const JsString& string, std::string_view path) const {
    const std::string_view name = path.substr(0, path.find_first_of("?#"));
    if (is_compared(string) || names_module(string) || name.find_first_of(",=@") != std::string_view::npos)
      return false;
    return name.find('/') != std::string_view::npos || (string.before != ':' && extension_of(name).size() > 2);
  }

  // `is_url`: the attribute says so.
  void take_of_markup(std::string_view url, bool is_url) {
    if (is_absolute_url(url)) return add(base(), url);
    if (!may_be_path(url)) return;
    const bool rooted = url.starts_with('/'), extension = has_extension(url);
    // Libraries try browsers out with such: <a href='/a'>.
    if (kind_ == ScriptKind::script_file && url.size() <= 2) return;
    const bool path_like = rooted || extension || is_anchored_path(url) || url.find('?') != std::string_view::npos;
    if ((rooted && extension) || (is_url && path_like && (rooted || knows_page_))) add(base(), url);
  }

  ScriptKind kind_;
  const bool is_in_page_;
  const ScriptRules& rules_;
  LinkSink& sink_;
  const BuiltFiles built_;
  const url::Url& page_;  // as far as it is known
  const url::Url& own_;   // of what stands beside the script
  std::optional<url::Url> drupal_;
  const bool knows_page_;
  const bool is_strict_;
};

}  // namespace

void extract_javascript(std::string_view script, const ScriptPlace& place, LinkSink& sink) {
  ScriptLinks links(script, place, sink);
  links.take_all(script);
  links.take_chunks(script);
}

void extract_source_map(const Document& document, LinkSink& sink) {
  for (const auto& [name, value] : document.fields) {
    if (equals_ignore_case(name, "sourcemap") || equals_ignore_case(name, "x-sourcemap"))
      sink.add_to(sink.document_url(), value, Hop::inferred, kInferredMisc, {});
  }
  // It stands in the last lines; one that is a data: URL reaches back further, and is no link.
  constexpr size_t kTail = 4096;
  constexpr std::string_view kMark = "# sourceMappingURL=", kOldMark = "@ sourceMappingURL=";
  const std::string_view body = document.body;
  const std::string_view tail = body.substr(body.size() - std::min(body.size(), kTail));
  size_t at = tail.rfind(kMark);
  if (at == std::string_view::npos) at = tail.rfind(kOldMark);
  if (at == std::string_view::npos || at < 2) return;
  const std::string_view comment = tail.substr(at - 2, 2);
  if (comment != "//" && comment != "/*") return;
  const std::string_view rest = tail.substr(at + kMark.size());
  const std::string_view url = rest.substr(0, rest.find_first_of(" \t\r\n*\"'"));
  if (is_absolute_url(url) || is_clean_path(url))
    sink.add_to(sink.document_url(), url, Hop::inferred, kInferredMisc, {});
}

}  // namespace caddis::extract
