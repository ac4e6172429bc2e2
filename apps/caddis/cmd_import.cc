// caddis import heritrix: a configuration of Heritrix as a folder with crawl.yaml, its seeds, and what has become of each
// property.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "caddis/heritrix/importer.h"
#include "caddis/io/files.h"
#include "commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

struct ImportOptions {
  std::string file, into;
  bool all = false;
};

int fail_with(const Error& error) {
  tell(fmt::format("caddis import heritrix: {}\n", error.message));
  return error.code == ErrorCode::io || error.code == ErrorCode::no_space ? 1 : 2;
}

// crawl.yaml names the files beside it, and may be used from elsewhere.
std::string whole_path(const std::string& folder) {
  std::string path = std::filesystem::absolute(folder).lexically_normal();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// Without one the folder lies beside the working folder's others, called like the crawl.
std::string folder_of(const ImportOptions& options, const std::string& crawl) {
  return options.into.empty() ? crawl : options.into;
}

void print(const heritrix::Imported& imported, const std::string& folder, bool all) {
  const heritrix::ImportReport& report = imported.report;
  for (const heritrix::ImportItem& item : report.items()) {
    const bool is_shown = item.fate == heritrix::Fate::without || all;
    if (is_shown && item.whole == heritrix::kNoItem)
      fmt::print("{}{}{}\n  {}\n", item.path, item.value.empty() ? "" : " = ", item.value, item.said);
  }
  fmt::print("{} taken over, {} differently, {} without equivalent\n", report.count(heritrix::Fate::taken),
             report.count(heritrix::Fate::differently), report.count(heritrix::Fate::without));
  fmt::print("{} of Heritrix's defaults differ from Caddis's\n", report.defaults().size());
  fmt::print("{}/import.txt names each; begin with: caddis crawl --config {}/crawl.yaml\n", folder, folder);
  if (!imported.open_question.empty()) fmt::print("Before that, mend crawl.yaml: {}\n", imported.open_question);
}

int import_heritrix(const ImportOptions& options) {
  io::Files& files = io::real_files();
  const auto source = heritrix::import_source_of_file(files, options.file);
  if (!source) return fail_with(source.error());
  // The name of the crawl is known when it has been read once.
  auto folder = whole_path(folder_of(options, "imported"));
  auto imported = heritrix::import_configuration(*source, folder);
  if (imported && options.into.empty()) {
    folder = whole_path(folder_of(options, imported->settings.settings().crawl.name));
    imported = heritrix::import_configuration(*source, folder);
  }
  if (!imported) return fail_with(imported.error());
  if (const auto written = heritrix::write_import(files, folder, *imported); !written)
    return fail_with(written.error());
  print(*imported, folder, options.all);
  return imported->open_question.empty() ? 0 : 1;
}

}  // namespace

void add_import_commands(CLI::App& app, int& exit_code) {
  CLI::App* import =
      app.add_subcommand("import", "Take over the configuration of another crawler")->require_subcommand(1);
  CLI::App* command = import->add_subcommand("heritrix",
                                             "Make crawl.yaml of crawler-beans.cxml (Heritrix 3) or order.xml "
                                             "(Heritrix 1), and say what became of each property");
  auto options = std::make_shared<ImportOptions>();
  command
      ->add_option("FILE", options->file,
                   "crawler-beans.cxml, or order.xml; its seeds and lists are looked for beside it")
      ->required();
  command->add_option(
      "--into,-o", options->into,
      "The folder for crawl.yaml, seeds.txt and import.txt, which is made; by default one called like the crawl");
  command->add_flag("--all", options->all, "Print what was taken over, too; import.txt has it in any case");
  command->callback([options, &exit_code] { exit_code = import_heritrix(*options); });
}

}  // namespace caddis::cli
