// caddis extract: the links of documents, as a crawl finds them.
// `caddis extract [--url U] FILE` prints a table; without a file, JSON lines {"file" or
// "body","url","content_type","charset"}.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "batch.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/json_text.h"
#include "caddis/documents/settings.h"
#include "caddis/documents/worker_pool.h"
#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/io/files.h"
#include "caddis/url/url.h"
#include "caddis/visit/document_links.h"
#include "commands.h"

namespace caddis::cli {
namespace {

struct ExtractArguments {
  std::string url = "http://localhost/", via, content_type, charset, file;
  bool json = false;
  extract::Options options;
};

constexpr uint64_t kMaxFile = 256 << 20;

// Finds the links of any number of documents, by the usual settings.
class LinkFinder {
 public:
  explicit LinkFinder(const extract::Options& options) : plan_(options) {}

  extract::Extracted all_links(const extract::Document& document) {
    extract::Extracted all = extract::extract(document, plan_);
    if (!all.unread.empty()) fmt::print(stderr, "caddis extract: {}\n", all.unread);
    const visit::DocumentRules rules{.documents = settings_, .extract = plan_.options()};
    const auto format = visit::format_to_read(document, rules);
    if (!format || all.nofollow) return all;
    documents::Found found;
    found.problem = visit::too_large(document.body.size(), rules);
    if (found.problem.empty()) found = read_apart(visit::question_of(document, *format, rules));
    visit::add_document_links(document, *format, found, rules, all);
    if (!found.problem.empty()) fmt::print(stderr, "caddis extract: {}: {}\n", to_string(*format), found.problem);
    return all;
  }

 private:
  // A binary document is read as a crawl does it: in a process of its own, which stays for the next one.
  documents::Found read_apart(const documents::Question& question) {
    documents::Found found;
    const auto loop = aio::make_loop(system_clock());
    const auto read = [](documents::Reader& reader, aio::Loop& on, documents::Question asked,
                         documents::Found& into) -> aio::Task<void> { into = co_await reader.read(on, asked); };
    aio::run_to_end(*loop, read(workers_, *loop, question, found));
    return found;
  }

  const extract::Plan plan_;
  const documents::DocumentSettings settings_;
  documents::WorkerPool workers_{documents::worker_command(settings_), settings_, system_clock()};
};

std::string links_json(const extract::Extracted& found) {
  std::string links = "[";
  for (const extract::Link& link : found.links) {
    if (links.size() > 1) links += ',';
    const char hop = static_cast<char>(link.hop);
    links +=
        JsonObject().add("url", link.url()).add("hop", std::string_view(&hop, 1)).add("context", link.context).finish();
  }
  links += ']';
  JsonObject answer;
  answer.add_raw("links", links);
  if (found.charset.empty())
    answer.add_null("charset");
  else
    answer.add("charset", found.charset);
  return answer.finish();
}

std::string links_table(const extract::Extracted& found) {
  std::string out;
  for (const extract::Link& link : found.links) {
    out += fmt::format("{}\t{}\t{}\n", static_cast<char>(link.hop), link.url(), link.context);
  }
  return out;
}

Result<std::string> answer(LinkFinder& finder, std::string_view line) {
  const auto item = nlohmann::json::parse(line, nullptr, false);
  if (!item.is_object()) return fail(ErrorCode::parse, "the line is no JSON object");
  const auto text = [&](const char* name) -> std::optional<std::string> {
    const auto found = item.find(name);
    return found != item.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
  };
  auto body = text("body");
  if (const auto path = text("file"); path && !body) {
    TRY(std::string bytes, io::real_files().read_all(*path, kMaxFile));
    body = std::move(bytes);
  }
  if (!body) return fail(ErrorCode::parse, "the object has neither \"file\" nor \"body\"");
  const auto url = text("url");
  if (!url) return fail(ErrorCode::parse, "the object has no \"url\"");
  if (const auto base = url::Url::parse(*url); !base) return pass(std::move(base).error(), "url");
  const std::string via = text("via").value_or(""), content_type = text("content_type").value_or("");
  const std::string charset = text("charset").value_or("");
  extract::Document document;
  document.url = *url;
  document.via = via;
  document.content_type = content_type;
  document.charset = charset;
  document.body = *body;
  return links_json(finder.all_links(document));
}

int run_extract(const ExtractArguments& arguments) {
  LinkFinder finder(arguments.options);
  if (arguments.file.empty()) {
    run_batch(BadItem::json, [&](std::string_view line) { return answer(finder, line); });
    return 0;
  }
  const auto body = io::real_files().read_all(arguments.file, kMaxFile);
  if (!body) {
    fmt::print(stderr, "caddis extract: {}\n", body.error().message);
    return 1;
  }
  extract::Document document;
  document.url = arguments.url;
  document.via = arguments.via;
  document.content_type = arguments.content_type;
  document.charset = arguments.charset;
  document.body = *body;
  const extract::Extracted found = finder.all_links(document);
  fmt::print("{}", arguments.json ? links_json(found) + "\n" : links_table(found));
  return 0;
}

}  // namespace

void add_extract_commands(CLI::App& app, int& exit_code) {
  CLI::App* extract = app.add_subcommand("extract", "Print the links of a document as a crawl finds them");
  auto arguments = std::make_shared<ExtractArguments>();
  extract->add_option("--url", arguments->url, "Where the document was, for relative links")->capture_default_str();
  extract->add_option("--via", arguments->via, "The page that refers to it, for links in scripts")->type_name("URL");
  extract->add_option("--content-type", arguments->content_type, "Its Content-Type; without one, its bytes decide");
  extract->add_option("--charset", arguments->charset, "Its charset, as from a Content-Type");
  extract->add_flag("--json", arguments->json, "JSON out");
  extract->add_option("file", arguments->file, "The document; without one, JSON lines of standard input")
      ->type_name("FILE");
  extract->callback([arguments, &exit_code] { exit_code = run_extract(*arguments); });
}

}  // namespace caddis::cli
