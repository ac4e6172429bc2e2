#include "caddis/extract/html_links.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/extract/attribute_role.h"
#include "caddis/extract/css_links.h"
#include "caddis/extract/js_links.h"
#include "caddis/extract/json_links.h"
#include "caddis/extract/link_relation.h"
#include "caddis/extract/markup_links.h"
#include "caddis/extract/page_property.h"
#include "caddis/extract/script_type.h"
#include "caddis/extract/url_guess.h"
#include "caddis/extract/xml_links.h"
#include "caddis/html/srcset.h"
#include "caddis/html/tag.h"
#include "caddis/html/tokenizer.h"
#include "caddis/robots/page_directives.h"
#include "caddis/text/encoding.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

using html::Attribute;
using html::Token;
using html::value_of;

bool has_token(std::string_view list, std::string_view wanted) {
  for (const std::string_view part : split(list, ' ')) {
    if (equals_ignore_case(trim(part), wanted)) return true;
  }
  return false;
}

bool may_be_json(std::string_view value) { return value.starts_with('{') || value.starts_with('['); }

// The candidates that look like a URL, of an attribute whose name ends as those do that are known.
void add_likely_candidates(const Token& tag, const Attribute& attribute, LinkSink& sink) {
  html::SrcsetUrls urls(attribute.value);
  for (std::string_view url; urls.next(url);)
    if (is_absolute_url(url) || has_web_extension(url)) sink.add(url, Hop::embed, tag.name, attribute.name);
}

// XHTML and SVG name style sheets as any XML does.
void read_style_sheet(std::string_view instruction, std::string_view encoding, LinkSink& sink) {
  std::string storage;
  read_instruction(text::piece_to_utf8(instruction, encoding, storage), sink);
}

class HtmlLinks {
 public:
  HtmlLinks(const PageRules& rules, LinkSink& sink) : rules_(rules), options_(rules.options), sink_(sink) {
    facts_.nofollow = rules.nofollow;
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
          if (token.text.starts_with("?xml-stylesheet") && !is_template_) read_style_sheet(token.text, encoding, sink_);
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
    // The page says this, not a template in it.
    if (is_template_ && (tag.name == "meta" || tag.name == "base")) return;
    if (tag.name == "meta") return read_meta(tag);
    if (tag.name == "base") return read_base(tag);
    const bool is_link = tag.name == "link";
    if (is_link) read_link(tag);
    if (tag.name == "form") {
      const std::string_view method = trim(value_of(tag, "method"));
      form_is_get_ = method.empty() || equals_ignore_case(method, "get");
    }
    for (const Attribute& attribute : tag.attributes) {
      // <link data-href>: a style sheet that a script loads.
      if (is_link && !attribute.name.starts_with("data-")) continue;
      const AttributeRole role = attribute_role(attribute.name);
      if (role == AttributeRole::none || attribute.value.empty()) continue;
      if (is_template_ && has_placeholder(attribute.value)) continue;
      read_attribute(tag, attribute, role, depth);
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
        read_action(tag, attribute);
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
        read_handler(attribute);
        break;
      case AttributeRole::ping:
        for (const std::string_view one : split(value, ' ')) navigate(one, tag.name, attribute.name);
        break;
      case AttributeRole::maybe:
        read_maybe(tag, attribute);
        break;
      case AttributeRole::maybe_candidates:
        if (may_be_json(value)) return read_data(tag, attribute);
        add_likely_candidates(tag, attribute, sink_);
        break;
      case AttributeRole::data:
        read_data(tag, attribute);
        break;
      case AttributeRole::srcdoc:
        run(value, text::kUtf8, depth + 1);
        break;
      case AttributeRole::content:
        read_content(tag, attribute.name);
        break;
      case AttributeRole::item_id:
        read_item_id(tag, attribute);
        break;
      case AttributeRole::none:
        break;
    }
  }

  // Scripts are read where the settings and the page allow it.
  void read_script(std::string_view script, ScriptKind kind) {
    if (!options_.javascript || facts_.nofollow) return;
    extract_javascript(script, {.kind = kind, .via = nullptr, .rules = rules_.script}, sink_);
  }

  void read_handler(const Attribute& attribute) {
    if (rules_.script.reject_attributes.match(attribute.name)) return;
    read_script(attribute.value, ScriptKind::inline_script);
  }

  // A picture that is loaded late, by one of many scripts that do so: a URL, a style, or something else.
  void read_maybe(const Token& tag, const Attribute& attribute) {
    const std::string_view value = trim_url(attribute.value);
    if (may_be_json(value)) return read_data(tag, attribute);
    if (value.find("url(") != std::string_view::npos) return extract_css(value, CssPlace::page, sink_);
    if (value.find(' ') != std::string_view::npos && value.find(", ") != std::string_view::npos)
      return read_candidates(tag, attribute);
    if (is_absolute_url(value) || has_web_extension(value)) sink_.add(value, Hop::embed, tag.name, attribute.name);
  }

  // Any other data attribute: what is surely a URL, and the state of a page in JSON.
  void read_data(const Token& tag, const Attribute& attribute) {
    const std::string_view value = trim_url(attribute.value);
    if (value.empty() || facts_.nofollow) return;
    if (may_be_json(value)) return read_script(value, ScriptKind::page_json);
    const bool may_be_url = value.front() == '/' || to_lower(value.front()) == 'h' || to_lower(value.front()) == 'w';
    if (may_be_url && is_sure_url(value)) sink_.add_sure(value, Hop::speculative, tag.name, attribute.name);
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
    if (tag.name == "a" && options_.obey_rel_nofollow && has_token(value_of(tag, "rel"), "nofollow")) return;
    if (const std::string_view trimmed = trim_url(value); starts_with_ignore_case(trimmed, "javascript:"))
      return read_script(trimmed.substr(11), ScriptKind::inline_script);
    if (tag.name == "a") {
      const bool remote = equals_ignore_case(value_of(tag, "data-remote"), "true");
      return navigate(value, remote ? "a[data-remote='true']" : tag.name, attribute.name);
    }
    // SVG: parts of the picture.
    for (const std::string_view part : {"image", "use", "script", "feimage", "mpath", "pattern", "lineargradient"}) {
      if (tag.name == part) return sink_.add(value, Hop::embed, tag.name, attribute.name);
    }
    navigate(value, tag.name, attribute.name);
  }

  // The target of a form, or of a button in the form that was opened last.
  void read_action(const Token& tag, const Attribute& attribute) {
    const bool is_form = tag.name == "form" && attribute.name == "action";
    const bool is_button = (tag.name == "button" || tag.name == "input") && attribute.name == "formaction";
    if (!options_.forms || (!is_form && !is_button)) return;
    const Attribute* const method = tag.find(is_form ? "method" : "formmethod");
    bool is_get = is_form || form_is_get_;
    if (method != nullptr) is_get = trim(method->value).empty() || equals_ignore_case(trim(method->value), "get");
    if (options_.only_get_forms && !is_get) return;
    navigate(attribute.value, tag.name, attribute.name);
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
    if (sure && !facts_.nofollow) sink_.add_sure(value, Hop::navlink, tag.name, "value");
  }

  // "file=a.xml&image=b.jpg": the values that are files or URLs.
  void read_flashvars(const Token& tag, std::string_view attribute, std::string_view value) {
    for (const std::string_view pair : split(value, '&')) {
      const std::string decoded = url::percent_decode(pair.substr(pair.find('=') + 1));
      if (is_sure_url(decoded) || has_web_extension(decoded)) {
        sink_.add_sure(decoded, Hop::speculative, tag.name, attribute);
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
    const std::string_view href = value_of(tag, "href");
    if (is_template_ && has_placeholder(href)) return;
    if (relation.kind == LinkRelation::Kind::ignored) return read_item_link(tag, href);
    if (relation.kind == LinkRelation::Kind::embed) {
      sink_.add(href, Hop::embed, "link[rel='" + std::string(relation.name) + "']", "href");
    } else {
      navigate(href, tag.name, "href");
    }
    if (const Attribute* candidates = tag.find("imagesrcset")) read_candidates(tag, *candidates);
  }

  // A property of an item (microdata); values of vocabularies (https://schema.org/InStock) are no links.
  void read_item_link(const Token& tag, std::string_view href) {
    if (tag.find("itemprop") == nullptr || tag.find("rel") != nullptr) return;
    const std::string_view value = trim_url(href);
    if (is_absolute_url(value) || is_anchored_path(value)) navigate(value, tag.name, "href");
  }

  void read_meta(const Token& tag) {
    const std::string_view content = value_of(tag, "content");
    const std::string_view name = trim(value_of(tag, "name"));
    if (robots::addresses_us(name, rules_.product_token)) return read_robots(content);
    if (equals_ignore_case(trim(value_of(tag, "http-equiv")), "refresh")) {
      if (const auto url = html::refresh_url(content)) sink_.add(*url, Hop::redirect, "meta");
      return;
    }
    read_content(tag, {});
  }

  // The content of a property: of the page (meta), or of an item in it.
  void read_content(const Token& tag, std::string_view attribute) {
    if (facts_.nofollow) return;
    const std::string_view text = trim_url(value_of(tag, "content"));
    const bool is_url = is_sure_url(text) || is_url_of_property(value_of(tag, "property"), text) ||
                        is_url_of_property(value_of(tag, "name"), text) ||
                        is_url_of_property(value_of(tag, "itemprop"), text);
    if (is_url) sink_.add_sure(text, Hop::speculative, tag.name, attribute);
  }

  // The name of an item (microdata): a URL, if it is none of a register of names (urn:isbn:…).
  void read_item_id(const Token& tag, const Attribute& attribute) {
    const std::string_view value = trim_url(attribute.value);
    if (facts_.nofollow || (!is_absolute_url(value) && !is_anchored_path(value))) return;
    sink_.add(value, Hop::speculative, tag.name, attribute.name);
  }

  void read_robots(std::string_view content) {
    const robots::PageDirectives said = robots::parse_directives(content);
    facts_.directives.add(said);
    if (rules_.obeys_nofollow && said.nofollow) facts_.nofollow = true;
  }

  // How the text that follows is to be read.
  void remember_raw_element(const Token& tag) {
    raw_ = Raw::other;
    if (tag.name == "style")
      raw_ = Raw::css;
    else if (tag.name == "title" && !is_template_)
      raw_ = Raw::title;
    else if (tag.name == "script")
      raw_ = raw_of_script(trim(value_of(tag, "type")));
    else if (tag.name == "noframes" || tag.name == "noembed")
      raw_ = Raw::markup;
  }

  enum class Raw { other, css, javascript, json, import_map, speculation, title, markup, markup_template };

  static Raw raw_of_script(std::string_view type) {
    if (is_script_type(type)) return Raw::javascript;
    if (equals_ignore_case(type, "importmap") || equals_ignore_case(type, "importmap-shim")) return Raw::import_map;
    if (equals_ignore_case(type, "speculationrules")) return Raw::speculation;
    if (contains_ignore_case(type, "json")) return Raw::json;
    return is_template_type(type) ? Raw::markup_template : Raw::other;
  }

  void read_text(const Token& token, std::string_view encoding, unsigned depth) {
    if (token.model == html::ContentModel::data || raw_ == Raw::other) return;
    if (raw_ == Raw::markup) return run(token.text, encoding, depth + 1);
    if (raw_ == Raw::markup_template) {
      const bool was_template = std::exchange(is_template_, true);
      run(token.text, encoding, depth + 1);
      is_template_ = was_template;
      return;
    }
    std::string storage;
    const std::string_view decoded = text::piece_to_utf8(token.text, encoding, storage);
    switch (raw_) {
      case Raw::css:
        extract_css(decoded, CssPlace::page, sink_);
        break;
      case Raw::javascript:
        read_script(decoded, ScriptKind::inline_script);
        break;
      case Raw::json:
        read_script(decoded, ScriptKind::page_json);
        break;
      case Raw::import_map:
        if (!facts_.nofollow) extract_import_map(decoded, sink_);
        break;
      case Raw::speculation:
        if (!facts_.nofollow) extract_speculation_rules(decoded, sink_);
        break;
      case Raw::title:
        read_title(token, decoded);
        break;
      case Raw::markup:
      case Raw::markup_template:
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

  const PageRules& rules_;
  const Options& options_;
  LinkSink& sink_;
  PageFacts facts_;
  bool has_base_ = false;
  bool form_is_get_ = true;
  bool is_template_ = false;  // what is read
  Raw raw_ = Raw::other;
};

}  // namespace

PageFacts extract_html(std::string_view source, std::string_view encoding, const PageRules& rules, LinkSink& sink) {
  HtmlLinks links(rules, sink);
  links.run(source, encoding);
  return links.take_facts();
}

void extract_markup(std::string_view source, std::string_view context, LinkSink& sink) {
  each_url_of_markup(source, [&](std::string_view url, bool is_url) {
    if (is_url || is_sure_url(trim_url(url))) sink.add(url, Hop::speculative, context);
  });
}

}  // namespace caddis::extract
