// Replay of one capture: choosing it, leading to its exact address, rewriting it.
#include <algorithm>
#include <span>
#include <tuple>

#include "caddis/base/html_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/request_key.h"
#include "caddis/http/media_type.h"
#include "caddis/io/gzip.h"
#include "caddis/replay/archive_file.h"
#include "caddis/replay/body_response.h"
#include "caddis/replay/frame_page.h"
#include "caddis/replay/fuzzy_lookup.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/link_rewriter.h"
#include "caddis/replay/page_scripts.h"
#include "caddis/replay/partial.h"
#include "caddis/replay/playlist.h"
#include "caddis/replay/posted.h"
#include "caddis/replay/request_context.h"
#include "caddis/replay/rewritten_body.h"
#include "caddis/replay/stored.h"
#include "caddis/replay/views.h"
#include "caddis/replay/wayback.h"
#include "caddis/replay/xml_document.h"
#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"

namespace caddis::replay {
namespace {

constexpr size_t kFewCandidates = 12;    // nearest captures tried first,
constexpr size_t kManyCandidates = 500;  // and where none of them can be shown
// Of a document, to find its charset and whether it is one.
constexpr size_t kLookedAt = 256 * 1024;
constexpr size_t kMostOfCookies = 16 * 1024;
constexpr long long kOneVisit = 24 * 60 * 60;  // seconds, within which a crawl comes back to a wall
constexpr std::string_view kLatest = "99991231235959";

using cdx::normal_url;

std::optional<url::Url> redirect_target(const Stored& stored) {
  if (!stored.head || stored.status() < 300 || stored.status() > 399) return std::nullopt;
  const auto location = stored.head->find("location");
  const auto page = url::Url::parse(stored.capture.url);
  if (!location || !page) return std::nullopt;
  auto target = url::Url::parse(*location, &*page);
  return target ? std::optional(*std::move(target)) : std::nullopt;
}

// A redirect to the same key (http to https, to www and back) leads to this same choice again: another capture is
// meant.
bool is_self_redirect(const RequestContext& context, const Stored& stored) {
  // There the target is fetched; one that is the same URL is for the browser to find out.
  if (context.options.is_live) return false;
  const auto target = redirect_target(stored);
  if (!target) return false;
  const auto captures = context.collection.index().captures_of(target->href());
  return captures && captures->key() == stored.capture.urlkey;
}

bool is_same_record(const cdx::Capture& a, const cdx::Capture& b) {
  return std::tie(a.timestamp, a.member, a.filename, a.offset) == std::tie(b.timestamp, b.member, b.filename, b.offset);
}

// A redirect that, followed through the archive, comes back to this very capture: a wall, whose cookie let the crawler pass
// when it came again. The capture that was made then is meant.
bool leads_back(const RequestContext& context, const Stored& stored) {
  constexpr int kMostHops = 6;
  if (context.options.is_live) return false;
  auto target = redirect_target(stored);
  std::string timestamp = stored.capture.timestamp;
  for (int hops = 0; target && hops < kMostHops; ++hops) {
    const auto captures = context.collection.index().captures_of(target->href());
    const auto nearest = captures ? captures->closest(timestamp, 1) : Result<std::vector<cdx::Capture>>();
    if (!nearest || nearest->empty()) return false;
    if (is_same_record(nearest->front(), stored.capture)) return hops > 0;
    const auto next = read_stored(context.collection, nearest->front(), context.whole);
    if (!next) return false;
    target = redirect_target(*next);
    timestamp = next->capture.timestamp;
  }
  return false;
}

bool can_be_shown(const RequestContext& context, const Stored& stored, Modifier modifier) {
  // As captured, a redirect leads nowhere.
  const bool is_loop = modifier != Modifier::identity && is_self_redirect(context, stored);
  return stored.status() >= 200 && stored.status() != 304 && !is_loop;
}

struct Choice {
  std::optional<Stored> stored;
  std::optional<Stored> other_part;  // of what is asked for, but not the one that is
  std::string leads_to;              // where a capture that cannot be shown redirects to
  Unshown unshown;
};

void note_problem(const Error& error, Unshown& unshown) {
  constexpr size_t kMostTold = 5;
  unshown.is_for_now |= is_for_now(error);
  if (unshown.problems.size() < kMostTold &&
      std::ranges::find(unshown.problems, error.message) == unshown.problems.end())
    unshown.problems.push_back(error.message);
}

// The values in a query, in the order of their letters.
std::vector<std::string> query_values(std::string_view url) {
  std::vector<std::string> values;
  const size_t query = url.find('?');
  if (query == url.npos) return values;
  for (const std::string_view part : split(url.substr(query + 1), '&'))
    values.emplace_back(part.substr(std::min(part.find('='), part.size())));
  std::ranges::sort(values, {}, [](const std::string& value) { return to_lower(value); });
  return values;
}

// Keys have small letters alone, and "v=AbC" is another page than "v=aBc". Paths are left alone: old servers took both.
bool is_another_page(std::string_view a, std::string_view b) {
  const auto ours = query_values(a), theirs = query_values(b);
  return ours != theirs && std::ranges::equal(ours, theirs, equals_ignore_case);
}

// The one whose values are written as they are asked for comes first, then the nearest one; of captures equally near, the one
// whose URL is exactly the one asked for.
void prefer_exact_url(std::vector<cdx::Capture>& captures, std::string_view url, std::string_view timestamp) {
  const std::string wanted = normal_url(url);
  const auto rank = [&](const cdx::Capture& capture) {
    const std::string own = normal_url(capture.url);
    return std::tuple_cat(
        std::tuple(is_another_page(own, wanted), cdx::timestamp_distance(capture.timestamp, timestamp), own != wanted),
        std::tie(capture.timestamp, capture.member));
  };
  std::ranges::sort(captures, {}, rank);
}

// The first of `captures` that can be shown; of parts, one that has what is asked for, if there is one.
void choose_among(const RequestContext& context, const Address& address, std::span<const cdx::Capture> captures,
                  Choice& choice) {
  const bool is_as_captured = address.modifier == Modifier::identity;
  const bool has_one = std::ranges::count(captures, address.timestamp, &cdx::Capture::timestamp) == 1;
  std::optional<Stored> wall;
  for (const cdx::Capture& capture : captures) {
    auto stored = read_stored(context.collection, capture, context.whole);
    if (!stored) {
      note_problem(stored.error(), choice.unshown);
    } else if (can_be_shown(context, *stored, address.modifier)) {
      const bool is_meant = is_as_captured && has_one && capture.timestamp == address.timestamp;
      if (!is_meant && !wall && leads_back(context, *stored)) {
        wall = *std::move(stored);
        continue;
      }
      if (wall && cdx::timestamp_distance(capture.timestamp, wall->capture.timestamp) > kOneVisit) break;
      if (has_wanted_part(context.request, *stored)) {
        choice.stored = *std::move(stored);
        return;
      }
      if (!choice.other_part) choice.other_part = *std::move(stored);
    } else if (choice.leads_to.empty() && redirect_target(*stored)) {
      choice.leads_to = header_url(*stored->head->find("location"));
    }
  }
  if (wall && !choice.other_part) choice.stored = std::move(wall);
}

// Chooses among the captures of one URL.
Result<void> choose_of_url(const RequestContext& context, const Address& address, std::string_view url,
                           std::string_view wanted, Choice& choice) {
  TRY(const cdx::UrlCaptures all, context.collection.index().captures_of(url));
  size_t tried = 0;
  for (const size_t limit : {kFewCandidates, kManyCandidates}) {
    TRY(auto captures, all.closest(wanted, limit));
    if (captures.size() <= tried) break;
    prefer_exact_url(captures, url, wanted);
    // Further away there may be one that is the page itself.
    if (limit == kFewCandidates && captures.size() == limit && is_another_page(captures.front().url, url)) continue;
    choice.unshown = Unshown();
    choose_among(context, address, captures, choice);
    if (choice.stored || choice.other_part || captures.size() < limit) break;
    tried = captures.size();
  }
  return {};
}

Result<Choice> choose(const RequestContext& context, const Address& address) {
  const std::string_view wanted = address.timestamp.empty() ? kLatest : std::string_view(address.timestamp);
  Choice choice;
  // Answers to the same that is posted now come before answers to others.
  const std::vector<std::string> posted = posted_urls(address.url, context.request);
  for (const std::string& url : posted) {
    TRY_VOID(choose_of_url(context, address, url, wanted, choice));
    if (choice.stored) return choice;
  }
  TRY_VOID(choose_of_url(context, address, address.url, wanted, choice));
  if (!choice.stored) choice.stored = std::move(choice.other_part);
  if (choice.stored || !choice.unshown.problems.empty()) return choice;
  TRY(const auto alike, find_alike(context.collection.index(), context.options.fuzzy, address.url,
                                   posted.empty() ? std::string_view() : std::string_view(posted.front()), wanted,
                                   is_page(address.modifier)));
  choose_among(context, address, alike, choice);
  if (!choice.stored && choice.unshown.problems.empty() && !choice.leads_to.empty())
    choice.unshown.problems.push_back(context.writer.text("leads-nowhere", pages::Data{{"url", choice.leads_to}}));
  return choice;
}

enum class Rewriting {
  none,
  html,
  page_of_xml,  // XHTML, SVG
  css,
  script,
  playlist,  // of HLS
  dash,
  app_manifest,
  xml,  // any other
};

// Types under which no script runs. It may be sent under any other.
bool is_no_script(std::string_view type) {
  return type.starts_with("image/") || type.starts_with("audio/") || type.starts_with("video/") ||
         type.starts_with("font/") || type == "application/wasm" || type == "application/pdf";
}

bool is_loaded_as_script(const RequestContext& context, Modifier modifier) {
  const std::string_view destination = named_destination(context.request);
  // A worklet has nothing in reach that tells where it is.
  if (destination.ends_with("worklet")) return false;
  return is_script(modifier) || destination == "script" || destination.ends_with("worker");
}

// The first bytes, where they are not coded.
std::string_view readable_front(const Stored& stored) {
  const auto front = stored.content_coding().empty() ? stored.body->front() : Result<std::string_view>();
  return front ? front->substr(0, 4096) : std::string_view();
}

bool is_playlist(const Stored& stored, std::string_view type) {
  constexpr std::string_view kTypes[] = {"application/vnd.apple.mpegurl",
                                         "application/x-mpegurl",
                                         "application/mpegurl",
                                         "audio/mpegurl",
                                         "audio/x-mpegurl",
                                         "video/mpegurl"};
  if (std::ranges::find(kTypes, type) != std::end(kTypes)) return true;
  const bool says_nothing = type.empty() || type == "text/plain" || type == "application/octet-stream";
  return says_nothing && looks_like_playlist(readable_front(stored));
}

bool is_xml(std::string_view type) {
  return type == "text/xml" || type == "application/xml" || type == "text/xsl" || type.ends_with("+xml");
}

bool is_json(std::string_view type) {
  return type.empty() || type == "application/json" || type == "text/json" || type == "text/plain" ||
         type.ends_with("+json");
}

// The rewriting of media, manifests, and data that browsers read themselves.
Rewriting rewriting_of_data(const RequestContext& context, const Stored& stored, const std::string& type) {
  // A part has to stay in its place.
  if (stored.status() == 206) return Rewriting::none;
  if (is_playlist(stored, type)) return Rewriting::playlist;
  if (type == "application/dash+xml") return Rewriting::dash;
  const bool is_for_manifest = named_destination(context.request) == "manifest";
  if (type == "application/manifest+json" || (is_for_manifest && is_json(type))) return Rewriting::app_manifest;
  if (is_xml(type)) return has_xhtml_root(readable_front(stored)) ? Rewriting::page_of_xml : Rewriting::xml;
  return Rewriting::none;
}

Rewriting rewriting_for(const RequestContext& context, const Stored& stored, Modifier modifier) {
  if (modifier == Modifier::identity || modifier == Modifier::image) return Rewriting::none;
  // A script that fetches gets what was captured, and has it rewritten where it puts it into its page.
  if (modifier == Modifier::other && named_destination(context.request) == "empty") return Rewriting::none;
  const std::string type = http::parse_media_type(stored.content_type).essence;
  if (type == "text/css") return Rewriting::css;
  if (is_loaded_as_script(context, modifier)) return is_no_script(type) ? Rewriting::none : Rewriting::script;
  if (is_script(modifier)) return Rewriting::none;
  if (modifier == Modifier::style) return type.empty() || type == "text/plain" ? Rewriting::css : Rewriting::none;
  // A sheet of XSLT may look like the page that it makes.
  if (named_destination(context.request) == "xslt") return Rewriting::xml;
  if (type == "text/html") return Rewriting::html;
  if (type == "application/xhtml+xml" || type == "image/svg+xml") return Rewriting::page_of_xml;
  const Rewriting of_data = rewriting_of_data(context, stored, type);
  if (of_data != Rewriting::none || !type.empty()) return of_data;
  // Without a type browsers look; so do we, at the marks that nothing else begins with.
  const auto front = stored.body->front();
  const std::string_view start = trim(front ? front->substr(0, 512) : std::string_view());
  for (const std::string_view mark : {"<!doctype html", "<html", "<head", "<body", "<script", "<title", "<!--"})
    if (starts_with_ignore_case(start, mark)) return Rewriting::html;
  return Rewriting::none;
}

bool is_svg(const Stored& stored) { return http::parse_media_type(stored.content_type).essence == "image/svg+xml"; }

// Whether scripts run in it, if it is a picture or XML: alone, in a frame or in a plug-in's place, but not as a picture in a page.
bool is_opened(const RequestContext& context, Modifier modifier) {
  const Destination destination = destination_of(context.request);
  return destination == Destination::unknown ? is_page(modifier) : destination != Destination::resource;
}

// Cookies and dates of the captured head, which a page can read.
std::string data_of_head(const Stored& stored) {
  if (!stored.head) return {};
  std::string cookies, data;
  for (const http::Field field : *stored.head)
    if (equals_ignore_case(field.name, "set-cookie") && cookies.size() < kMostOfCookies)
      cookies += (cookies.empty() ? "" : "\n") + std::string(field.value);
  const std::string_view modified = stored.head->find("last-modified").value_or(std::string_view());
  if (!cookies.empty()) data += " data-cookies=\"" + html_escape(cookies) + '"';
  if (!modified.empty()) data += " data-modified=\"" + html_escape(modified) + '"';
  return data;
}

// The client script's tag, which stands in front of everything that the page loads.
std::string client_script(const RequestContext& context, const Stored& stored, Modifier modifier) {
  // Asked for by a script: a fragment, not a page.
  if (named_destination(context.request) == "empty") return "";
  const cdx::Capture& capture = stored.capture;
  const bool is_main = modifier == Modifier::main;
  const auto around = is_main ? context.collection.index().neighbours(capture) : Result<cdx::UrlCaptures::Neighbours>();
  std::string tag = client_script_tag(context, capture.timestamp, modifier, normal_url(capture.url),
                                      is_main && around ? &*around : nullptr);
  return tag.insert(tag.find('>'), data_of_head(stored));
}

// What a charset is told by. A character that goes on behind it must not look like a flaw.
std::string_view charset_sample(FrontReader& body) {
  std::string_view sample = body.front(kLookedAt);
  if (body.whole()) return sample;
  for (int i = 0; i < 3 && !sample.empty() && (sample.back() & 0xC0) == 0x80; ++i) sample.remove_suffix(1);
  if (!sample.empty() && (sample.back() & 0x80) != 0) sample.remove_suffix(1);
  return sample;
}

// A tag in the namespace of XHTML, whatever prefixes the document gives to names.
std::string in_xhtml(std::string tag) {
  return tag.empty() ? tag : tag.insert(tag.find(' '), " xmlns=\"http://www.w3.org/1999/xhtml\"");
}

Result<void> rewrite_document(const RequestContext& context, Stored& stored, LinkRewriter links, bool xml,
                              http::ServerResponse& response) {
  auto body = std::make_unique<FrontReader>(decoded_body(std::move(stored.body), stored.content_coding()));
  const std::string_view sample = charset_sample(*body);
  const http::MediaType type = http::parse_media_type(stored.content_type);
  const text::SniffedEncoding encoding =
      xml ? text::sniff_text(sample, type.charset()) : text::sniff_html(sample, type.charset());
  const bool converted = !text::keeps_markup(encoding.name);
  const std::string_view charset = converted ? text::kUtf8 : encoding.name;
  // What we put in front may push a declaration out of the reach of browsers: the header says it instead.
  const bool declared = encoding.source == text::EncodingSource::declaration ||
                        encoding.source == text::EncodingSource::byte_order_mark || converted;
  if (declared)
    set_header(response.headers, "Content-Type",
               (type.essence.empty() ? "text/html" : type.essence) + "; charset=" + std::string(charset));
  links.set_charset(charset);
  const Modifier modifier = links.page_modifier();
  std::string script;
  if (!is_svg(stored) || is_opened(context, modifier)) script = client_script(context, stored, modifier);
  if (xml) script = in_xhtml(std::move(script));
  std::unique_ptr<BodyReader> readable = std::move(body);
  if (converted) readable = body_in_utf8(std::move(readable), encoding.name);
  return put_body(context.request, rewritten_document(std::move(readable), std::move(links), script, xml), std::nullopt,
                  response);
}

// Makes a text of the body in a charset in which ASCII bytes stand for themselves.
std::unique_ptr<BodyReader> readable_text(std::unique_ptr<FrontReader> body, Stored& stored, LinkRewriter& links,
                                          http::ServerResponse& response) {
  const http::MediaType type = http::parse_media_type(stored.content_type);
  const std::string charset(text::sniff_text(charset_sample(*body), type.charset()).name);
  if (text::keeps_markup(charset)) {
    links.set_charset(charset);
    return body;
  }
  set_header(response.headers, "Content-Type", type.essence + "; charset=utf-8");
  return body_in_utf8(std::move(body), charset);
}

Result<void> rewrite_script(const RequestContext& context, Stored& stored, LinkRewriter links, std::string_view asked,
                            http::ServerResponse& response) {
  auto body = std::make_unique<FrontReader>(decoded_body(std::move(stored.body), stored.content_coding()));
  std::string begin =
      worker_begin(links.page_modifier(), body->front(kLookedAt).substr(0, 1024), context.place.base + "/-/client.js");
  auto readable = readable_text(std::move(body), stored, links, response);
  auto url = url::Url::parse(asked);
  return put_body(context.request,
                  rewritten_script(std::move(readable), std::move(links), std::move(begin),
                                   url ? std::optional(*std::move(url)) : std::nullopt),
                  std::nullopt, response);
}

// `rewritten` is one of rewritten_body.h.
Result<void> rewrite_text(const RequestContext& context, Stored& stored, LinkRewriter links,
                          std::unique_ptr<BodyReader> (*rewritten)(std::unique_ptr<BodyReader>, LinkRewriter),
                          http::ServerResponse& response) {
  auto body = std::make_unique<FrontReader>(decoded_body(std::move(stored.body), stored.content_coding()));
  auto readable = readable_text(std::move(body), stored, links, response);
  return put_body(context.request, rewritten(std::move(readable), std::move(links)), std::nullopt, response);
}

Result<void> rewrite_xml(const RequestContext& context, Stored& stored, LinkRewriter links,
                         http::ServerResponse& response) {
  XmlClients clients;
  const Modifier modifier = links.page_modifier();
  if (is_opened(context, modifier)) clients.document = in_xhtml(client_script(context, stored, modifier));
  if (named_destination(context.request) != "empty") clients.sheet = client_script_tag(context);
  auto body = std::make_unique<FrontReader>(decoded_body(std::move(stored.body), stored.content_coding()));
  auto readable = readable_text(std::move(body), stored, links, response);
  return put_body(context.request, rewritten_xml(std::move(readable), std::move(links), std::move(clients)),
                  std::nullopt, response);
}

// The body with its content coding where the client can undo it and it is what it says; else without.
Result<void> send_unchanged(const RequestContext& context, Stored& stored, http::ServerResponse& response) {
  const std::string coding = std::string(find_header(response.headers, "content-encoding"));
  if (coding.empty()) {
    TRY(const bool is_part, put_part(context.request, stored, response));
    return is_part ? Result<void>() : put_range(context.request, std::move(stored.body), response);
  }
  const auto front =
      equals_ignore_case(coding, "gzip") && contains_ignore_case(context.request.header("accept-encoding"), "gzip")
          ? stored.body->front()
          : Result<std::string_view>();
  if (front && io::looks_like_gzip(front->substr(0, 4))) {
    const auto size = stored.body->size();
    return put_body(context.request, std::move(stored.body), size, response);
  }
  remove_header(response.headers, "content-encoding");
  return put_unmeasured(context.request, decoded_body(std::move(stored.body), stored.content_coding()), response);
}

http::ServerHeaders captured_headers(const Stored& stored, const LinkRewriter* links) {
  if (stored.head) return replay_headers(*stored.head, links);
  http::ServerHeaders headers;
  if (!stored.content_type.empty()) headers.emplace_back("Content-Type", header_url(stored.content_type));
  return headers;
}

// A captured part of something stays a part, unless it is all of it (players ask for "bytes=0-").
void keep_partial_content(const Stored& stored, http::ServerResponse& response) {
  if (response.status != 206 || !stored.head) return;
  const std::string_view range = stored.head->find("content-range").value_or(std::string_view());
  const size_t slash = range.find('/');
  const auto total = slash == std::string_view::npos ? std::nullopt : parse_int(trim(range.substr(slash + 1)));
  const std::string whole =
      total ? "bytes 0-" + std::to_string(std::max<int64_t>(*total, 1) - 1) + '/' + std::to_string(*total) : "";
  const auto size = stored.body->size();
  if (total && trim(range) == whole && (!size || *size == static_cast<uint64_t>(*total)))
    response.status = 200;
  else
    set_header(response.headers, "Content-Range", std::string(range));
}

// Raw bodies are for programs, and for pages that load them: whoever opens one as a page gets it without its scripts.
// So does a browser that may have opened a window, if no client script stands in the document to move it into a frame.
Confinement confinement_for(const RequestContext& context, Modifier modifier, bool has_client_script) {
  const Destination destination = destination_of(context.request);
  const bool is_loaded =
      destination == Destination::resource || (modifier == Modifier::other && destination == Destination::plugin);
  const bool is_shown = is_page(modifier) && (has_client_script || !is_browser_without_word(context.request));
  return is_shown || is_loaded ? context.confinement : context.confinement.without_scripts();
}

// Whether browsers save what has no type: binary bytes that are no picture (MIME Sniffing Standard, section 7).
bool is_saved_without_type(const Stored& stored) {
  const auto front = stored.body->front();
  const std::string_view start = front ? front->substr(0, 512) : std::string_view();
  for (const std::string_view picture : {"\x89PNG", "GIF8", "\xFF\xD8\xFF", "RIFF", "BM"})
    if (start.starts_with(picture)) return false;
  return start.find('\0') != std::string_view::npos;
}

// Frames show text and media. What browsers hand to a plug-in or save does not go into a sandboxed frame.
bool goes_into_a_frame(const Stored& stored) {
  if (stored.head && starts_with_ignore_case(stored.head->find("content-disposition").value_or(""), "attachment"))
    return false;
  const std::string type = http::parse_media_type(stored.content_type).essence;
  if (type.empty()) return !is_saved_without_type(stored);
  if (!type.starts_with("application/")) return true;
  for (const std::string_view shown : {"xml", "json", "javascript", "ecmascript"})
    if (type.ends_with(shown)) return true;
  return false;
}

void add_memento_fields(const RequestContext& context, const cdx::Capture& capture,
                        const cdx::UrlCaptures::Neighbours* around, http::ServerResponse& response) {
  if (context.options.is_live) return;
  response.headers.emplace_back("Memento-Datetime", memento_date(capture.timestamp));
  response.headers.emplace_back("Link", memento_links(context.memento, normal_url(capture.url), &capture, around));
}

// `asked` is the URL that the address has.
Result<void> rewrite(const RequestContext& context, Rewriting rewriting, Stored& stored, LinkRewriter links,
                     std::string_view asked, http::ServerResponse& response) {
  remove_header(response.headers, "content-encoding");
  switch (rewriting) {
    case Rewriting::css:
      return rewrite_text(context, stored, std::move(links), rewritten_sheet, response);
    case Rewriting::script:
      return rewrite_script(context, stored, std::move(links), asked, response);
    case Rewriting::playlist:
      return rewrite_text(context, stored, std::move(links), rewritten_playlist, response);
    case Rewriting::dash:
      return rewrite_text(context, stored, std::move(links), rewritten_dash, response);
    case Rewriting::app_manifest:
      return rewrite_text(context, stored, std::move(links), rewritten_app_manifest, response);
    case Rewriting::xml:
      return rewrite_xml(context, stored, std::move(links), response);
    default:
      return rewrite_document(context, stored, std::move(links), rewriting == Rewriting::page_of_xml, response);
  }
}

// The nearest capture of its key to which a redirect may lead that leads to its own key.
std::optional<std::string> address_behind(const RequestContext& context, const Stored& redirect) {
  Address address;
  address.timestamp = redirect.capture.timestamp;
  address.modifier = Modifier::main;
  address.url = redirect.capture.url;
  const auto choice = choose(context, address);
  if (!choice || !choice->stored) return std::nullopt;
  const cdx::Capture& capture = choice->stored->capture;
  // A cookie was asked for, and given within a second: the redirect itself stands at this address.
  if (capture.timestamp == redirect.capture.timestamp && capture.url == redirect.capture.url) return std::nullopt;
  return context.prefix + capture.timestamp + "id_/" + header_url(capture.url);
}

// A redirect leads to what was captured of its target, as it was.
void lead_on_as_captured(const RequestContext& context, const Stored& stored, http::ServerResponse& response) {
  if (response.status < 300 || response.status > 399) return;
  const auto page = url::Url::parse(stored.capture.url);
  const auto location = stored.head ? stored.head->find("location") : std::nullopt;
  std::optional<std::string> target;
  if (page && location && is_self_redirect(context, stored))
    target = address_behind(context, stored);
  else if (page && location)
    target = LinkRewriter(context.prefix, stored.capture.timestamp, *page, Modifier::identity)
                 .rewrite(*location, Modifier::identity);
  // Without a place to go to it would be an error in every client.
  if (target)
    set_header(response.headers, "Location", *std::move(target));
  else
    response.status = 200;
}

// `asked` is the address that the request has.
Result<http::ServerResponse> show(const RequestContext& context, Stored& stored, Modifier modifier,
                                  const Address& asked) {
  const auto page = url::Url::parse(stored.capture.url);
  http::ServerResponse response(stored.status());
  bool has_client_script = false;
  if (!page || modifier == Modifier::identity) {
    response.headers = captured_headers(stored, nullptr);
    keep_partial_content(stored, response);
    TRY_VOID(put_range(context.request, std::move(stored.body), response));
    lead_on_as_captured(context, stored, response);
  } else {
    const Rewriting rewriting = rewriting_for(context, stored, modifier);
    // Modules are one if their addresses are: those in a script have the time at which the script was asked for.
    const bool is_asked = rewriting == Rewriting::script && !asked.timestamp.empty();
    LinkRewriter links(context.prefix, is_asked ? asked.timestamp : stored.capture.timestamp, *page, modifier);
    response.headers = captured_headers(stored, &links);
    keep_partial_content(stored, response);
    has_client_script = rewriting == Rewriting::html ||
                        (rewriting == Rewriting::page_of_xml && (!is_svg(stored) || is_opened(context, modifier)));
    if (rewriting == Rewriting::none)
      TRY_VOID(send_unchanged(context, stored, response));
    else
      TRY_VOID(rewrite(context, rewriting, stored, std::move(links), asked.url, response));
  }
  add_confinement(response.headers, confinement_for(context, modifier, has_client_script));
  if (is_page(modifier))
    add_memento(context, stored.capture, response);
  else
    add_memento_fields(context, stored.capture, nullptr, response);
  return response;
}

// The capture that was chosen, for a window: inside the page around it, unless it cannot be shown there.
Result<std::optional<http::ServerResponse>> show_in_window(const RequestContext& context, Stored& stored,
                                                           const std::string& url, const Address& asked) {
  if (stored.status() >= 300 && stored.status() <= 399)
    return std::optional<http::ServerResponse>();  // the window follows it
  if (goes_into_a_frame(stored) && context.options.is_frameless && context.captures_have_host())
    return std::optional(redirect_to(302, context.captures + stored.capture.timestamp + "mp_/" + header_url(url)));
  if (goes_into_a_frame(stored)) return std::optional(frame_page(context, stored.capture, url));
  TRY(http::ServerResponse response, show(context, stored, Modifier::identity, asked));
  Confinement confinement = context.confinement.without_scripts();
  confinement.ancestors = "'none'";
  add_confinement(response.headers, confinement);
  set_header(response.headers, "X-Content-Type-Options", "nosniff");
  // Whatever the capture says of itself, browsers show nothing here but a PDF, which they do under this policy, too.
  if (http::parse_media_type(stored.content_type).essence != "application/pdf" &&
      !starts_with_ignore_case(find_header(response.headers, "content-disposition"), "attachment;"))
    set_header(response.headers, "Content-Disposition", "attachment");
  return std::optional(std::move(response));
}

http::ServerResponse cannot_be_sent(const pages::Writer& writer, const Error& error) {
  const bool busy = error.code == ErrorCode::limit;
  const std::string title = writer.text(busy ? "title-busy" : "title-unreadable");
  http::ServerResponse response = own_page(busy ? 503 : 500, message_page(writer, title, error.message));
  if (busy) response.headers.emplace_back("Retry-After", "10");
  return response;
}

}  // namespace

void add_memento(const RequestContext& context, const cdx::Capture& capture, http::ServerResponse& response) {
  const auto around = context.collection.index().neighbours(capture);
  add_memento_fields(context, capture, around ? &*around : nullptr, response);
}

http::ServerResponse replay(const RequestContext& context, const Address& address) {
  auto choice = choose(context, address);
  if (!choice) return cannot_be_sent(context.writer, choice.error());
  if (!choice->stored) return answer_missing(context, address.url, address.modifier, std::move(choice->unshown));
  Stored& stored = *choice->stored;
  const cdx::Capture& capture = stored.capture;
  const std::string url = normal_url(cdx::indexed_url(capture));
  const bool opens_window = is_page(address.modifier) && is_for_a_window(context.request, address.modifier);
  const Modifier modifier = opens_window ? Modifier::page : address.modifier;
  const std::string exact =
      context.prefix + capture.timestamp + std::string(to_string(modifier)) + '/' + header_url(url);
  const bool is_exact =
      capture.timestamp == address.timestamp && modifier == address.modifier && url == normal_url(address.url);
  if (is_page(address.modifier) && !is_exact) {
    http::ServerResponse response = redirect_to(302, exact);
    response.headers.emplace_back("Link", memento_links(context.memento, url, &capture, nullptr));
    return response;
  }
  if (opens_window) {
    auto window = show_in_window(context, stored, url, address);
    if (!window) return cannot_be_sent(context.writer, window.error());
    if (*window) return **std::move(window);
  }
  if (is_page(modifier) && is_for_a_frame(context.request, modifier) && !goes_into_a_frame(stored))
    return alone_page(context, 200, capture.timestamp, url, context.writer.text("frame-no-page"));
  auto shown = show(context, stored, modifier, address);
  if (!shown) return cannot_be_sent(context.writer, shown.error());
  http::ServerResponse& response = *shown;
  if (!is_exact && find_header(response.headers, "content-location").empty())
    response.headers.emplace_back("Content-Location", exact);
  return std::move(response);
}

namespace {

// Fields that are of one connection, or would bind the browser's future to the past.
constexpr std::string_view kNotProxied[] = {"connection",
                                            "keep-alive",
                                            "proxy-connection",
                                            "proxy-authenticate",
                                            "transfer-encoding",
                                            "content-length",
                                            "te",
                                            "trailer",
                                            "upgrade",
                                            "alt-svc",
                                            "nel",
                                            "report-to",
                                            "expect-ct",
                                            "public-key-pins",
                                            "strict-transport-security",
                                            "clear-site-data",
                                            "reporting-endpoints"};

http::ServerHeaders proxied_headers(const Stored& stored) {
  http::ServerHeaders headers;
  if (!stored.head) {
    if (!stored.content_type.empty()) headers.emplace_back("Content-Type", header_url(stored.content_type));
    return headers;
  }
  for (const auto field : *stored.head)
    if (std::ranges::find(kNotProxied, to_lower(field.name)) == std::end(kNotProxied))
      headers.emplace_back(field.name, field.value);
  return headers;
}

}  // namespace

http::ServerResponse replay_as_captured(const RequestContext& context, const Address& address) {
  auto choice = choose(context, address);
  if (!choice) return http::text_response(500, choice.error().message);
  if (!choice->stored) {
    std::string sentence = context.writer.text(choice->unshown.title()) + ": " + address.url;
    for (const std::string& problem : choice->unshown.problems) sentence += "\n" + problem;
    return http::text_response(choice->unshown.status(), sentence);
  }
  Stored& stored = *choice->stored;
  http::ServerResponse response(stored.status());
  response.headers = proxied_headers(stored);
  keep_partial_content(stored, response);
  const auto part = put_part(context.request, stored, response);
  const auto put = part && !*part ? put_range(context.request, std::move(stored.body), response) : Result<void>();
  if (!part) return http::text_response(500, part.error().message);
  if (!put) return http::text_response(500, put.error().message);
  set_header(response.headers, "Memento-Datetime", memento_date(stored.capture.timestamp));
  set_header(response.headers, "Vary", "Accept-Datetime");
  // Another date may be chosen at any time.
  set_header(response.headers, "Cache-Control", "no-store");
  return response;
}

}  // namespace caddis::replay
