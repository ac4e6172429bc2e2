#include "caddis/extract/program_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::extract {
namespace {

using nlohmann::json;

constexpr std::string_view kContext = "program";

// The value of a member that is a text; empty if there is none.
std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

class AnswerReader {
 public:
  AnswerReader(Renditions renditions, size_t most) : renditions_(renditions), most_(most) {}

  // Returns whether it is something that a program may answer.
  bool read(const json& value) {
    if (value.is_array()) {
      for (const json& item : value)
        if (!read_link(item)) return false;
      return true;
    }
    if (!value.is_object()) return false;
    if (const auto links = value.find("links"); links != value.end() && links->is_array()) return read(*links);
    if (value.contains("hop") || value.size() == 1) return read_link(value);
    answer_.is_of_yt_dlp = true;
    read_film(value, 0);
    return true;
  }

  void reads_lines() { answer_.is_of_lines = true; }
  ProgramAnswer take() { return std::move(answer_); }

 private:
  void add(std::string url, Hop hop, std::string context) {
    if (url.empty() || answer_.links.size() >= most_) return;
    answer_.links.push_back({std::move(url), hop, std::move(context)});
  }

  // "https://…", or {"url": "https://…", "hop": "L", "context": "player/@src"}.
  bool read_link(const json& item) {
    if (item.is_string()) {
      add(item.get<std::string>(), Hop::embed, std::string(kContext));
      return true;
    }
    if (!item.is_object() || text_of(item, "url").empty()) return false;
    const std::string hop = text_of(item, "hop"), context = text_of(item, "context");
    constexpr std::string_view kHops = "LEXIM";
    const bool is_known = hop.size() == 1 && kHops.contains(hop.front());
    if (!hop.empty() && !is_known) return false;
    add(text_of(item, "url"), is_known ? static_cast<Hop>(hop.front()) : Hop::embed,
        context.empty() ? std::string(kContext) : context);
    return true;
  }

  // An object of yt-dlp: a film, or a list of them.
  void read_film(const json& film, unsigned depth) {
    constexpr unsigned kMaxDepth = 8;  // of lists within each other
    if (!film.is_object() || depth > kMaxDepth) return;
    const std::string type = text_of(film, "_type");
    const bool is_page = type == "url" || type == "url_transparent";  // to be looked at by itself
    add(text_of(film, "url"), is_page ? Hop::navlink : Hop::embed, is_page ? "entries" : "url");
    if (depth > 0) add(text_of(film, "webpage_url"), Hop::navlink, "entries");
    add_each(film, "requested_formats", "requested_formats");
    if (renditions_ == Renditions::all) add_each(film, "formats", "formats");
    add_each(film, "thumbnails", "thumbnails");
    if (const auto tracks = film.find("subtitles"); tracks != film.end() && tracks->is_object())
      for (const auto& [language, track] : tracks->items()) add_all(track, "subtitles");
    if (const auto entries = film.find("entries"); entries != film.end() && entries->is_array())
      for (const json& entry : *entries) read_film(entry, depth + 1);
  }

  void add_each(const json& film, const char* name, std::string_view context) {
    if (const auto list = film.find(name); list != film.end()) add_all(*list, context);
  }

  void add_all(const json& list, std::string_view context) {
    if (!list.is_array()) return;
    for (const json& item : list)
      if (item.is_object()) add(text_of(item, "url"), Hop::embed, std::string(context));
  }

  const Renditions renditions_;
  const size_t most_;
  ProgramAnswer answer_;
};

}  // namespace

std::string program_question(const ProgramQuestion& question) {
  JsonObject line;
  line.add("url", question.url).add("via", question.via).add("content_type", question.content_type);
  return line.add("file", question.file).finish() + "\n";
}

std::vector<std::string> program_command(const std::vector<std::string>& command, const ProgramQuestion& question) {
  std::vector<std::string> made = command;
  std::ranges::replace(made, "{url}", question.url);
  std::ranges::replace(made, "{file}", question.file);
  return made;
}

Result<ProgramAnswer> parse_program_answer(std::string_view answer, Renditions renditions, size_t most) {
  AnswerReader reader(renditions, most);
  if (trim(answer).empty()) return reader.take();
  if (const json whole = json::parse(answer, nullptr, false); !whole.is_discarded()) {
    if (reader.read(whole)) return reader.take();
    return fail(ErrorCode::parse, "its answer is JSON, but no list of links");
  }
  reader.reads_lines();
  size_t number = 0;
  for (const std::string_view line : split(answer, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const json value = json::parse(line, nullptr, false);
    constexpr size_t kShown = 60;
    if (value.is_discarded() || !reader.read(value))
      return fail(ErrorCode::parse,
                  fmt::format("line {} of its answer is no list of links: {}", number, visible(trim(line), kShown)));
  }
  return reader.take();
}

}  // namespace caddis::extract
