#include "caddis/replay/html.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/html/tokenizer.h"
#include "caddis/replay/css.h"
#include "caddis/replay/html_links.h"
#include "caddis/replay/long_token.h"
#include "caddis/replay/page_scripts.h"

namespace caddis::replay {
namespace {

constexpr int kMaxDepth = 2;

// What the values of one tag may come to: a long base and a list of short links give a thousand times their bytes.
constexpr size_t kMaxGrowth = 2 << 20;

}  // namespace

class HtmlRewriter::Impl {
 public:
  Impl(LinkRewriter& links, const HtmlOptions& options) : links_(links), options_(options) {}

  size_t rewrite(std::string_view source, bool last, size_t enough, std::string& out) {
    out_.swap(out);
    size_t done = 0;
    if (long_token_.active()) {
      done = long_token_.find_end(source);
      if (long_token_.active() && last) done = source.size();
      out_ += source.substr(0, done);
    }
    if (!long_token_.active()) done += rewrite_tokens(source.substr(done), last, enough);
    out_.swap(out);
    return done;
  }

  size_t pass_token(std::string_view source, std::string& out) {
    size_t done = 0;
    if (place_.model != html::ContentModel::data) {
      // The end tag may have begun.
      done = source.size() - std::min(source.size(), place_.last_start_tag.size() + 3);
    } else {
      if (!std::exchange(inserted_, true)) out += options_.head_insert;
      long_token_.begin(source, place_.foreign_depth > 0 || options_.xml);
      if (!options_.xml) place_.model = html::content_model_of(long_token_.element());
      if (place_.model != html::ContentModel::data) place_.last_start_tag = long_token_.element();
      in_style_ = long_token_.element() == "style";
      in_script_ = PageScript::none;
      done = long_token_.find_end(source);
    }
    out += source.substr(0, done);
    return done;
  }

 private:
  // The bytes at the end of a text that may begin a tag: "</".
  static constexpr size_t kShortest = 2;

  size_t rewrite_tokens(std::string_view source, bool last, size_t enough) {
    source_ = source;
    copied_ = 0;
    size_t done = 0;
    html::Tokenizer::Options how;
    how.follow_elements = !options_.xml;
    how.cdata_anywhere = options_.xml;
    html::Tokenizer tokenizer(source_, how, place_);
    html::Token token;
    bool ended = false;
    while (out_.size() < enough && !(ended = !tokenizer.next(token))) {
      if (token.end == source_.size() && !last) {
        // Text goes on as it comes; a style sheet is waited for.
        if (token.kind == html::Token::Kind::text && token.model == html::ContentModel::data && !in_style_ &&
            in_script_ == PageScript::none)
          done = std::max(done, source_.size() - std::min(source_.size() - token.start, kShortest));
        break;
      }
      grown_ = 0;
      on_token(token);
      done = token.end;
      place_ = tokenizer.place();
    }
    if (ended && last) done = source_.size();
    copy_to(done);
    // Behind the root of XML no element may stand.
    if (last && done == source_.size() && !options_.xml) insert_head();
    return done;
  }

  void on_token(const html::Token& token) {
    switch (token.kind) {
      case html::Token::Kind::start_tag:
        on_start_tag(token);
        break;
      case html::Token::Kind::end_tag:
        in_style_ = false;
        in_script_ = PageScript::none;
        break;
      case html::Token::Kind::text:
        if (in_style_) on_style_sheet(token);
        if (in_script_ != PageScript::none) on_script(token);
        break;
      default:
        break;
    }
  }

  void copy_to(size_t end) {
    out_ += source_.substr(copied_, end - copied_);
    copied_ = end;
  }
  void insert_head() {
    if (inserted_) return;
    out_ += options_.head_insert;
    inserted_ = true;
  }

  void on_start_tag(const html::Token& tag) {
    // In front of the first element that can load anything: behind <html> and <head>, wherever they are.
    const bool is_frame_of_document = tag.name == "html" || tag.name == "head";
    const bool is_first = !is_frame_of_document && !inserted_;
    if (is_first && !options_.xml) {
      copy_to(tag.start);
      insert_head();
    }
    in_style_ = tag.name == "style";
    in_script_ = options_.scripts && tag.name == "script" ? page_script(tag) : PageScript::none;
    for (const html::Attribute& attribute : tag.attributes) on_attribute(tag, attribute);
    // XML has one root, which holds everything else.
    const bool holds_it = tag.name == "head" || (is_first && options_.xml && !tag.self_closing);
    if (holds_it && !inserted_) {
      copy_to(tag.end);
      insert_head();
    }
  }

  void on_style_sheet(const html::Token& token) {
    std::string css;
    if (rewrite_css(token.text, links_, css)) replace_text(token, css);
  }

  void on_script(const html::Token& token) {
    // References to characters in XML would have to be resolved first.
    if (options_.xml && token.model != html::ContentModel::cdata &&
        token.text.find_first_of("&<") != std::string_view::npos)
      return;
    if (const auto script = rewrite_page_script(token.text, in_script_, links_)) replace_text(token, *script);
  }

  void replace_text(const html::Token& token, std::string_view text) {
    if (token.model == html::ContentModel::cdata && text.find("]]>") != std::string_view::npos) return;
    const size_t start = static_cast<size_t>(token.text.data() - source_.data());
    copy_to(start);
    out_ += text;
    copied_ = start + token.text.size();
  }

  void on_attribute(const html::Token& tag, const html::Attribute& attribute) {
    if (options_.scripts && holds_code(attribute)) {
      if (const auto code = rewrite_code(attribute.value, links_)) replace(attribute, *code);
      return;
    }
    LinkKind kind = link_kind(tag, attribute.name);
    if (kind == LinkKind::by_rel) kind = kind_of_link_element(tag);
    switch (kind) {
      case LinkKind::none:
      case LinkKind::by_rel:
        return;
      case LinkKind::drop:
        return rename(attribute);
      case LinkKind::ping:
        return replace(attribute, "");
      case LinkKind::no_script:
        return replace(attribute, "application/json");
      case LinkKind::base:
        if (const auto address = links_.rewrite(attribute.value, links_.page_modifier())) replace(attribute, *address);
        if (!has_base_) links_.set_base(attribute.value);
        has_base_ = true;
        return;
      case LinkKind::navigation:
        return replace_link(attribute, navigation(tag, attribute.value));
      case LinkKind::frame:
        return replace_link(attribute, links_.rewrite(attribute.value, Modifier::frame));
      case LinkKind::script:
        return replace_link(attribute, links_.rewrite(attribute.value, Modifier::script));
      case LinkKind::style:
        return replace_link(attribute, links_.rewrite(attribute.value, Modifier::style));
      case LinkKind::image:
        return replace_link(attribute, links_.rewrite(attribute.value, Modifier::image));
      case LinkKind::other:
        return replace_link(attribute, links_.rewrite(attribute.value, Modifier::other));
      case LinkKind::refresh:
        if (const auto refresh = rewrite_refresh(attribute.value, links_)) replace(attribute, *refresh);
        return;
      case LinkKind::image_set:
        return replace_set(attribute, Modifier::image);
      case LinkKind::other_set:
        return replace_set(attribute, tag.name == "source" ? Modifier::image : Modifier::other);
      case LinkKind::style_text:
        return replace_style(attribute);
      case LinkKind::document:
        return replace_document(attribute);
      case LinkKind::parameter:
        if (starts_with_ignore_case(trim(attribute.value), "http"))
          replace_link(attribute, links_.rewrite(attribute.value, Modifier::other));
        return;
    }
  }

  std::optional<std::string> navigation(const html::Token& tag, std::string_view link) const {
    const html::Attribute* const target = tag.find("target");
    return links_.rewrite_navigation(link, target == nullptr ? std::string_view() : target->value);
  }

  void replace_link(const html::Attribute& attribute, const std::optional<std::string>& address) {
    if (address) replace(attribute, options_.scripts ? links_.with_mark(attribute.value, *address) : *address);
  }
  void replace_set(const html::Attribute& attribute, Modifier modifier) {
    const std::string set = rewrite_srcset(attribute.value, links_, modifier);
    if (set != attribute.value) replace(attribute, set);
  }
  void replace_style(const html::Attribute& attribute) {
    // Most style attributes name no URL: not even a scan by the style sheet's rules is needed.
    if (attribute.value.find('(') == std::string_view::npos) return;
    std::string css;
    if (rewrite_css(attribute.value, links_, css)) replace(attribute, css);
  }
  void replace_document(const html::Attribute& attribute) {
    if (options_.depth >= kMaxDepth) return rename(attribute);
    HtmlOptions inner = options_;
    ++inner.depth;
    url::Url base = links_.base();
    replace(attribute, rewrite_html(attribute.value, links_, inner));
    links_.restore_base(std::move(base));
  }

  void rename(const html::Attribute& attribute) {
    copy_to(attribute.name_start);
    out_ += "data-archived-";
    copy_to(attribute.name_end);
  }

  // The attribute once more, as the page wrote it: style sheets and scripts select elements by that.
  void keep(const html::Attribute& attribute) {
    copy_to(attribute.name_start);
    const size_t end = attribute.value_end + (attribute.quote != '\0' ? 1 : 0);
    out_ += kAsWritten;
    out_ += source_.substr(attribute.name_start, end - attribute.name_start);
    out_ += ' ';
  }

  void replace(const html::Attribute& attribute, std::string_view value) {
    if (!attribute.has_value || grown_ > kMaxGrowth) return;
    grown_ += value.size();
    if (options_.scripts && (is_selected_by(attribute.name) || attribute.name == "style")) keep(attribute);
    copy_to(attribute.value_start);
    const char quote = attribute.quote != '\0' ? attribute.quote : '"';
    if (attribute.quote == '\0') out_ += quote;
    for (const char c : value) {
      if (c == '&')
        out_ += "&amp;";
      else if (c == '<' && options_.xml)
        out_ += "&lt;";
      else if (c == quote)
        out_ += quote == '"' ? "&quot;" : "&#39;";
      else
        out_ += c;
    }
    if (attribute.quote == '\0') out_ += quote;
    copied_ = attribute.value_end;
  }

  std::string_view source_;
  LinkRewriter& links_;
  const HtmlOptions options_;
  html::Tokenizer::Place place_;  // behind what is done
  LongToken long_token_;
  std::string out_;
  size_t copied_ = 0;
  size_t grown_ = 0;  // bytes of the values replaced in the token at hand
  bool inserted_ = false;
  bool in_style_ = false;
  PageScript in_script_ = PageScript::none;
  bool has_base_ = false;
};

HtmlRewriter::HtmlRewriter(LinkRewriter& links, const HtmlOptions& options)
    : impl_(std::make_unique<Impl>(links, options)) {}
HtmlRewriter::HtmlRewriter(HtmlRewriter&&) noexcept = default;
HtmlRewriter::~HtmlRewriter() = default;

size_t HtmlRewriter::rewrite(std::string_view source, bool last, size_t enough, std::string& out) {
  return impl_->rewrite(source, last, enough, out);
}
size_t HtmlRewriter::pass_token(std::string_view source, std::string& out) { return impl_->pass_token(source, out); }

std::string rewrite_html(std::string_view source, LinkRewriter& links, const HtmlOptions& options) {
  std::string out;
  out.reserve(source.size() + source.size() / 8 + options.head_insert.size() + 256);
  HtmlRewriter(links, options).rewrite(source, true, std::string::npos, out);
  return out;
}

std::optional<std::string> rewrite_refresh(std::string_view content, const LinkRewriter& links) {
  // "seconds ; url = target": every part but the target may be missing or odd (HTML Standard, "shared declarative
  // refresh").
  size_t at = content.find_first_of(";,");
  if (at == std::string_view::npos) at = content.find_first_of(" \t\n");
  if (at == std::string_view::npos) return std::nullopt;
  at = std::min(content.find_first_not_of(";, \t\n\r\f", at), content.size());
  if (starts_with_ignore_case(content.substr(at), "url")) {
    const size_t equals = content.find_first_not_of(" \t\n\r\f", at + 3);
    if (equals != std::string_view::npos && content[equals] == '=')
      at = std::min(content.find_first_not_of(" \t\n\r\f", equals + 1), content.size());
  }
  size_t end = content.size();
  if (at < end && (content[at] == '"' || content[at] == '\'')) {
    const char quote = content[at++];
    end = std::min(content.find(quote, at), content.size());
  }
  const auto address = links.rewrite_navigation(content.substr(at, end - at), "");
  if (!address) return std::nullopt;
  return std::string(content.substr(0, at)) + *address + std::string(content.substr(end));
}

std::string rewrite_srcset(std::string_view srcset, const LinkRewriter& links, Modifier modifier) {
  std::string out;
  size_t at = 0;
  const auto copy_while = [&](auto&& fits) {
    while (at < srcset.size() && fits(srcset[at])) out += srcset[at++];
  };
  while (at < srcset.size()) {
    copy_while([](char c) { return is_space(c) || c == ','; });
    const size_t start = at;
    while (at < srcset.size() && !is_space(srcset[at])) ++at;
    size_t end = at;
    // A comma at the end of the URL ends the candidate; others belong to the URL.
    while (end > start && srcset[end - 1] == ',') --end;
    const std::string_view link = srcset.substr(start, end - start);
    // An address of the archive must not end with a comma, nor begin a new candidate: URLs never do.
    const auto address = out.size() < kMaxGrowth ? links.rewrite(link, modifier) : std::nullopt;
    out += address.value_or(std::string(link));
    out += srcset.substr(end, at - end);
    if (end < at) continue;
    int parentheses = 0;
    copy_while([&](char c) {
      if (c == '(') ++parentheses;
      if (c == ')' && parentheses > 0) --parentheses;
      return c != ',' || parentheses > 0;
    });
  }
  return out;
}

}  // namespace caddis::replay
