#include "caddis/extract/xml_links.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/html_links.h"
#include "caddis/extract/markup_links.h"
#include "caddis/extract/text_tools.h"
#include "caddis/extract/url_guess.h"
#include "caddis/extract/xml_base.h"
#include "caddis/html/tag.h"
#include "caddis/html/tokenizer.h"

namespace caddis::extract {
namespace {

using html::Attribute;
using html::local_name;
using html::Token;
using html::value_of;

bool is_reference_name(std::string_view name) {
  return name == "href" || name == "src" || name == "url" || name == "xlink:href" || name == "smpte:backgroundimage";
}

void read_tag(const Token& tag, LinkSink& sink) {
  for (const Attribute& attribute : tag.attributes) {
    if (attribute.name.starts_with("xmlns") || attribute.name == "xsi:schemalocation" || attribute.name == "xml:base")
      continue;
    const std::string_view value = trim_url(attribute.value);
    const bool path = is_reference_name(attribute.name) && (is_anchored_path(value) || has_web_extension(value));
    if (path || is_sure_url(value)) sink.add_sure(value, Hop::speculative, kSpeculativeMisc);
  }
}

void read_text(std::string_view content, LinkSink& sink) {
  if (content.find('<') != std::string_view::npos)
    extract_markup(content, kSpeculativeMisc, sink);
  else if (is_sure_url(content))
    sink.add_sure(content, Hop::speculative, kSpeculativeMisc);
}

// The elements of one kind of XML. Both return whether they have taken what they were given.
struct Vocabulary {
  bool (*tag)(const Token& tag, LinkSink& sink);
  bool (*text)(std::string_view element, std::string_view content, LinkSink& sink);
};

void walk(std::string_view source, const Vocabulary& vocabulary, LinkSink& sink) {
  html::Tokenizer::Options options;
  options.follow_elements = false;
  options.cdata_anywhere = true;
  html::Tokenizer tokenizer(source, options);
  XmlBases bases(sink);
  std::string element, decoded;
  for (Token token; tokenizer.next(token);) {
    switch (token.kind) {
      case Token::Kind::start_tag:
        element = token.name;
        // A guid that is no URL says so.
        if (trim_url(value_of(token, "ispermalink")) == "false") element = "opaque";
        bases.begin(token);
        if (!vocabulary.tag(token, sink)) read_tag(token, sink);
        if (token.self_closing) bases.end(token.name);
        break;
      case Token::Kind::end_tag:
        element.clear();
        bases.end(token.name);
        break;
      case Token::Kind::text: {
        decoded.clear();
        append_text(decoded, token);
        const std::string_view content = trim_url(decoded);
        if (!content.empty() && !vocabulary.text(local_name(element), content, sink)) read_text(content, sink);
        break;
      }
      case Token::Kind::comment:
        read_instruction(token.text, sink);
        break;
      default:
        break;
    }
  }
}

// Attributes of feeds that hold a URL: also a relative one.
struct FeedAttribute {
  std::string_view element, attribute;  // the element without its prefix
  Hop hop;
};

constexpr FeedAttribute kFeedAttributes[] = {
    {"enclosure", "url", Hop::embed},   {"content", "url", Hop::embed},       {"content", "src", Hop::embed},
    {"thumbnail", "url", Hop::embed},   {"image", "href", Hop::embed},        {"image", "rdf:resource", Hop::embed},
    {"transcript", "url", Hop::embed},  {"chapters", "url", Hop::embed},      {"player", "url", Hop::navlink},
    {"source", "url", Hop::navlink},    {"li", "rdf:resource", Hop::navlink}, {"li", "resource", Hop::navlink},
    {"item", "rdf:about", Hop::navlink}};

void add_of_feed(std::string_view value, Hop hop, LinkSink& sink) {
  sink.add(value, hop, hop == Hop::embed ? kEmbedMisc : kNavlinkMisc);
}

// <link rel=… href=…> of Atom, also within RSS.
bool read_feed_link(const Token& tag, LinkSink& sink) {
  static constexpr std::string_view kEmbeds[] = {"enclosure", "icon", "logo", "thumbnail",
                                                 "http://a9.com/-/opensearch/extensions/icon"};
  static constexpr std::string_view kIgnored[] = {"hub",      "edit",    "edit-media",
                                                  "pingback", "service", "http://schemas.google.com/g/2005#post"};
  const std::string_view href = value_of(tag, "href"), rel = trim_url(value_of(tag, "rel"));
  if (href.empty()) return false;
  if (!is_one_of(rel, kIgnored)) add_of_feed(href, is_one_of(rel, kEmbeds) ? Hop::embed : Hop::navlink, sink);
  return true;
}

// Elements of a page that stand in the feed itself: <content type="xhtml">.
void read_page_element(const Token& tag, std::string_view name, LinkSink& sink) {
  static constexpr std::string_view kElements[] = {"a",   "area",   "audio", "blockquote", "embed", "iframe",
                                                   "img", "object", "q",     "source",     "track", "video"};
  if (!is_one_of(name, kElements)) return;
  each_url_of_tag(tag, [&sink](std::string_view url, bool is_url) {
    if (is_url || is_sure_url(trim_url(url))) sink.add(url, Hop::speculative, kSpeculativeMisc);
  });
}

bool read_feed_tag(const Token& tag, LinkSink& sink) {
  const std::string_view name = local_name(tag.name);
  if (name == "feed" || name == "rss") return true;
  if (name == "link") return read_feed_link(tag, sink);
  read_page_element(tag, name, sink);
  bool has_taken = false;
  for (const FeedAttribute& one : kFeedAttributes) {
    if (one.element != name) continue;
    const std::string_view value = trim_url(value_of(tag, one.attribute));
    if (value.empty()) continue;
    add_of_feed(value, one.hop, sink);
    has_taken = true;
  }
  return has_taken;
}

// A relative URL ("6", "img/l5.png") where nothing but a URL may stand; no word (None, N/A), and no host (example.org/x).
bool is_relative_url(std::string_view text) {
  if (is_anchored_path(text)) return true;
  const std::string_view first = text.substr(0, text.find_first_of("/?#"));
  if (!is_clean_path(text) || first.contains(':') || first == "localhost" || equals_ignore_case(text, "n/a"))
    return false;
  if (first.contains('.')) return !text.contains('/') && has_web_extension(text) && extension_of(text).size() > 2;
  return text.find_first_of("/?0123456789") != std::string_view::npos;
}

// A relative URL of a picture. Those without an extension may be codes, as of the weather ("10d").
bool is_relative_picture(std::string_view text) {
  return is_anchored_path(text) || (is_relative_url(text) && has_web_extension(text));
}

bool read_feed_text(std::string_view element, std::string_view content, LinkSink& sink) {
  static constexpr std::string_view kLinks[] = {"link", "guid", "comments", "commentrss", "origlink", "new-feed-url"};
  static constexpr std::string_view kEmbeds[] = {"url", "icon", "logo"};  // of <image>, and of Atom
  if (is_one_of(element, kLinks) && (is_absolute_url(content) || (element == "link" && is_relative_url(content)))) {
    add_of_feed(content, Hop::navlink, sink);
    return true;
  }
  if (is_one_of(element, kEmbeds) && (is_absolute_url(content) || is_relative_picture(content))) {
    add_of_feed(content, Hop::embed, sink);
    return true;
  }
  // The page of an author (Atom).
  if (element == "uri" && is_relative_url(content)) {
    sink.add(content, Hop::speculative, kSpeculativeMisc);
    return true;
  }
  return element == "opaque";
}

bool read_any_tag(const Token&, LinkSink&) { return false; }
bool read_any_text(std::string_view, std::string_view, LinkSink&) { return false; }

// The value of a parameter of a query, as written.
std::string_view parameter_of(std::string_view query, std::string_view name) {
  if (query.starts_with('?')) query.remove_prefix(1);
  for (const std::string_view pair : split(query, '&')) {
    const size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
  }
  return {};
}

bool read_oai_text(std::string_view element, std::string_view content, LinkSink& sink) {
  if (element == "identifier" && is_absolute_url(content)) {
    sink.add(content, Hop::navlink, kNavlinkMisc);
    return true;
  }
  if (element != "resumptiontoken") return false;
  const std::string_view verb = parameter_of(sink.document_url().search(), "verb");
  const bool is_list = verb == "ListRecords" || verb == "ListIdentifiers" || verb == "ListSets";
  if (is_list)
    sink.add_to(sink.document_url(), "?verb=" + std::string(verb) + "&resumptionToken=" + escape_component(content),
                Hop::navlink, kNavlinkMisc, {});
  return true;
}

}  // namespace

void read_instruction(std::string_view text, LinkSink& sink) {
  constexpr std::string_view kTarget = "?xml-stylesheet";
  if (!text.starts_with(kTarget)) return;
  const std::string tag = "<x" + std::string(text.substr(kTarget.size())) + ">";
  html::Tokenizer tokenizer(tag);
  Token token;
  if (!tokenizer.next(token)) return;
  if (const Attribute* href = token.find("href")) sink.add(href->value, Hop::embed, kEmbedMisc);
}

void extract_xml(std::string_view source, LinkSink& sink) { walk(source, {read_any_tag, read_any_text}, sink); }

void extract_feed(std::string_view source, LinkSink& sink) { walk(source, {read_feed_tag, read_feed_text}, sink); }

void extract_oai(std::string_view source, LinkSink& sink) { walk(source, {read_any_tag, read_oai_text}, sink); }

}  // namespace caddis::extract
