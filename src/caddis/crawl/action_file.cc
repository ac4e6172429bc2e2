#include "caddis/crawl/action_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/config/scope_line.h"

namespace caddis::crawl {
namespace {

// A piece of a gzip file can inflate to a thousand times as much.
constexpr size_t kPiece = 256 * 1024, kGzipPiece = 16 * 1024;

bool take_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// As recovery logs have one before each URL.
bool has_tag(std::string_view line) {
  return line.starts_with('F') && line.size() > 1 && (line.size() == 2 || is_space(line[2]));
}

Result<std::optional<RecoveryLine>> parse_seed_line(std::string_view line) {
  if (config::is_bullet(line)) return fail(ErrorCode::parse, std::string(config::kBulletAdvice));
  if (line.starts_with('+') || line.starts_with('-'))
    return fail(ErrorCode::parse, "a line with + or - names a SURT prefix, a URL or a host; this one does not");
  // As in Heritrix's seed lists a comment may follow.
  const auto blank = std::ranges::find_if(line, is_space);
  const std::string_view url = line.substr(0, static_cast<size_t>(blank - line.begin()));
  const std::string_view rest = trim(line.substr(url.size()));
  if (!rest.empty() && !rest.starts_with('#'))
    return fail(ErrorCode::parse, "there is more than a URL; a comment begins with #");
  return RecoveryLine{RecoveryLine::Event::queued, url, {}, {}};
}

}  // namespace

Result<ActionName> parse_action_name(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, ActionKind>, 8> kKinds = {
      {{".seeds", ActionKind::seeds},
       {".schedule", ActionKind::schedule},
       {".force", ActionKind::force},
       {".requests", ActionKind::requests},
       {".include", ActionKind::include},
       {".recover", ActionKind::recover},
       {".reports", ActionKind::reports},
       {".lua", ActionKind::script}}};
  static constexpr std::string_view kScripts[] = {".bsh", ".beanshell", ".groovy", ".js", ".py", ".sh"};
  ActionName action;
  action.is_gzip = take_suffix(name, ".gz");
  for (const auto& [suffix, kind] : kKinds) {
    if (!take_suffix(name, suffix)) continue;
    action.kind = kind;
    action.asks_scope = kind != ActionKind::script && take_suffix(name, ".s");
    if (action.asks_scope && kind == ActionKind::seeds)
      return fail(ErrorCode::unsupported, "seeds make the scope: they cannot be asked whether they are in it");
    return action;
  }
  for (const std::string_view script : kScripts)
    if (name.ends_with(script))
      return fail(ErrorCode::unsupported, "it is a script in another language: Caddis runs Lua, from files in .lua");
  return fail(ErrorCode::unsupported,
              "its name does not say what to do: it has to end in .seeds, .schedule, .force, .requests, .include, "
              ".recover, .reports or .lua, each with .gz behind it where it is compressed");
}

Result<std::optional<RecoveryLine>> parse_action_line(std::string_view line, ActionKind kind) {
  if (line.size() > kLongestRecoveryLine)
    return fail(ErrorCode::limit, fmt::format("the line is longer than {} bytes", kLongestRecoveryLine));
  line = trim(line);
  if (line.empty() || line.starts_with('#') || kind == ActionKind::reports) return std::optional<RecoveryLine>();
  if (kind == ActionKind::seeds) return parse_seed_line(line);
  if (kind == ActionKind::requests) return RecoveryLine{RecoveryLine::Event::queued, line, {}, {}};
  const bool is_logged = kind == ActionKind::recover || has_tag(line);
  TRY(const RecoveryLine parsed, is_logged ? parse_recovery_line(line) : parse_url_line(line));
  if (parsed.event == RecoveryLine::Event::other || (is_logged && parsed.url.starts_with("dns:")))
    return std::optional<RecoveryLine>();
  return parsed;
}

// --- reading

Result<ActionReader> ActionReader::open(io::Files& files, const std::string& path, bool is_gzip) {
  TRY(auto file, files.open_read_foreign(path));
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
  TRY(std::optional<std::string_view> line, next_line());
  if (std::exchange(is_first_, false) && line) line = without_byte_order_mark(*line);
  return line;
}

Result<std::optional<std::string_view>> ActionReader::next_line() {
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
