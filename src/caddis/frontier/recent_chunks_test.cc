#include "caddis/frontier/recent_chunks.h"

#include <gtest/gtest.h>

#include <map>

#include "caddis/base/random.h"

namespace caddis::frontier {
namespace {

// Against a map: whatever is put, kept and trimmed, what the store may not have yet is here.
TEST(RecentChunks, HasWhatIsNotInTheStore) {
  struct Known {
    std::string bytes;
    uint64_t stage;
  };
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandom random(seed);
    RecentChunks chunks;
    std::map<uint64_t, Known> not_stored;
    uint64_t head = 0, tail = 0, stage = 1, committed = 0;
    for (int step = 0; step < 400; ++step) {
      switch (random.below(6)) {
        case 0:
        case 1: {  // a new chunk, or another one in the place of one
          const bool again = head < tail && random.below(3) == 0;
          const uint64_t number = again ? head + random.below(tail - head) : tail++;
          const std::string bytes = std::to_string(random.next());
          chunks.put(number, std::make_shared<const std::string>(bytes));
          not_stored[number] = {bytes, RecentChunks::kNotStaged};
          break;
        }
        case 2:  // read to its end
          if (head < tail) ++head;
          chunks.keep(head, tail);
          break;
        case 3:  // taken away at the end
          if (head < tail && random.below(4) == 0) --tail;
          chunks.keep(head, tail);
          break;
        case 4:
          chunks.each([&](RecentChunks::Chunk& chunk) {
            if (chunk.stage != RecentChunks::kNotStaged) return;
            chunk.stage = stage;
            not_stored[chunk.number].stage = stage;
          });
          ++stage;
          break;
        default:
          committed = committed + random.below(stage - committed);
          chunks.trim(committed, head);
      }
      std::erase_if(not_stored, [&](const auto& each) {
        return each.first < head || each.first >= tail || each.second.stage <= committed;
      });
      for (const auto& [number, known] : not_stored) {
        const ChunkBytes found = chunks.find(number);
        ASSERT_TRUE(found) << "seed " << seed << " step " << step << " chunk " << number;
        ASSERT_EQ(*found, known.bytes);
      }
    }
  }
}

}  // namespace
}  // namespace caddis::frontier
