#include "caddis/crawl/launch_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/config/settings_file.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

std::string secrets_yaml(const config::Settings& settings) { return settings_yaml(settings, settings::Secrets::only); }

Result<void> load_secrets_file(io::Files& files, const collection::Launch& launch, config::Settings& into) {
  const std::string path = launch.secrets_file();
  if (!files.exists(path)) return {};
  TRY(const std::string yaml, files.read_all(path, settings::kMostYaml));
  return load_secrets(yaml, path, into);
}

// Whether there is nothing to keep, or it is kept.
Result<bool> are_secrets_kept(io::Files& files, const collection::Launch& launch, const config::Settings& settings) {
  const std::string secrets = secrets_yaml(settings);
  if (!files.exists(launch.secrets_file())) return secrets == secrets_yaml(config::Settings());
  TRY(const std::string kept, files.read_all(launch.secrets_file()));
  return kept == secrets;
}

Result<std::string> describe_edits(io::Files& files, const collection::Launch& launch, const config::Settings& stored,
                                   const config::Settings& present) {
  config::Settings edited;
  std::string what;
  TRY_VOID(load_settings_files(files, launch, edited));
  TRY(const auto edits, allowed_changes(stored, edited));
  TRY(const auto differ, allowed_changes(present, edited));
  for (const settings::Change& change : differ) {
    const bool is_edit = std::ranges::any_of(edits, [&](const settings::Change& edit) {
      return edit.section == change.section && edit.name == change.name;
    });
    if (is_edit)
      what += fmt::format("{}{}.{} is {} there, and stays {}", what.empty() ? "" : "; ", change.section, change.name,
                          change.after, change.before);
  }
  return what;
}

}  // namespace

Result<void> write_settings_files(io::Files& files, const collection::Launch& launch,
                                  const config::Settings& settings) {
  TRY(const bool are_kept, are_secrets_kept(files, launch, settings));
  if (!are_kept) TRY_VOID(files.write_atomically_private(launch.secrets_file(), secrets_yaml(settings)));
  return files.write_atomically(launch.settings_file(), settings_yaml(settings));
}

Result<void> load_settings_files(io::Files& files, const collection::Launch& launch, config::Settings& into) {
  TRY_VOID(load_settings_file(files, launch.settings_file(), into));
  return load_secrets_file(files, launch, into);
}

Result<config::Settings> load_stored_settings(io::Files& files, const collection::Launch& launch, store::Kv& kv) {
  TRY(const auto yaml, kv.get(kMeta, kSettingsRow));
  if (!yaml) return fail(ErrorCode::corrupt, launch.state() + "/db lacks the settings of the crawl");
  config::Settings stored;
  TRY_VOID(load_settings(*yaml, "the state's settings", stored));
  TRY_VOID(load_secrets_file(files, launch, stored));
  return stored;
}

Result<void> store_settings(io::Files& files, const collection::Launch& launch, store::Kv& kv,
                            const config::Settings& settings, const SettingsChange& change) {
  // A launch of before may show in its crawl.yaml what is secret now.
  TRY(const bool are_kept, are_secrets_kept(files, launch, settings));
  if (change.any || !are_kept) TRY_VOID(write_settings_files(files, launch, settings));
  store::Batch batch;
  batch.put(kMeta, std::string(kSettingsRow), settings_yaml(settings));
  if (change.scope) batch.put(kMeta, std::string(kScopeChangedRow), "");
  return kv.write(batch, store::Durability::synced);
}

std::optional<std::string> notice_of_edits(io::Files& files, const collection::Launch& launch,
                                           const config::Settings& stored, const config::Settings& present) {
  if (!files.exists(launch.settings_file())) return std::nullopt;
  const auto edits = describe_edits(files, launch, stored, present);
  const std::string what = edits ? *edits : edits.error().message;
  if (what.empty()) return std::nullopt;
  return fmt::format(
      "{} was changed, but it only tells what the crawl goes by, and is not read: {}. To change settings, give a file "
      "with --config when the crawl is resumed, or 'caddis resume --set' while it runs",
      launch.settings_file(), what);
}

}  // namespace caddis::crawl
