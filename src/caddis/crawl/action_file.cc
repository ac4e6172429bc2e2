#include "caddis/crawl/action_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::crawl {
namespace {

// What a piece of a gzip file can inflate to is a thousand times as much.
constexpr size_t kPiece = 256 * 1024, kGzipPiece = 16 * 1024;
constexpr size_t kMostHops = 1000;

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// Parts between blanks and tabs.
std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < line.size();) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < line.size() && !is_space(line[end])) ++end;
    parts.push_back(line.substr(at, end - at));
    at = end;
  }
  return parts;
}

bool has_tag(std::string_view line) {
  return line.size() >= 2 && line[0] == 'F' && std::string_view("+ideflrs").contains(line[1]) &&
         (line.size() == 2 || is_space(line[2]));
}

// "LLE", "25+LLE"
bool is_hop_path(std::string_view hops) {
  const auto letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (const size_t plus = hops.find('+'); plus != std::string_view::npos) {
    if (plus == 0 || !std::ranges::all_of(hops.substr(0, plus), is_digit)) return false;
    hops.remove_prefix(plus + 1);
  }
  return std::ranges::all_of(hops, letter);
}

Result<std::optional<ActionLine>> parse_seed_line(std::string_view line) {
  // As in Heritrix's seed lists a comment may follow.
  const auto parts = words(line);
  if (parts.size() > 1 && !parts[1].starts_with('#'))
    return fail(ErrorCode::parse, "there is more than a URL; a comment begins with #");
  if (parts[0].starts_with('+') || parts[0].starts_with('-'))
    return fail(ErrorCode::parse, "a SURT directive, which Caddis does not read: widen the scope by crawl.yaml");
  return ActionLine{{}, parts[0], {}, {}};
}

}  // namespace

Result<ActionName> parse_action_name(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, ActionKind>, 5> kKinds = {
      {{".seeds", ActionKind::seeds},
       {".schedule", ActionKind::schedule},
       {".force", ActionKind::force},
       {".include", ActionKind::include},
       {".recover", ActionKind::recover}}};
  static constexpr std::string_view kScripts[] = {".bsh", ".beanshell", ".groovy", ".js", ".lua", ".py", ".sh"};
  ActionName action;
  action.is_gzip = take_suffix(name, ".gz");
  for (const auto& [suffix, kind] : kKinds) {
    if (!take_suffix(name, suffix)) continue;
    action.kind = kind;
    action.asks_scope = take_suffix(name, ".s");
    if (action.asks_scope && kind == ActionKind::seeds)
      return fail(ErrorCode::unsupported, "seeds make the scope: they cannot be asked whether they are in it");
    return action;
  }
  for (const std::string_view script : kScripts)
    if (name.ends_with(script)) return fail(ErrorCode::unsupported, "it is a script, and Caddis runs none");
  return fail(ErrorCode::unsupported,
              "its name does not say what to do: it has to end in .seeds, .schedule, .force, .include or .recover, "
              "each with .gz behind it where it is compressed");
}

Result<std::optional<ActionLine>> parse_action_line(std::string_view line, ActionKind kind) {
  if (line.size() >= ActionReader::kLongest)
    return fail(ErrorCode::limit, fmt::format("the line is longer than {} bytes", ActionReader::kLongest));
  line = trim(line);
  if (line.empty() || line.starts_with('#')) return std::optional<ActionLine>();
  if (kind == ActionKind::seeds) return parse_seed_line(line);
  ActionLine parsed;
  if (has_tag(line)) {
    parsed.tag = line.substr(0, 2);
    line = trim(line.substr(2));
  } else if (kind == ActionKind::recover) {
    return fail(ErrorCode::parse, "no line of a recovery log: it begins with F+, Fs, Ff or another of its tags");
  }
  const auto parts = words(line);
  const auto part = [&](size_t i) { return i < parts.size() && parts[i] != "-" ? parts[i] : std::string_view(); };
  parsed.url = part(0);
  parsed.hops = part(1);
  parsed.via = part(2);
  if (parsed.url.empty()) return fail(ErrorCode::parse, "no URL");
  // Look-ups stand in recovery logs, too; each crawl makes its own.
  if (!parsed.tag.empty() && parsed.url.starts_with("dns:")) return std::optional<ActionLine>();
  if (parsed.hops.size() > kMostHops || !is_hop_path(parsed.hops))
    return fail(ErrorCode::parse,
                fmt::format("'{}' behind the URL is no hop path, such as LLE", parsed.hops.substr(0, 40)));
  return parsed;
}

// --- reading

Result<ActionReader> ActionReader::open(io::Files& files, const std::string& path, bool is_gzip) {
  TRY(auto file, files.open_read(path));
  return ActionReader(std::move(file), is_gzip);
}

ActionReader::ActionReader(std::unique_ptr<io::File> file, bool is_gzip) : file_(std::move(file)) {
  if (is_gzip) gunzip_.emplace();
}

void ActionReader::inflate(std::string_view bytes) {
  std::vector<char> out(kPiece);
  while (!bytes.empty() && damage_.empty()) {
    const auto step = gunzip_->inflate(bytes, out);
    if (step) {
      text_.append(out.data(), step->written);
    } else {
      text_.append(out.data(), gunzip_->damaged_output());
      damage_ = step.error().message;
    }
  }
}

Result<bool> ActionReader::read_more() {
  text_.erase(0, given_);
  searched_ -= given_;
  given_ = 0;
  std::string piece(gunzip_ ? kGzipPiece : kPiece, '\0');
  TRY(const size_t got, file_->read_at(at_, piece.data(), piece.size()));
  at_ += got;
  if (got == 0) {
    if (gunzip_ && gunzip_->inside_member() && damage_.empty()) damage_ = "the gzip file is cut";
    return false;
  }
  const std::string_view read = std::string_view(piece).substr(0, got);
  if (gunzip_)
    inflate(read);
  else
    text_ += read;
  return damage_.empty();
}

Result<std::optional<std::string_view>> ActionReader::next() {
  for (;;) {
    const size_t end = text_.find('\n', searched_);
    if (end != std::string::npos) {
      std::string_view line = std::string_view(text_).substr(given_, end - given_);
      given_ = searched_ = end + 1;
      if (std::exchange(skipping_, false)) continue;
      return line.substr(0, kLongest);
    }
    searched_ = text_.size();
    if (skipping_) {
      given_ = searched_;
    } else if (searched_ - given_ >= kLongest) {
      const std::string_view line = std::string_view(text_).substr(given_, kLongest);
      given_ = searched_;
      skipping_ = true;
      return line;
    }
    if (at_end_) {
      if (given_ == text_.size()) return std::optional<std::string_view>();
      const std::string_view line = std::string_view(text_).substr(given_);
      given_ = searched_;
      return line;
    }
    TRY(const bool more, read_more());
    at_end_ = !more;
  }
}

}  // namespace caddis::crawl
