#include "caddis/extract/js_links.h"

#include <algorithm>
#include <optional>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/js_strings.h"
#include "caddis/extract/url_guess.h"
#include "caddis/html/tokenizer.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

bool is_import(const JsString& string) {
  return string.before == '(' && (string.word == "import" || string.word == "from");
}

// `JSON.parse('{"a":"…"}')`, in which much of a page's state is handed over.
bool is_parsed(const JsString& string, std::string_view text) {
  return string.before == '(' && (string.word == "parse" || string.word == "decodeURIComponent") && text.size() > 2 &&
         (text.front() == '{' || text.front() == '[' || text.starts_with("%7B") || text.starts_with("%5B"));
}

// The text of the string that is the value of the key `key` behind `from`; empty if none follows it at once.
std::string value_of_key(std::string_view script, size_t from, std::string_view key) {
  constexpr size_t kFront = 4096;
  script = script.substr(from, kFront);
  const size_t at = script.find(key);
  if (at == std::string_view::npos || at == 0 || (script[at - 1] != '"' && script[at - 1] != '\'')) return {};
  JsStrings strings(script.substr(at + key.size() + 1));
  JsString value;
  if (!strings.next(value) || value.before != ':' || value.is_part) return {};
  return value.has_escape ? js_unescape(value.raw) : std::string(value.raw);
}

// Drupal hands the settings of its site over to scripts: paths in them stand below this one. Empty for others.
std::string drupal_base(std::string_view script) {
  constexpr std::string_view kCall = "(Drupal.settings,", kState = "{\"path\":{\"baseUrl\":";
  if (const size_t call = script.find(kCall); call != std::string_view::npos)
    return value_of_key(script, call, "basePath");
  const size_t start = script.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && script.substr(start).starts_with(kState)
             ? value_of_key(script, start, "baseUrl")
             : std::string();
}

class ScriptLinks {
 public:
  ScriptLinks(const ScriptPlace& place, LinkSink& sink)
      : kind_(place.kind),
        via_(place.via),
        rules_(place.rules),
        sink_(sink),
        strict_(rules_.strict || (!rules_.strict_in.empty() && rules_.strict_in.match(sink.document_url().href()))) {}

  // Paths of the script stand below that one.
  void set_base(std::string_view path) {
    if (path.empty()) return;
    if (auto base = url::Url::parse(path, &sink_.base())) own_base_ = *std::move(base);
  }

  void take(const JsString& string) {
    constexpr size_t kMinimum = 2, kMaximum = 64 * 1024;
    if (string.raw.size() < kMinimum) return;
    if (is_parsed(string, string.raw)) return take_json(string);
    if (string.raw.size() > kMaximum) return;
    std::string unescaped;
    if (string.has_escape) unescaped = js_unescape(string.raw);
    const std::string_view text = trim_url(string.has_escape ? std::string_view(unescaped) : string.raw);
    if (rules_.max_length > 0 && text.size() > rules_.max_length) return;
    if (rules_.reject_strings.has(text)) return;
    if (text.find('<') != std::string_view::npos) {
      take_markup(text);
    } else if (string.is_part) {
      return;
    } else if (is_absolute_url(text)) {
      add(sink_.base(), text);
    } else if (kind_ != ScriptKind::json && is_www_host(text)) {
      add_www(text);
    } else if (!strict_ && !text.starts_with("//") && is_clean_path(text) && !rules_.reject_relative.match(text)) {
      take_path(string, text);
    }
  }

 private:
  Hop hop() const { return kind_ == ScriptKind::json ? Hop::inferred : Hop::speculative; }

  void add(const url::Url& base, std::string_view text) {
    sink_.add_to(base, text, hop(), kind_ == ScriptKind::json ? kInferredMisc : kJsMisc, {});
  }

  // Strings within strings end here: JSON in JSON is none of ours.
  void take_json(const JsString& string) {
    if (string.is_part) return;
    std::string text = string.has_escape ? js_unescape(string.raw) : std::string(string.raw);
    if (text.starts_with('%')) text = url::percent_decode(text);
    const ScriptPlace place{.kind = ScriptKind::json, .via = nullptr, .rules = rules_};
    ScriptLinks within(place, sink_);
    JsStrings strings(text);
    for (JsString one; strings.next(one);)
      if (!is_parsed(one, one.raw)) within.take(one);
  }

  // `location = "…"`, `image.src = "…"`.
  bool is_assigned_url(const JsString& string) const {
    return string.before == '=' && rules_.properties.has(string.word);
  }

  // `window.open("…")`, `location.replace("…")`; also `text.replace("/a", …)`, so it takes an extension to be sure.
  bool is_argument_url(const JsString& string) const {
    return string.before == '(' && rules_.functions.has(string.word);
  }

  // `url: "…"` and `"src": "…"`.
  bool is_member_url(const JsString& string) const { return string.before == ':' && rules_.keys.has(string.word); }

  // A host of our own is reached as this page was, any other over http.
  void add_www(std::string_view text) {
    const std::string_view host = text.substr(0, text.find_first_of("/?#"));
    const bool own = equals_ignore_case(host, sink_.document_url().host());
    add(sink_.base(), std::string(own ? sink_.document_url().protocol() : "http:") + "//" + std::string(text));
  }

  void take_path(const JsString& string, std::string_view path) {
    const bool anchored = is_anchored_path(path);
    if (is_import(string)) {
      if (anchored) add(kind_ == ScriptKind::inline_script ? sink_.base() : sink_.document_url(), path);
      return;
    }
    const bool extension = has_web_extension(path);
    const bool path_like = anchored || extension;
    const bool told = (is_assigned_url(string) && (path_like || path.find('?') != std::string_view::npos)) ||
                      (is_member_url(string) && path_like) || (is_argument_url(string) && extension);
    const bool sure = kind_ == ScriptKind::inline_script ? told : told && extension && via_ != nullptr;
    if (sure || is_rooted_file(path) || (kind_ == ScriptKind::json && told && extension)) add(path_base(), path);
  }

  static bool is_rooted_file(std::string_view path) { return path[0] == '/' && has_web_extension(path); }

  // What paths in a string are relative to: the page. Of a script file nobody named the page of, the file.
  const url::Url& path_base() const {
    if (own_base_) return *own_base_;
    if (kind_ == ScriptKind::inline_script) return sink_.base();
    return via_ != nullptr && kind_ == ScriptKind::module_file ? *via_ : sink_.document_url();
  }

  // '<img src="…">' in a string. Also in a part of one: what it cuts off is no whole tag.
  void take_markup(std::string_view markup) {
    html::Tokenizer tokenizer(markup);
    for (html::Token token; tokenizer.next(token);) {
      if (token.kind != html::Token::Kind::start_tag) continue;
      for (const std::string_view name : {"src", "href"}) {
        const html::Attribute* attribute = token.find(name);
        if (attribute == nullptr) continue;
        const std::string_view value = trim_url(attribute->value);
        const bool relative = kind_ == ScriptKind::inline_script && is_anchored_path(value) && has_web_extension(value);
        if (relative || is_sure_url(value)) add(path_base(), value);
      }
    }
  }

  ScriptKind kind_;
  const url::Url* via_;
  const ScriptRules& rules_;
  LinkSink& sink_;
  std::optional<url::Url> own_base_;
  const bool strict_;
};

}  // namespace

void extract_javascript(std::string_view script, const ScriptPlace& place, LinkSink& sink) {
  ScriptLinks links(place, sink);
  if (place.kind != ScriptKind::module_file) links.set_base(drupal_base(script));
  JsStrings strings(script);
  for (JsString string; strings.next(string);) links.take(string);
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
