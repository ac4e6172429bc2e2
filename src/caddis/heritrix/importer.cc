// The file becomes a tree of beans; then seeds, policies, the scope, sheets and all other properties are gone through, each
// telling the report what has become of it. What comes out is read back as a settings file, so that nothing is written
// that a crawl would refuse.
#include "caddis/heritrix/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/config/settings.h"
#include "caddis/frontier/settings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/default_differences.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/logins_import.h"
#include "caddis/heritrix/property_import.h"
#include "caddis/heritrix/sheets_import.h"
#include "caddis/heritrix/xml_document.h"
#include "caddis/io/files.h"

namespace caddis::heritrix {
namespace {

constexpr size_t kMostHosts = 20'000;  // files of settings of hosts
constexpr int kMostLabels = 40;        // folders in folders

bool is_rule(std::string_view kind) {
  return kind.contains("DecideRule") || kind.ends_with("DecideRuleSequence") ||
         kind == "AddRedirectFromRootServerToScope";
}

// Caddis has each of these once; if a file has several, the first counts.
constexpr std::array<std::string_view, 5> kSingleRoles = {"warcWriter", "fetchHttp", "frontier", "disposition",
                                                          "extractorHtml"};

// Whether another bean in front of it, which is in use, plays its role.
bool is_second(const Import& import, const Bean& bean, std::string_view role) {
  if (std::ranges::find(kSingleRoles, role) == kSingleRoles.end()) return false;
  const Bean* first = nullptr;
  import.tree().each([&](const Bean& other) {
    const BeanKind* const kind = find_bean_kind(other.kind());
    const bool is_on = other.find("enabled") == nullptr || is_true(other.text("enabled"));
    if (first == nullptr && kind != nullptr && kind->role == role && is_on) first = &other;
  });
  return first != nullptr && first != &bean;
}

void import_bean(Import& import, const Bean& bean) {
  const BeanKind* const kind = find_bean_kind(bean.kind());
  if (kind != nullptr) {
    if (is_second(import, bean, kind->role) && to_lower(bean.text("enabled")) != "false")
      return import.tell_deep(bean, Fate::without,
                              "Caddis has one such part, and the first in the file counts: see if sheets can say the "
                              "difference (docs/sheets.md)");
    if (const BeanProperty* const enabled = bean.find("enabled");
        enabled != nullptr && enabled->value.is_text() && to_lower(trim(enabled->value.text)) == "false") {
      import_property(import, bean, *enabled);
      import.tell_deep(bean, Fate::taken, "it is switched off");
      return;
    }
    for (const BeanProperty& property : bean.properties)
      if (!import.is_told(property.item)) import_property(import, bean, property);
    if (!import.is_told(bean.item)) import.report().tell(bean.item, kind->fate, std::string(kind->said));
    return;
  }
  if (import.is_told(bean.item) || bean.item == kNoItem) return;
  if (is_rule(bean.kind()))
    return import.tell_deep(bean, Fate::differently, "nothing asks this rule, so it does not count");
  const std::string_view words = package_words(bean.class_name);
  if (!words.empty()) return import.tell_deep(bean, Fate::without, words);
  import.tell_deep(bean, Fate::without,
                   "Caddis does not know this class: look up what it does, and whether a setting or a module can do it "
                   "(docs/extending.md)");
}

// In Heritrix the longest delay counts, if the shortest is longer.
void mend_delays(Import& import, ImportedSettings& settings) {
  const auto& politeness = settings.settings().politeness;
  if (politeness.min_delay <= politeness.max_delay) return;
  const settings::Field* const longest = settings::schema_of<frontier::PolitenessSettings>().find("max-delay");
  const std::string delay = longest->write(longest->get(&politeness));
  if (const auto is_set = settings.set("politeness", "min-delay", {delay}, "disposition.maxDelayMs, which is shorter");
      !is_set)
    return;
  for (ItemId item = 0; item < import.report().items().size(); ++item)
    if (import.report().item(item).said.starts_with("politeness.min-delay: "))
      import.report().differently(item, fmt::format("the longest delay is shorter, and counts: {}", delay));
}

void run(Import& import, ImportedSettings& settings) {
  // Lists of seeds have lines for the scope, and policies are looked at by what refers to them.
  import.tree().each([&](const Bean& bean) {
    const BeanKind* const kind = find_bean_kind(bean.kind());
    if (kind == nullptr || kind->role != "seeds") return;
    if (const BeanProperty* const source = bean.find("textSource")) import_property(import, bean, *source);
  });
  import.tree().each([&](const Bean& bean) {
    if (const HandleBean handle = bean_handler(bean.kind())) handle(import, bean);
  });
  import_scope(import);
  import_feeds(import);
  std::vector<ImportedSheet> sheets = import_sheets(import);
  std::ranges::move(import_logins(import), std::back_inserter(sheets));
  import.tree().each([&](const Bean& bean) { import_bean(import, bean); });
  mend_delays(import, settings);
  for (ImportedSheet& one : sheets)
    if (const auto added = settings.add_sheet(std::move(one.sheet)); !added)
      import.report().without(one.item, added.error().message);
}

std::string heading(const ImportSource& source, const ImportReport& report) {
  return fmt::format(
      "Imported by caddis import heritrix from {}.\n"
      "{} items of it are taken over, {} differently, and {} have no equivalent: import.txt names each.\n"
      "Each line says where it comes from. What is not here is Caddis's default.",
      visible(source.name, 400), report.count(Fate::taken), report.count(Fate::differently),
      report.count(Fate::without));
}

// Reads crawl.yaml back. Returns what would keep a crawl from starting with it.
std::string check(const std::string& yaml) {
  config::Settings settings;
  if (const auto loaded = config::load_settings(yaml, "crawl.yaml", settings); !loaded) return loaded.error().message;
  if (const auto sound = config::validate(settings); !sound) return sound.error().message;
  return "";
}

void list_settings(io::Files& files, const std::string& folder, const std::string& below, int depth,
                   std::vector<std::string>& found) {
  const auto entries = files.list(folder);
  if (!entries || depth > kMostLabels) return;
  for (const io::DirectoryEntry& entry : *entries) {
    const std::string name = below.empty() ? entry.name : below + "/" + entry.name;
    if (entry.is_directory)
      list_settings(files, io::join_path(folder, entry.name), name, depth + 1, found);
    else if (entry.name == "settings.xml" && !below.empty() && found.size() < kMostHosts)
      found.push_back(name);
  }
}

// Whether it has passwords of proxies, or headers that let somebody in.
bool has_secrets(const ImportedSettings& settings) {
  const auto is_secret = [](const settings::Overlay::Entry& entry) {
    return entry.schema->name() == "logins" ||
           (entry.schema->name() == "fetch" && (entry.field->name == "proxy" || entry.field->name == "headers"));
  };
  return !settings.origin("fetch", "proxy").empty() || !settings.origin("fetch", "headers").empty() ||
         std::ranges::any_of(settings.settings().sheets, [&](const settings::Sheet& sheet) {
           return std::ranges::any_of(sheet.values.entries(), is_secret);
         });
}

}  // namespace

Result<ImportSource> import_source_of_file(io::Files& files, const std::string& path) {
  ImportSource source;
  source.name = path;
  TRY(source.text, files.read_all(path, kMostXml));
  const std::string folder = io::parent_path(path);
  source.read = [&files, folder](const std::string& name) {
    return files.read_all(name.starts_with('/') ? name : io::join_path(folder, name), kMostXml);
  };
  source.list = [&files, folder](const std::string& name) {
    std::vector<std::string> found;
    list_settings(files, name.starts_with('/') ? name : io::join_path(folder, name), "", 0, found);
    std::ranges::sort(found);
    return found;
  };
  return source;
}

Result<Imported> import_configuration(const ImportSource& source, const std::string& folder) {
  auto root = read_xml(source.text);
  if (!root) return pass(std::move(root).error(), source.name);
  const bool is_order = root->name == "crawl-order";
  if (!is_order && root->name != "beans")
    return fail(ErrorCode::config,
                fmt::format("{}: it begins with <{}>; crawler-beans.cxml of Heritrix 3 begins with <beans>, "
                            "order.xml of Heritrix 1 with <crawl-order>",
                            source.name, visible(root->name, 100)));
  Imported imported;
  const BeanTree tree = is_order ? read_order(*root, imported.report, source.read, source.list)
                                 : read_beans(*root, imported.report, source.read);
  Import import(tree, imported.report, imported.settings, source.read, folder);
  run(import, imported.settings);
  tell_defaults(tree, imported.settings, imported.report);
  imported.report.finish();
  const std::string yaml = imported.settings.yaml(heading(source, imported.report), imported.report.defaults());
  imported.open_question = check(yaml);
  if (imported.open_question.empty()) imported.open_question = import.open_question;
  imported.files.push_back({"crawl.yaml", yaml});
  imported.files.insert(imported.files.end(), import.files().begin(), import.files().end());
  imported.files.push_back({"import.txt", imported.report.text()});
  return imported;
}

Result<void> write_import(io::Files& files, const std::string& folder, const Imported& imported) {
  for (const ImportedFile& file : imported.files)
    if (const std::string path = io::join_path(folder, file.name); files.exists(path))
      return fail(ErrorCode::conflict, fmt::format("{} is there already: choose another folder (--into)", path));
  TRY_VOID(files.make_dirs(folder));
  const bool is_private = has_secrets(imported.settings);  // for the owner alone
  for (const ImportedFile& file : imported.files) {
    const std::string path = io::join_path(folder, file.name);
    const bool is_session = path == imported.settings.settings().cookies.load;
    if (is_session || (is_private && file.name == "crawl.yaml"))
      TRY_VOID(files.write_atomically_private(path, file.text));
    else
      TRY_VOID(files.write_atomically(path, file.text));
  }
  return {};
}

}  // namespace caddis::heritrix
