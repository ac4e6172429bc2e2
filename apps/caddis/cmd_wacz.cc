// caddis wacz: packages of web archives (WACZ), made, checked and unpacked.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/base/version.h"
#include "caddis/collection/layout.h"
#include "caddis/collection/metadata.h"
#include "caddis/io/files.h"
#include "caddis/wacz/create.h"
#include "caddis/wacz/extract.h"
#include "caddis/wacz/gather.h"
#include "caddis/wacz/signature.h"
#include "caddis/wacz/validate.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct WaczArguments {
  std::vector<std::string> inputs;  // archive files, or folders of them
  std::string output, collection, launch, pages;
  std::string url, match = "exact", from, to;
  std::string title, description, main_page, main_date;
  std::string key;
  bool sign = false, json = false;
  std::string package, folder;
};

// The user's own key, which is made once.
Result<std::string> own_key() {
  const char* const home = std::getenv("HOME");
  if (home == nullptr)
    return fail(ErrorCode::config, "--sign: there is no home folder to keep a key in: give --key FILE");
  return io::join_path(home, ".config/caddis/wacz-key.pem");
}

Result<std::optional<wacz::SigningKey>> signing_key(const WaczArguments& arguments) {
  if (!arguments.sign && arguments.key.empty()) return std::nullopt;
  const bool is_own = arguments.key.empty();
  TRY(const std::string path, is_own ? own_key() : Result<std::string>(arguments.key));
  TRY(auto key, wacz::SigningKey::open(io::real_files(), path, is_own));
  return key;
}

Result<cdx::Query> query_of(const WaczArguments& arguments) {
  std::string text = "matchType=" + arguments.match + "&limit=1000000000";
  if (!arguments.from.empty()) text += "&from=" + arguments.from;
  if (!arguments.to.empty()) text += "&to=" + arguments.to;
  TRY(cdx::Query query, cdx::parse_query(text + "&url=x"));
  query.url = arguments.url;
  if (query.match == cdx::MatchType::exact && query.url.ends_with('*')) {
    query.url.pop_back();
    query.match = cdx::MatchType::prefix;
  }
  return query;
}

void tell_remarks(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) tell(fmt::format("caddis wacz: {}\n", remark));
}

// The records of a query, in a file beside the output that goes with the object.
class CopiedRecords {
 public:
  explicit CopiedRecords(const std::string& output) : path_(output + ".records.warc.gz") {
    if (io::real_files().exists(path_)) (void)io::real_files().remove(path_);
  }
  CopiedRecords(const CopiedRecords&) = delete;
  CopiedRecords& operator=(const CopiedRecords&) = delete;
  ~CopiedRecords() {
    if (io::real_files().exists(path_)) (void)io::real_files().remove(path_);
  }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

Result<wacz::Gathered> gather(const WaczArguments& arguments, const CopiedRecords& records) {
  io::Files& files = io::real_files();
  const bool has_query = !arguments.url.empty();
  if (arguments.collection.empty()) {
    if (arguments.inputs.empty() || has_query || !arguments.launch.empty())
      return fail(ErrorCode::config, "what is to be packed? Give --collection FOLDER, or WARC files");
    return wacz::gather_files(files, arguments.inputs);
  }
  if (!arguments.inputs.empty() || (has_query && !arguments.launch.empty()))
    return fail(ErrorCode::config, "--collection, with --launch or --url, or WARC files: one of these is packed");
  if (!has_query) return wacz::gather_collection(files, arguments.collection, arguments.launch);
  TRY(const cdx::Query query, query_of(arguments));
  TRY(auto copied, wacz::copy_captures(files, system_clock(), arguments.collection, query, records.path()));
  return wacz::Gathered{{{"data.warc.gz", records.path()}}, {}, std::move(copied.remarks)};
}

// Title and description: those of the collection, if no others are given.
Result<collection::Metadata> words_of(const WaczArguments& arguments) {
  collection::Metadata words;
  if (!arguments.collection.empty()) {
    const collection::Layout layout(arguments.collection);
    TRY(words, collection::read_metadata(io::real_files(), layout));
  }
  if (!arguments.title.empty()) words.set("title", arguments.title);
  if (!arguments.description.empty()) words.set("description", arguments.description);
  return words;
}

Result<int> create(const WaczArguments& arguments) {
  TRY(const auto key, signing_key(arguments));
  const CopiedRecords records(arguments.output);
  TRY(auto gathered, gather(arguments, records));
  tell_remarks(gathered.remarks);
  wacz::CreateOptions options;
  TRY(const auto words, words_of(arguments));
  options.title = words.title();
  options.description = words.description();
  options.main_url = arguments.main_page;
  options.main_time = arguments.main_date;
  options.software = fmt::format("Caddis/{}", kVersion);
  options.pages = arguments.pages.empty() ? gathered.pages : arguments.pages;
  options.key = key ? &*key : nullptr;
  options.now = system_clock().wall();
  TRY(const auto report, wacz::create_package(io::real_files(), gathered.archives, arguments.output, options));
  tell_remarks(report.remarks);
  fmt::print("{}: {}, {}, {}, {}\n", arguments.output, counted(report.archives, "archive file"),
             counted(report.captures, "capture"), counted(report.pages, "page"),
             format_size(static_cast<long long>(report.bytes)));
  if (key) fmt::print("signed by the key {}\n", key->public_key());
  return 0;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ',';
    append_json_string(list, text);
  }
  return list + ']';
}

Result<int> validate(const WaczArguments& arguments) {
  TRY(const auto report, wacz::validate_package(io::real_files(), arguments.package));
  if (arguments.json) {
    fmt::print("{}\n", JsonObject()
                           .add("valid", report.is_valid())
                           .add("resources", report.resources)
                           .add("captures", report.captures)
                           .add("pages", report.pages)
                           .add("signer", report.signer)
                           .add_raw("faults", json_list(report.faults))
                           .add_raw("remarks", json_list(report.remarks))
                           .finish());
    return report.is_valid() ? 0 : 1;
  }
  for (const std::string& fault : report.faults) fmt::print("fault: {}\n", fault);
  for (const std::string& remark : report.remarks) fmt::print("remark: {}\n", remark);
  fmt::print("{}: {}, {}, {}{}, {}\n", arguments.package, counted(report.resources, "file"),
             counted(report.captures, "capture"), counted(report.pages, "page"),
             report.signer.empty() ? "" : ", signed by " + report.signer,
             report.is_valid() ? "valid" : counted(report.faults.size(), "fault"));
  return report.is_valid() ? 0 : 1;
}

Result<int> extract(const WaczArguments& arguments) {
  TRY(const auto report, wacz::extract_package(io::real_files(), arguments.package, arguments.folder));
  fmt::print("{}: {}, {}\n", arguments.folder, counted(report.files, "file"),
             format_size(static_cast<long long>(report.bytes)));
  return 0;
}

using Action = Result<int> (*)(const WaczArguments&);

CLI::App* add_action(CLI::App& parent, const std::string& name, const std::string& help,
                     const std::shared_ptr<WaczArguments>& arguments, Action action, int& exit_code) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->callback([arguments, action, name, &exit_code] {
    const auto done = action(*arguments);
    if (done) {
      exit_code = *done;
      return;
    }
    tell(fmt::format("caddis wacz {}: {}\n", name, done.error().message));
    exit_code = done.error().code == ErrorCode::config || done.error().code == ErrorCode::not_found ? 2 : 1;
  });
  return command;
}

void add_create_command(CLI::App& parent, int& exit_code) {
  auto arguments = std::make_shared<WaczArguments>();
  CLI::App* command =
      add_action(parent, "create", "Pack WARC files, with index, pages and digests", arguments, create, exit_code);
  command->add_option("inputs", arguments->inputs, "WARC files, or folders of them");
  command->add_option("-o,--output", arguments->output, "The package")->required()->option_text("FILE.wacz");
  command->add_option("--collection", arguments->collection, "All of this collection is packed")->option_text("FOLDER");
  command->add_option("--launch", arguments->launch, "… or what this launch of a crawl has captured")
      ->option_text("NAME");
  command->add_option("--url", arguments->url, "… or its captures of this URL, with what revisits refer to");
  command->add_option("--match-type", arguments->match, "How --url is meant")
      ->capture_default_str()
      ->check(CLI::IsMember({"exact", "prefix", "host", "domain"}));
  command->add_option("--from", arguments->from, "Captures from this time on: 2010")->option_text("TIME");
  command->add_option("--to", arguments->to, "Captures up to this time")->option_text("TIME");
  command
      ->add_option("--pages", arguments->pages,
                   "A list of pages (pages.jsonl); without it, that of the collection, or "
                   "captures of HTML")
      ->option_text("FILE");
  command->add_option("--title", arguments->title, "For people; if it is not given, that of the collection");
  command->add_option("--description", arguments->description,
                      "For people; if it is not given, that of the collection");
  command->add_option("--main-page", arguments->main_page, "The page that is shown first")->option_text("URL");
  command->add_option("--main-date", arguments->main_date, "… as captured at that time")->option_text("TIME");
  command->add_flag("--sign", arguments->sign, "Sign it with a key of your own, which is made once and kept");
  command->add_option("--key", arguments->key, "Sign it with this private key (ECDSA, PEM)")->option_text("FILE");
}

}  // namespace

void add_wacz_commands(CLI::App& app, int& exit_code) {
  CLI::App& parent = *app.add_subcommand("wacz", "Packages of web archives")->require_subcommand(1);
  parent.footer("'caddis serve FILE.wacz' shows one. docs/wacz.md tells what is in it.");
  add_create_command(parent, exit_code);

  auto arguments = std::make_shared<WaczArguments>();
  CLI::App* command =
      add_action(parent, "validate", "Hold a package against the specification, its digests and its signature",
                 arguments, validate, exit_code);
  command->add_option("package", arguments->package)->required()->option_text("FILE.wacz");
  command->add_flag("--json", arguments->json, "As JSON");

  arguments = std::make_shared<WaczArguments>();
  command =
      add_action(parent, "extract", "Unpack a package into a folder, as a collection", arguments, extract, exit_code);
  command->add_option("package", arguments->package)->required()->option_text("FILE.wacz");
  command->add_option("folder", arguments->folder, "A new or empty one")->required();
}

}  // namespace caddis::cli
