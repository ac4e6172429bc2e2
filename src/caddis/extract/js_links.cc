#include "caddis/extract/js_links.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/js_strings.h"
#include "caddis/extract/url_guess.h"
#include "caddis/html/tokenizer.h"

namespace caddis::extract {
namespace {

template <size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// `location = "…"`, `image.src = "…"`.
bool is_assigned_url(const JsString& string) {
  static constexpr std::string_view kProperties[] = {"src", "href", "location", "srcset", "poster"};
  return string.before == '=' && is_one_of(string.word, kProperties);
}

// `window.open("…")`, `location.replace("…")`; also `text.replace("/a", …)`, so it takes an extension to be sure.
bool is_argument_url(const JsString& string) {
  static constexpr std::string_view kFunctions[] = {"open",         "assign",    "replace",       "fetch",
                                                    "getJSON",      "getScript", "importScripts", "Worker",
                                                    "SharedWorker", "register"};
  return string.before == '(' && is_one_of(string.word, kFunctions);
}

bool is_import(const JsString& string) {
  return string.before == '(' && (string.word == "import" || string.word == "from");
}

// `url: "…"` and `"src": "…"`.
bool is_member_url(const JsString& string) {
  static constexpr std::string_view kKeys[] = {"url",       "src",        "href",         "file",     "image", "poster",
                                               "start_url", "contentUrl", "thumbnailUrl", "embedUrl", "logo"};
  return string.before == ':' && is_one_of(string.word, kKeys);
}

class ScriptLinks {
 public:
  ScriptLinks(ScriptKind kind, const url::Url* via, LinkSink& sink) : kind_(kind), via_(via), sink_(sink) {}

  void take(const JsString& string) {
    constexpr size_t kMinimum = 2, kMaximum = 64 * 1024;
    if (string.raw.size() < kMinimum || string.raw.size() > kMaximum) return;
    std::string unescaped;
    if (string.has_escape) unescaped = js_unescape(string.raw);
    const std::string_view text = trim_url(string.has_escape ? std::string_view(unescaped) : string.raw);
    if (text.find('<') != std::string_view::npos) {
      take_markup(text);
    } else if (string.is_part) {
      return;
    } else if (is_absolute_url(text)) {
      add(sink_.base(), text);
    } else if (kind_ != ScriptKind::json && is_www_host(text)) {
      add_www(text);
    } else if (!text.starts_with("//") && is_clean_path(text)) {
      take_path(string, text);
    }
  }

 private:
  Hop hop() const { return kind_ == ScriptKind::json ? Hop::inferred : Hop::speculative; }

  void add(const url::Url& base, std::string_view text) {
    sink_.add_to(base, text, hop(), kind_ == ScriptKind::json ? kInferredMisc : kJsMisc, {});
  }

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
  LinkSink& sink_;
};

}  // namespace

void extract_javascript(std::string_view script, ScriptKind kind, const url::Url* via, LinkSink& sink) {
  ScriptLinks links(kind, via, sink);
  JsStrings strings(script);
  for (JsString string; strings.next(string);) links.take(string);
}

}  // namespace caddis::extract
