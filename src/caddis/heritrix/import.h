// The import as handlers of beans and properties see it: the tree, the report, where values go, and the files that come out.
//
// One import, one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/bean_file.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/settings_target.h"

namespace caddis::heritrix {

struct ImportedFile {
  std::string name, text;
};

class Import {
 public:
  // `folder` is the whole path that the files will have.
  Import(const BeanTree& tree, ImportReport& report, SettingsTarget& crawl, const ReadBeside& read, std::string folder)
      : tree_(tree), report_(report), target_(&crawl), crawl_(crawl), read_(read), folder_(std::move(folder)) {}

  const BeanTree& tree() const { return tree_; }
  ImportReport& report() { return report_; }

  // Sets a value and tells of the item what came of it, with `why` if that is not all; a value that cannot be is told, too.
  // Returns whether it was set.
  bool set(ItemId item, std::string_view section, std::string_view name, const std::vector<std::string>& texts,
           Fate fate = Fate::taken, std::string_view why = {});
  bool set(const BeanProperty& property, std::string_view section, std::string_view name,
           const std::vector<std::string>& texts, Fate fate = Fate::taken, std::string_view why = {});
  // Tells of a property, and of the items of a list in it that are untold.
  void tell(const BeanProperty& property, Fate fate, std::string_view said);
  // Tells of a property that a template leaves open (expressions.h).
  void tell_open(const BeanProperty& property);
  // Tells of a property or a bean, and of all inside them, as far as it is untold.
  void tell_deep(const BeanProperty& property, Fate fate, std::string_view said);
  void tell_deep(const Bean& bean, Fate fate, std::string_view said);
  // Something that keeps URLs out has no equivalent: a crawl would fetch too much, so that is an open question.
  void lacks_rejection(ItemId item);
  // Whether something has been said of an item.
  bool is_told(ItemId item) const { return item != kNoItem && report_.item(item).fate != Fate::untold; }

  // Values go there until `end_sheet`.
  void begin_sheet(SettingsTarget& sheet) { target_ = &sheet; }
  void end_sheet() { target_ = &crawl_; }
  bool is_sheet() const { return target_ != &crawl_; }

  // A file beside the one that is imported.
  Result<std::string> read(const std::string& name) const { return read_(name); }
  // Returns its whole path. A second one of that name gets a number.
  std::string add_file(std::string_view name, std::string text);
  const std::vector<ImportedFile>& files() const { return files_; }

  // Lines of lists of seeds that take something out of the scope ("-http://(org,example,"), without their sign.
  std::vector<std::string> excluded_surts;
  // How deep in sequences of rules the import is.
  int nested_sequences = 0;
  // Rules, and expressions of rules, that have no equivalent, so far.
  size_t left_out_of_rules = 0;
  // The first reason why no crawl should start with what is set; empty if there is none.
  std::string open_question;

 private:
  void tell_value(const BeanValue& value, Fate fate, std::string_view said);

  const BeanTree& tree_;
  ImportReport& report_;
  SettingsTarget* target_;
  SettingsTarget& crawl_;
  const ReadBeside& read_;
  std::string folder_;
  std::vector<ImportedFile> files_;
};

// "true", "TRUE", "yes", "on", "1".
bool is_true(std::string_view text);

}  // namespace caddis::heritrix
