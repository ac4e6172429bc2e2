#include "simweb/world/blocks.h"

#include <fmt/format.h>
#include <zlib.h>

#include "simweb/world/hash.h"

namespace simweb {
namespace {

constexpr size_t kVariants = 8;
constexpr size_t kRobotsBytes = 479'000;

class Chance {
 public:
  explicit Chance(uint64_t seed) : x_(draw(seed, Salt::content, seed)) {}
  uint64_t operator()(uint64_t bound) {
    x_ = next_draw(x_);
    return below(x_, bound);
  }

 private:
  uint64_t x_;
};

std::string letter(Flavour flavour, Chance& chance) {
  const auto byte = [](uint64_t value) { return static_cast<char>(value); };
  switch (flavour) {
    case Flavour::html_1251:
      return {byte(0xE0 + chance(32))};
    case Flavour::html_sjis:
      return {byte(0x82), byte(0x9F + chance(83))};
    case Flavour::html_gb18030:
      return {byte(0xB0 + chance(32)), byte(0xA1 + chance(94))};
    case Flavour::html_latin1:
      return chance(6) == 0 ? std::string{byte(0xE0 + chance(23))} : std::string{byte('a' + chance(26))};
    case Flavour::html:
      return chance(40) == 0 ? std::string("\xC3") + byte(0xA0 + chance(23)) : std::string{byte('a' + chance(26))};
    default:
      return {byte('a' + chance(26))};
  }
}

// Words as often as in a language: the first ones much more than the last.
class Words {
 public:
  explicit Words(Flavour flavour) : chance_(static_cast<uint64_t>(flavour) + 100) {
    for (int i = 0; i < 600; ++i) {
      std::string word;
      for (uint64_t left = 2 + chance_(8); left > 0; --left) word += letter(flavour, chance_);
      words_.push_back(std::move(word));
    }
  }
  const std::string& one() { return words_[chance_(1 + chance_(words_.size()))]; }
  uint64_t chance(uint64_t bound) { return chance_(bound); }
  std::string some(uint64_t count) {
    std::string text = one();
    while (--count > 0) text += ' ' + one();
    return text;
  }

 private:
  Chance chance_;
  std::vector<std::string> words_;
};

// Tags and attributes as dense as on usual pages; no links.
std::string html_piece(Words& words) {
  const uint64_t number = words.chance(400);
  switch (words.chance(5)) {
    case 0:
      return fmt::format("<h3 id=\"s{}\">{}</h3>\n", number, words.some(4));
    case 1:
      return fmt::format("<div class=\"box c{}\"><span class=\"label\">{}</span> {}</div>\n", number % 30,
                         words.some(2), words.some(12));
    case 2:
      return fmt::format("<p>{} <b>{}</b> {} <i class=\"n{}\">{}</i>, {}.</p>\n", words.some(14), words.some(2),
                         words.some(9), number % 7, words.one(), words.some(11));
    case 3:
      return fmt::format("<tr class=\"{}\"><td>{}</td><td data-n=\"{}\">{}</td></tr>\n", number % 2 ? "odd" : "even",
                         words.some(2), number, words.some(3));
    default:
      return fmt::format("<p class=\"text\">{}.</p>\n", words.some(30));
  }
}

std::string style_piece(Words& words) {
  return fmt::format(".{}{} {{ margin: {}px {}px; color: #{:06x}; font-size: {}px }}\n", words.one(), words.chance(90),
                     words.chance(40), words.chance(9), words.chance(1 << 24), 9 + words.chance(20));
}

std::string script_piece(Words& words) {
  return fmt::format("function {}{}({}, n) {{ var k = n * {} + {}; if (k > {}) return k; return {} - k; }}\n",
                     words.one(), words.chance(1000), words.one(), words.chance(90), words.chance(90),
                     words.chance(5000), words.chance(70));
}

std::string piece(Flavour flavour, Words& words) {
  if (flavour == Flavour::style) return style_piece(words);
  if (flavour == Flavour::script) return script_piece(words);
  if (flavour != Flavour::binary) return html_piece(words);
  std::string bytes;
  for (int i = 0; i < 64; ++i) bytes += static_cast<char>(words.chance(256));
  return bytes;
}

// What fills up the rest of a block: a comment, or anything.
std::string filler(Flavour flavour, size_t size) {
  if (flavour == Flavour::binary) return std::string(size, 'z');
  const bool html = flavour < Flavour::style;
  const std::string_view open = html ? "<!--" : "/*", close = html ? "-->\n" : "*/\n";
  if (size < open.size() + close.size()) return std::string(size, '\n');
  return fmt::format("{}{}{}", open, std::string(size - open.size() - close.size(), ' '), close);
}

std::string deflate_flushed(std::string_view plain) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FULL_FLUSH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  out.shrink_to_fit();
  return out;
}

Block make_block(std::string plain, bool deflated) {
  Block block{.plain = std::move(plain)};
  block.crc = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(block.plain.data()), static_cast<uInt>(block.plain.size())));
  block.crc_operator = static_cast<uint32_t>(crc32_combine_gen(static_cast<z_off_t>(block.plain.size())));
  if (deflated) block.deflated = deflate_flushed(block.plain);
  return block;
}

Block make_block(Flavour flavour, size_t size, Words& words) {
  std::string text;
  for (std::string next = piece(flavour, words); text.size() + next.size() <= size; next = piece(flavour, words))
    text += next;
  text += filler(flavour, size - text.size());
  return make_block(std::move(text), flavour != Flavour::binary);
}

}  // namespace

const BlockStock& BlockStock::get() {
  static const BlockStock stock;
  return stock;
}

BlockStock::BlockStock() {
  for (int flavour = 0; flavour < kFlavours; ++flavour) {
    Words words(static_cast<Flavour>(flavour));
    for (size_t i = 0; i < kBlockSizes.size(); ++i)
      for (size_t variant = 0; variant < (i == 0 ? kVariants / 2 : kVariants); ++variant)
        blocks_[static_cast<size_t>(flavour)][i].push_back(
            make_block(static_cast<Flavour>(flavour), kBlockSizes[i], words));
  }
  zeros_ = make_block(std::string(1'000'000, '\0'), true);
  for (int i = 0; robots_.size() < kRobotsBytes; ++i)
    robots_ += fmt::format("User-agent: robot{}\nDisallow: /no/{}/\nDisallow: /*.{}$\n\n", i, i * 7, i);
  Words words(Flavour::script);
  for (int i = 0; i < 256; ++i) anchors_.push_back(words.some(1 + words.chance(4)).substr(0, kMaxAnchor));
}

const Block& BlockStock::pick(Flavour flavour, size_t size_class, uint64_t draw) const {
  const auto& blocks = blocks_[static_cast<size_t>(flavour)][size_class];
  return blocks[below(draw, blocks.size())];
}

}  // namespace simweb
