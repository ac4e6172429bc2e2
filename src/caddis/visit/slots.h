// Typed slots: what the steps of a visit tell each other. A step puts a value, a later step finds it by its type; a
// visit holds at most one value of each type.
//
//   struct Login { std::string user; static constexpr bool kKeptOverRetries = true; };
//   visit.slots.put(Login{"me"});
//   if (const Login* login = visit.slots.find<Login>()) ...
//
// A value may lie in the memory of its visit. A type that says kKeptOverRetries does not: it is kept when its URL is
// tried again, by the lane, so it may be missing after a restart. Belongs to the thread of its visit.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace caddis::visit {

class Slots {
 public:
  // Replaces a value of the same type. The reference holds until the slots are destroyed or the value is replaced.
  template <class T>
  T& put(T value) {
    auto box = std::make_shared<T>(std::move(value));
    T& stored = *box;
    if (Slot* slot = slot_of(&kType<T>))
      slot->value = std::move(box);
    else
      slots_.push_back({&kType<T>, is_kept<T>(), std::move(box)});
    return stored;
  }

  // Returns null if no step has put such a value.
  template <class T>
  T* find() {
    const Slot* slot = slot_of(&kType<T>);
    return slot == nullptr ? nullptr : static_cast<T*>(slot->value.get());
  }

  // Returns the values that are kept over retries, and leaves the others.
  Slots extract_kept() {
    Slots kept;
    const auto first_kept = std::ranges::partition(slots_, [](const Slot& slot) { return !slot.is_kept; });
    kept.slots_.assign(std::make_move_iterator(first_kept.begin()), std::make_move_iterator(first_kept.end()));
    slots_.erase(first_kept.begin(), first_kept.end());
    return kept;
  }
  bool empty() const { return slots_.empty(); }

 private:
  struct Slot {
    const char* type;
    bool is_kept;
    std::shared_ptr<void> value;
  };
  template <class T>
  static inline const char kType = 0;  // its address stands for the type
  template <class T>
  static constexpr bool is_kept() {
    if constexpr (requires { T::kKeptOverRetries; })
      return T::kKeptOverRetries;
    else
      return false;
  }
  Slot* slot_of(const char* type) {
    const auto found = std::ranges::find(slots_, type, &Slot::type);
    return found == slots_.end() ? nullptr : &*found;
  }

  std::vector<Slot> slots_;
};

}  // namespace caddis::visit
