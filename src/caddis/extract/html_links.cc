#include "caddis/extract/html_links.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/extract/attribute_role.h"
#include "caddis/extract/css_links.h"
#include "caddis/extract/http_links.h"
#include "caddis/extract/js_links.h"
#include "caddis/extract/link_relation.h"
#include "caddis/extract/url_guess.h"
#include "caddis/html/srcset.h"
#include "caddis/html/tokenizer.h"
#include "caddis/text/encoding.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

using html::Attribute;
using html::Token;

std::string_view value_of(const Token& tag, std::string_view name) {
  const Attribute* attribute = tag.find(name);
  return attribute == nullptr ? std::string_view() : attribute->value;
}

bool has_token(std::string_view list, std::string_view wanted) {
  for (const std::string_view part : split(list, ' ')) {
    if (equals_ignore_case(trim(part), wanted)) return true;
  }
  return false;
}

class HtmlLinks {
 public:
  HtmlLinks(const Options& options, bool nofollow, LinkSink& sink) : options_(options), sink_(sink) {
    facts_.nofollow = nofollow;
  }

  void run(std::string_view source, std::string_view encoding, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 4;  // of conditional comments, noframes and srcdoc within each other
    if (depth > kMaxDepth) return;
    html::Tokenizer::Options tokens;
    tokens.skip_text = true;
    tokens.skip_bare_tags = true;
    tokens.encoding = encoding;
    html::Tokenizer tokenizer(source, tokens);
    for (Token token; tokenizer.next(token);) {
      switch (token.kind) {
        case Token::Kind::start_tag:
          read_tag(token, depth);
          break;
        case Token::Kind::text:
          read_text(token, encoding, depth);
          break;
        case Token::Kind::comment:
          if (token.text.starts_with("[if")) read_conditional_comment(token.text, encoding, depth);
          break;
        default:
          break;
      }
    }
  }

  PageFacts take_facts() { return std::move(facts_); }

 private:
  void read_tag(const Token& tag, unsigned depth) {
    if (token_model(tag) != html::ContentModel::data) remember_raw_element(tag);
    if (tag.attributes.empty()) return;
    if (tag.name == "meta") return read_meta(tag);
    if (tag.name == "base") return read_base(tag);
    if (tag.name == "link") return read_link(tag);
    for (const Attribute& attribute : tag.attributes) {
      const AttributeRole role = attribute_role(attribute.name);
      if (role != AttributeRole::none && !attribute.value.empty()) read_attribute(tag, attribute, role, depth);
    }
  }

  static html::ContentModel token_model(const Token& tag) { return html::content_model_of(tag.name); }

  void read_attribute(const Token& tag, const Attribute& attribute, AttributeRole role, unsigned depth) {
    const std::string_view value = attribute.value;
    switch (role) {
      case AttributeRole::href:
        read_href(tag, attribute);
        break;
      case AttributeRole::navigation:
        navigate(value, tag.name, attribute.name);
        break;
      case AttributeRole::action:
        read_action(tag, value);
        break;
      case AttributeRole::embed:
        sink_.add(value, embed_hop(tag), tag.name, attribute.name);
        break;
      case AttributeRole::candidates:
        read_candidates(tag, attribute);
        break;
      case AttributeRole::lazy:
        if (value.find(", ") != std::string_view::npos)
          read_candidates(tag, attribute);
        else
          sink_.add(value, Hop::embed, tag.name, attribute.name);
        break;
      case AttributeRole::resource:
        read_resource(tag, attribute);
        break;
      case AttributeRole::codebase:
        navigate(value, tag.name, attribute.name);
        break;
      case AttributeRole::value:
        read_value(tag, value);
        break;
      case AttributeRole::flashvars:
        read_flashvars(tag, attribute.name, value);
        break;
      case AttributeRole::style:
        extract_css(value, CssPlace::page, sink_);
        break;
      case AttributeRole::handler:
        if (options_.javascript && !facts_.nofollow)
          extract_javascript(value, ScriptKind::inline_script, nullptr, sink_);
        break;
      case AttributeRole::srcdoc:
        run(value, text::kUtf8, depth + 1);
        break;
      case AttributeRole::none:
        break;
    }
  }

  // Frames are embeds by setting; all else with a src is one.
  Hop embed_hop(const Token& tag) const {
    if (options_.frames_as_embeds || (tag.name != "frame" && tag.name != "iframe")) return Hop::embed;
    return Hop::navlink;
  }

  // Adds a link for a reader to follow, where the page allows that.
  void navigate(std::string_view value, std::string_view element, std::string_view attribute) {
    if (!facts_.nofollow) sink_.add(value, Hop::navlink, element, attribute);
  }

  void read_href(const Token& tag, const Attribute& attribute) {
    const std::string_view value = attribute.value;
    if (tag.name == "a") {
      if (options_.obey_rel_nofollow && has_token(value_of(tag, "rel"), "nofollow")) return;
      const std::string_view trimmed = trim_url(value);
      if (starts_with_ignore_case(trimmed, "javascript:")) {
        if (options_.javascript && !facts_.nofollow) {
          extract_javascript(trimmed.substr(11), ScriptKind::inline_script, nullptr, sink_);
        }
        return;
      }
      const bool remote = equals_ignore_case(value_of(tag, "data-remote"), "true");
      return navigate(value, remote ? "a[data-remote='true']" : tag.name, attribute.name);
    }
    // SVG: parts of the picture.
    for (const std::string_view part : {"image", "use", "script", "feimage", "mpath", "pattern", "lineargradient"}) {
      if (tag.name == part) return sink_.add(value, Hop::embed, tag.name, attribute.name);
    }
    navigate(value, tag.name, attribute.name);
  }

  void read_action(const Token& tag, std::string_view value) {
    if (!options_.forms || tag.name != "form") return;
    const std::string_view method = trim(value_of(tag, "method"));
    if (options_.only_get_forms && !method.empty() && !equals_ignore_case(method, "get")) return;
    navigate(value, tag.name, "action");
  }

  void read_candidates(const Token& tag, const Attribute& attribute) {
    html::SrcsetUrls urls(attribute.value);
    for (std::string_view url; urls.next(url);) sink_.add(url, Hop::embed, tag.name, attribute.name);
  }

  // Of object, applet and embed; resolved against their codebase. The context is the element alone, as in Heritrix.
  void read_resource(const Token& tag, const Attribute& attribute) {
    if (tag.name != "object" && tag.name != "applet" && tag.name != "embed") return;
    std::optional<url::Url> codebase;
    if (const std::string_view written = value_of(tag, "codebase"); !written.empty()) {
      if (auto parsed = url::Url::parse(trim_url(written), &sink_.base())) codebase = std::move(*parsed);
    }
    const url::Url& base = codebase ? *codebase : sink_.base();
    if (attribute.name != "archive") {
      sink_.add_to(base, attribute.value, Hop::embed, tag.name, {});
      return;
    }
    for (const std::string_view list : split(attribute.value, ',')) {
      for (const std::string_view archive : split(list, ' ')) sink_.add_to(base, archive, Hop::embed, tag.name, {});
    }
  }

  // A value is a URL where it says so itself; of an option (a jump menu) also a path, of a param also a file.
  void read_value(const Token& tag, std::string_view value) {
    if (tag.name == "param" && equals_ignore_case(value_of(tag, "name"), "flashvars")) {
      return read_flashvars(tag, "value", value);
    }
    if (!options_.value_attributes) return;
    value = trim_url(value);
    const bool sure = is_sure_url(value) ||
                      (tag.name == "option" && (is_anchored_path(value) || has_web_extension(value))) ||
                      (tag.name == "param" && has_web_extension(value));
    if (sure) navigate(value, tag.name, "value");
  }

  // "file=a.xml&image=b.jpg": the values that are files or URLs.
  void read_flashvars(const Token& tag, std::string_view attribute, std::string_view value) {
    for (const std::string_view pair : split(value, '&')) {
      const std::string decoded = url::percent_decode(pair.substr(pair.find('=') + 1));
      if (is_sure_url(decoded) || has_web_extension(decoded)) {
        sink_.add(decoded, Hop::speculative, tag.name, attribute);
      }
    }
  }

  void read_base(const Token& tag) {
    const std::string_view href = trim_url(value_of(tag, "href"));
    if (href.empty()) return;
    if (!std::exchange(has_base_, true)) sink_.set_base(href);
    if (!facts_.nofollow) sink_.add_to(sink_.document_url(), href, Hop::navlink, tag.name, "href");
  }

  void read_link(const Token& tag) {
    const LinkRelation relation = link_relation(value_of(tag, "rel"));
    if (relation.kind == LinkRelation::Kind::ignored) return;
    const std::string_view href = value_of(tag, "href");
    if (relation.kind == LinkRelation::Kind::embed) {
      sink_.add(href, Hop::embed, "link[rel='" + std::string(relation.name) + "']", "href");
    } else {
      navigate(href, tag.name, "href");
    }
    if (const Attribute* candidates = tag.find("imagesrcset")) read_candidates(tag, *candidates);
  }

  void read_meta(const Token& tag) {
    const std::string_view content = value_of(tag, "content");
    const std::string_view name = trim(value_of(tag, "name"));
    if (equals_ignore_case(name, "robots")) return read_robots(content);
    if (equals_ignore_case(trim(value_of(tag, "http-equiv")), "refresh")) {
      if (const auto url = html::refresh_url(content)) sink_.add(*url, Hop::redirect, "meta");
      return;
    }
    if (facts_.nofollow) return;
    const std::string_view text = trim_url(content);
    const bool known = is_media_property(value_of(tag, "property")) || is_media_property(name) ||
                       is_media_property(value_of(tag, "itemprop"));
    if (is_sure_url(text) || (known && has_web_extension(text))) sink_.add(text, Hop::speculative, "meta");
  }

  // og:image and its like, whose content is a URL even where it is relative.
  static bool is_media_property(std::string_view name) {
    if (name.empty()) return false;
    for (const std::string_view part : {"image", "video", "audio", "logo", "thumbnail"}) {
      if (contains_ignore_case(name, part)) return true;
    }
    return false;
  }

  void read_robots(std::string_view content) {
    if (options_.obey_meta_nofollow && says_nofollow(content)) facts_.nofollow = true;
  }

  // How the text that follows is to be read.
  void remember_raw_element(const Token& tag) {
    raw_ = Raw::other;
    if (tag.name == "style")
      raw_ = Raw::css;
    else if (tag.name == "title")
      raw_ = Raw::title;
    else if (tag.name == "script")
      raw_ = raw_of_script(trim(value_of(tag, "type")));
    else if (tag.name == "noframes" || tag.name == "noembed")
      raw_ = Raw::markup;
  }

  enum class Raw { other, css, javascript, json, title, markup };

  static Raw raw_of_script(std::string_view type) {
    if (type.empty() || equals_ignore_case(type, "module") || contains_ignore_case(type, "javascript") ||
        contains_ignore_case(type, "ecmascript")) {
      return Raw::javascript;
    }
    return contains_ignore_case(type, "json") ? Raw::json : Raw::other;
  }

  void read_text(const Token& token, std::string_view encoding, unsigned depth) {
    if (token.model == html::ContentModel::data || raw_ == Raw::other) return;
    if (raw_ == Raw::markup) return run(token.text, encoding, depth + 1);
    std::string storage;
    const std::string_view decoded = text::piece_to_utf8(token.text, encoding, storage);
    switch (raw_) {
      case Raw::css:
        extract_css(decoded, CssPlace::page, sink_);
        break;
      case Raw::javascript:
        if (options_.javascript && !facts_.nofollow)
          extract_javascript(decoded, ScriptKind::inline_script, nullptr, sink_);
        break;
      case Raw::json:
        if (options_.javascript && !facts_.nofollow) extract_javascript(decoded, ScriptKind::json, nullptr, sink_);
        break;
      case Raw::title:
        read_title(token, decoded);
        break;
      case Raw::markup:
      case Raw::other:
        break;
    }
  }

  void read_title(Token title, std::string_view text) {
    constexpr size_t kMaxTitle = 1000;
    if (!facts_.title.empty()) return;
    std::string decoded;
    title.text = text;
    append_text(decoded, title);
    for (const char c : trim(decoded)) {
      if (!is_space(c))
        facts_.title += c;
      else if (facts_.title.back() != ' ')
        facts_.title += ' ';
    }
    if (facts_.title.size() > kMaxTitle) facts_.title.resize(kMaxTitle);
  }

  // `[if IE]> … <![endif]`: what some browser once took for markup.
  void read_conditional_comment(std::string_view text, std::string_view encoding, unsigned depth) {
    const size_t start = text.find(']');
    if (start == std::string_view::npos) return;
    run(text.substr(start + 1), encoding, depth + 1);
  }

  const Options& options_;
  LinkSink& sink_;
  PageFacts facts_;
  bool has_base_ = false;
  Raw raw_ = Raw::other;
};

}  // namespace

PageFacts extract_html(std::string_view source, std::string_view encoding, const Options& options, bool nofollow,
                       LinkSink& sink) {
  HtmlLinks links(options, nofollow, sink);
  links.run(source, encoding);
  return links.take_facts();
}

void extract_markup(std::string_view source, std::string_view context, LinkSink& sink) {
  html::Tokenizer tokenizer(source);
  for (Token token; tokenizer.next(token);) {
    if (token.kind != Token::Kind::start_tag) continue;
    for (const std::string_view name : {"href", "src"}) {
      if (const std::string_view value = value_of(token, name); !value.empty())
        sink.add(value, Hop::speculative, context);
    }
  }
}

}  // namespace caddis::extract
