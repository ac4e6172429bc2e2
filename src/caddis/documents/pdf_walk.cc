// All objects of the file are looked at, one after the other, whether a page refers to them or not: so nothing depends on
// the trees of a document, which may be broken or endless.
#include "caddis/documents/pdf_walk.h"

#include <algorithm>
#include <exception>
#include <new>
#include <qpdf/JSON.hh>
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <stdexcept>
#include <string>

namespace caddis::documents {
namespace {

constexpr int kDeepest = 40;                   // direct objects within each other
constexpr uint64_t kMostOfStream = 16u << 20;  // bytes of metadata, or of a script

class TooLong : public std::runtime_error {
 public:
  TooLong() : std::runtime_error("a stream unpacks to too much") {}
};

// Keeps what is written into it, up to a limit.
class BoundedText final : public Pipeline {
 public:
  explicit BoundedText(uint64_t most) : Pipeline("text", nullptr), most_(most) {}
  void write(const unsigned char* data, size_t size) override {
    if (size > most_ - text.size()) throw TooLong();
    text.append(reinterpret_cast<const char*>(data), size);
  }
  void finish() override {}

  std::string text;

 private:
  const uint64_t most_;
};

class PdfReader {
 public:
  PdfReader(uint64_t unpacked, PdfVisitor& visitor) : unpacked_(unpacked), visitor_(visitor) {}

  void read(std::string_view bytes) {
    QPDF pdf;
    pdf.setSuppressWarnings(true);
    pdf.processMemoryFile("document", bytes.data(), bytes.size());
    read_base(pdf);
    for (QPDFObjectHandle& object : pdf.getAllObjects()) read_object(object, 0);
  }

 private:
  // The catalog may name a URL against which others resolve (7.7.2, 12.6.4.8).
  void read_base(QPDF& pdf) {
    QPDFObjectHandle root = pdf.getRoot();
    if (!root.isDictionary()) return;
    QPDFObjectHandle uri = root.getKey("/URI");
    if (uri.isDictionary() && uri.getKey("/Base").isString()) visitor_.on_base(uri.getKey("/Base").getStringValue());
  }

  // Objects of their own are met by themselves.
  void read_object(QPDFObjectHandle& object, int depth) {
    if (depth > kDeepest) return visitor_.on_problem("objects are nested too deep");
    if (object.isArray()) {
      for (int i = 0; i < object.getArrayNItems(); ++i) {
        QPDFObjectHandle item = object.getArrayItem(i);
        if (!item.isIndirect()) read_object(item, depth + 1);
      }
    } else if (object.isStream()) {
      QPDFObjectHandle dictionary = object.getDict();
      read_stream(object, dictionary);
      read_dictionary(dictionary, depth);
    } else if (object.isDictionary()) {
      read_dictionary(object, depth);
    }
  }

  void read_dictionary(QPDFObjectHandle& dictionary, int depth) {
    read_action(dictionary);
    for (const std::string& key : dictionary.getKeys()) {
      QPDFObjectHandle value = dictionary.getKey(key);
      if (!value.isIndirect()) read_object(value, depth + 1);
    }
  }

  void read_action(QPDFObjectHandle& dictionary) {
    QPDFObjectHandle kind = dictionary.getKey("/S");
    if (!kind.isName()) return;
    if (kind.getName() == "/URI")
      read_uri(dictionary.getKey("/URI"));
    else if (kind.getName() == "/JavaScript")
      read_script(dictionary.getKey("/JS"));
    else if (kind.getName() == "/GoToR")
      read_remote(dictionary.getKey("/F"));
  }

  // Another document, which a file specification says is at a URL (7.11.5); others are files of the reader's machine.
  void read_remote(QPDFObjectHandle file) {
    if (file.isDictionary() && file.getKey("/FS").isNameAndEquals("/URL")) read_uri(file.getKey("/F"));
  }

  void read_uri(QPDFObjectHandle uri) {
    if (uri.isString()) visitor_.on_uri(uri.getStringValue(), uri.getUTF8Value());
  }

  void read_script(QPDFObjectHandle script) {
    if (script.isString()) visitor_.on_script(script.getUTF8Value());
    if (script.isStream()) visitor_.on_script(unpack(script));
  }

  void read_stream(QPDFObjectHandle& stream, QPDFObjectHandle& dictionary) {
    if (dictionary.getKey("/Type").isNameAndEquals("/EmbeddedFile")) visitor_.on_attachment(unpack_file(stream));
    if (dictionary.getKey("/Subtype").isNameAndEquals("/XML")) visitor_.on_metadata(unpack(stream));
  }

  // One that is too long is not read, and costs no other object.
  std::string unpack_file(QPDFObjectHandle& stream) {
    try {
      return unpack(stream);
    } catch (const TooLong&) {
      visitor_.on_problem("a file within it is too long to be read");
      return {};
    }
  }

  std::string unpack(QPDFObjectHandle& stream) {
    BoundedText text(std::min(kMostOfStream, unpacked_));
    if (!stream.pipeStreamData(&text, 0, qpdf_dl_generalized, true)) visitor_.on_problem("a stream cannot be unpacked");
    unpacked_ -= text.text.size();
    return std::move(text.text);
  }

  uint64_t unpacked_;  // bytes that are left
  PdfVisitor& visitor_;
};

}  // namespace

void walk_pdf(std::string_view bytes, uint64_t unpacked, PdfVisitor& visitor) {
  try {
    PdfReader(unpacked, visitor).read(bytes);
  } catch (const QPDFExc& error) {
    const bool is_locked = error.getErrorCode() == qpdf_e_password;
    visitor.on_problem(is_locked ? "it is encrypted, and opens with a password only" : error.getMessageDetail());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    visitor.on_problem(error.what());
  }
}

}  // namespace caddis::documents
