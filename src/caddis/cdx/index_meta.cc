#include "caddis/cdx/index_meta.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/flat_json.h"

namespace caddis::cdx {
namespace {

constexpr size_t kMostMeta = 256 * 1024;

std::string meta_path(const std::string& index_path) { return index_path + ".meta"; }

struct Members {
  std::string policy, hash, rewriting, journal;
};

Members members_of(std::string_view text) {
  Members found;
  FlatJson json(text);
  while (json.next()) {
    if (json.name() == "key_policy") found.policy = json.text();
    if (json.name() == "key_hash") found.hash = json.text();
    if (json.name() == "rewriting_to") found.rewriting = json.text();
    if (json.name() == "journal") found.journal = json.text();
  }
  return found;
}

constexpr std::string_view kWayOut = "caddis index rekey writes it anew";

std::string problem_of(const Members& members, const Result<url::KeyPolicy>& policy) {
  if (!members.rewriting.empty())
    return fmt::format("its keys were being rewritten to '{}': give caddis index rekey once more", members.rewriting);
  if (!policy)
    return fmt::format("its keys are by '{}', which this Caddis cannot make ({}); {}", members.policy,
                       policy.error().message, kWayOut);
  if (!members.hash.empty() && members.hash != policy->hash())
    return fmt::format("its keys are by '{}' with other steps than that policy has here (hash {}, not {}); {}",
                       members.policy, members.hash, policy->hash(), kWayOut);
  return {};
}

std::string sizes_text(const std::vector<uint64_t>& sizes) {
  std::string text;
  for (const uint64_t size : sizes) text.append(text.empty() ? "" : " ").append(std::to_string(size));
  return text;
}

Result<void> write(io::Files& files, const std::string& index_path, JsonObject meta,
                   const std::vector<uint64_t>& journal) {
  const std::string sizes = sizes_text(journal);
  if (!sizes.empty()) meta.add("journal", sizes);
  return files.write_atomically(meta_path(index_path), meta.finish() + "\n");
}

}  // namespace

IndexMeta read_index_meta(io::Files& files, const std::string& index_path) {
  IndexMeta meta;
  const std::string path = meta_path(index_path);
  if (files.exists(path)) {
    auto text = files.read_all(path, kMostMeta);
    if (!text) {
      meta.problem = text.error().message;
      return meta;
    }
    meta.text = *std::move(text);
  }
  const Members members = members_of(meta.text);
  for (const std::string_view size : split(members.journal, ' '))
    if (!size.empty()) meta.journal.push_back(static_cast<uint64_t>(parse_int(size).value_or(0)));
  auto policy = members.policy.empty() ? Result<url::KeyPolicy>(url::KeyPolicy::ia_surt())
                                       : url::KeyPolicy::parse(members.policy);
  meta.problem = problem_of(members, policy);
  if (meta.problem.empty()) meta.policy = *std::move(policy);
  return meta;
}

Result<void> check_key_policy(io::Files& files, const std::string& index_path, const url::KeyPolicy& wanted) {
  const IndexMeta meta = read_index_meta(files, index_path);
  if (!meta.policy) return fail(ErrorCode::conflict, index_path + ": " + meta.problem);
  if (*meta.policy == wanted) return {};
  return fail(
      ErrorCode::conflict,
      fmt::format("{0}: its keys are by '{1}', not by '{2}': rewrite them with caddis index rekey {0} --key-policy "
                  "'{2}', or name its own policy",
                  index_path, meta.policy->notation(), wanted.notation()));
}

Result<void> write_index_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& policy,
                              const std::vector<std::string>& journals) {
  std::vector<uint64_t> sizes;
  for (const std::string& journal : journals) {
    TRY(const auto file, files.open_read(journal));
    TRY(const uint64_t size, file->size());
    sizes.push_back(size);
  }
  return write_index_meta(files, index_path, policy, sizes);
}

Result<void> write_index_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& policy,
                              const std::vector<uint64_t>& journal) {
  JsonObject meta;
  meta.add("format", "caddis-cdxj/1").add("key_policy", policy.notation());
  meta.add("key_steps", policy.steps()).add("key_hash", policy.hash());
  return write(files, index_path, std::move(meta), journal);
}

Result<void> write_rewriting_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& wanted,
                                  const std::vector<uint64_t>& journal) {
  JsonObject meta;
  meta.add("format", "caddis-cdxj/1").add("rewriting_to", wanted.notation());
  return write(files, index_path, std::move(meta), journal);
}

}  // namespace caddis::cdx
