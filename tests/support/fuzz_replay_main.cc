// Runs a fuzz target over its corpus as an ordinary test: every file, every prefix-cut of it at a few places, and a few
// hundred seeded mutations. `x_fuzz_replay CORPUS_DIR`.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

std::string mutate(std::string input, std::mt19937& random) {
  for (unsigned edits = 1 + random() % 4; edits > 0 && !input.empty(); --edits) {
    size_t at = random() % input.size();
    switch (random() % 3) {
      case 0:
        input[at] = static_cast<char>(random());
        break;
      case 1:
        input.erase(at, 1 + random() % 8);
        break;
      default:
        input.insert(at, input, random() % input.size(), 1 + random() % 16);
        break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::mt19937 random(1);
  size_t files = 0;
  run("");
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    const std::string input = std::move(bytes).str();
    ++files;
    run(input);
    for (int i = 1; i < 8; ++i) run(input.substr(0, input.size() * i / 8));
    for (int i = 0; i < 200; ++i) run(mutate(input, random));
  }
  std::printf("replayed %zu corpus files with mutations\n", files);
  return files == 0 ? 1 : 0;
}
