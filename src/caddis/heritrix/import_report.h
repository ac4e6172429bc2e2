// A configuration of Heritrix, item by item, with what has become of each in Caddis: taken over, taken over
// differently, or without an equivalent. An item is a bean, a property, an entry of a map, or an item of a list; none is
// ever left out.
//
// Grows while a file is read and imported; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::heritrix {

enum class Fate {
  untold,
  taken,        // it has the same effect
  differently,  // Caddis does it in another way, or by itself
  without       // somebody has to do something, or do without
};

using ItemId = size_t;
inline constexpr ItemId kNoItem = static_cast<ItemId>(-1);

struct ImportItem {
  std::string path;   // "scope.rules[2].maxHops"
  std::string value;  // as the file has it; that of a secret is not shown
  size_t line = 0;    // of the file
  Fate fate = Fate::untold;
  std::string said;        // what it has become, and what is to be done
  std::string noted;       // said besides, whatever it becomes
  ItemId whole = kNoItem;  // it shares the fate of this one, if nothing is said of it
};

// A default of Heritrix that the file leaves as it is, and that differs from Caddis's.
struct OtherDefault {
  std::string heritrix;  // "fetchHttp.useHTTP11 = false"
  std::string caddis;    // "fetch.http-version"
  std::string value;     // what stands for Heritrix's default, as YAML; empty if nothing does
  std::string said;
};

class ImportReport {
 public:
  ItemId add(std::string path, std::string_view value, size_t line);
  // An item of a list: whatever is said of the whole holds for it, too.
  ItemId add_part(ItemId whole, std::string path, std::string_view value, size_t line);

  // If something is said of an item twice, the worse holds, and both are told.
  void taken(ItemId item, std::string said) { tell(item, Fate::taken, std::move(said)); }
  void differently(ItemId item, std::string said) { tell(item, Fate::differently, std::move(said)); }
  void without(ItemId item, std::string said) { tell(item, Fate::without, std::move(said)); }
  void tell(ItemId item, Fate fate, std::string said);
  // It is not quite what the file states; what it becomes is still to be told.
  void note(ItemId item, std::string said);
  void add_default(OtherDefault one) { defaults_.push_back(std::move(one)); }
  // Items that are untold have no equivalent. To be called last.
  void finish();

  const ImportItem& item(ItemId item) const { return items_[item]; }
  const std::vector<ImportItem>& items() const { return items_; }
  const std::vector<OtherDefault>& defaults() const { return defaults_; }
  size_t count(Fate fate) const;
  // The lists, for people.
  std::string text() const;

 private:
  std::vector<ImportItem> items_;
  std::vector<OtherDefault> defaults_;
};

// Whether a property of that name holds a password or the like.
bool is_secret(std::string_view path);

}  // namespace caddis::heritrix
