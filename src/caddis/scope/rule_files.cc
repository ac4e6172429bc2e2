#include "caddis/scope/rule_files.h"

#include <functional>

#include "caddis/io/files.h"
#include "caddis/scope/rules.h"

namespace caddis::scope {
namespace {

uint64_t hash_of(const Result<std::string>& text) { return text ? std::hash<std::string>()(*text) | 1 : 0; }

}  // namespace

Result<std::string> RuleFiles::read(const std::string& path) {
  auto text = read_rule_file_of(files_, path);
  const std::lock_guard lock(mutex_);
  read_[path] = hash_of(text);
  return text;
}

Result<std::string> RuleFiles::peek(const std::string& path) const { return read_rule_file_of(files_, path); }

bool RuleFiles::empty() const {
  const std::lock_guard lock(mutex_);
  return read_.empty();
}

std::vector<std::string> RuleFiles::changed() const {
  std::map<std::string, uint64_t> known;
  {
    const std::lock_guard lock(mutex_);
    known = read_;
  }
  std::vector<std::string> changed;
  for (const auto& [path, hash] : known)
    if (hash_of(read_rule_file_of(files_, path)) != hash) changed.push_back(path);
  return changed;
}

}  // namespace caddis::scope
