#include "caddis/replay/xml_splicer.h"

#include <algorithm>
#include <utility>

namespace caddis::replay {
namespace {

constexpr size_t kMaxGrowth = 2 << 20;

// The bytes at the end of a text that may begin a tag: "</".
constexpr size_t kShortest = 2;

}  // namespace

size_t XmlSplicer::rewrite(std::string_view source, bool last, size_t enough, std::string& out) {
  size_t done = 0;
  if (long_token_.active()) {
    done = long_token_.find_end(source);
    if (long_token_.active() && last) done = source.size();
    out += source.substr(0, done);
    if (long_token_.active()) return done;
    source.remove_prefix(done);
  }
  const size_t before = std::exchange(done, 0);
  source_ = source;
  out_.swap(out);
  copied_ = 0;
  html::Tokenizer::Options how;
  how.follow_elements = false;
  how.cdata_anywhere = true;
  html::Tokenizer tokenizer(source_, how, place_);
  html::Token token;
  bool ended = false;
  while (out_.size() < enough && !(ended = !tokenizer.next(token))) {
    const bool is_waited_for = waits_for_text_ && token.kind == html::Token::Kind::text;
    if (!last && (token.end == source_.size() || (is_waited_for && !is_followed(token)))) {
      // Text goes on as it comes, unless somebody waits for it.
      if (token.kind == html::Token::Kind::text && token.model != html::ContentModel::cdata && !waits_for_text_)
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
  out_.swap(out);
  return before + done;
}

size_t XmlSplicer::pass_token(std::string_view source, std::string& out) {
  size_t done = 0;
  if (std::exchange(waits_for_text_, false) && !source.starts_with('<')) {
    done = std::min(source.find('<'), source.size() - kShortest);
  } else {
    long_token_.begin(source, true);
    done = long_token_.find_end(source);
  }
  out += source.substr(0, done);
  return done;
}

void XmlSplicer::on_token(const html::Token& token) {
  switch (token.kind) {
    case html::Token::Kind::start_tag:
      waits_for_text_ = false;
      on_start(token);
      if (token.self_closing) on_end();
      break;
    case html::Token::Kind::end_tag:
      waits_for_text_ = false;
      on_end();
      break;
    case html::Token::Kind::text:
      if (std::exchange(waits_for_text_, false)) on_text(token);
      break;
    case html::Token::Kind::comment:
      if (source_.substr(token.start).starts_with("<?")) {
        std::string_view content = source_.substr(token.start + 2, token.end - token.start - 2);
        if (content.ends_with('>')) content.remove_suffix(1);
        on_instruction(token, content);
      }
      break;
    default:
      break;
  }
}

// Whether it can be told what stands behind a text, and blanks behind that.
bool XmlSplicer::is_followed(const html::Token& text) const {
  const size_t next = source_.find_first_not_of(" \t\r\n", text.end);
  return next != std::string_view::npos && next + 1 < source_.size();
}

void XmlSplicer::copy_to(size_t end) {
  if (end <= copied_) return;
  out_ += source_.substr(copied_, end - copied_);
  copied_ = end;
}

void XmlSplicer::replace(size_t start, size_t end, std::string_view value) {
  if (grown_ > kMaxGrowth) return;
  grown_ += value.size();
  copy_to(start);
  for (const char c : value) {
    if (c == '&')
      out_ += "&amp;";
    else if (c == '<')
      out_ += "&lt;";
    else if (c == '"')
      out_ += "&quot;";
    else if (c == '\'')
      out_ += "&#39;";
    else
      out_ += c;
  }
  copied_ = end;
}

void XmlSplicer::splice(size_t start, size_t end, std::string_view markup) {
  if (grown_ > kMaxGrowth) return;
  grown_ += markup.size();
  copy_to(start);
  out_ += markup;
  copied_ = end;
}

void XmlSplicer::replace(const html::Attribute& attribute, std::string_view value) {
  // XML has no values without quotes.
  if (attribute.has_value && attribute.quote != '\0') replace(attribute.value_start, attribute.value_end, value);
}

std::string_view local_name(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

}  // namespace caddis::replay
