#include "caddis/heritrix/xml_document.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace caddis::heritrix {
namespace {

using Parser = std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)>;

// The elements that are open, while the document is read.
class TreeBuilder {
 public:
  explicit TreeBuilder(XML_Parser parser) : parser_(parser) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, &TreeBuilder::on_start, &TreeBuilder::on_end);
    XML_SetCharacterDataHandler(parser, &TreeBuilder::on_text);
    XML_SetEntityDeclHandler(parser, &TreeBuilder::on_entity);
  }

  const std::optional<Error>& refused() const { return refused_; }
  XmlElement take() { return std::move(root_); }

 private:
  static TreeBuilder& self(void* data) { return *static_cast<TreeBuilder*>(data); }

  static void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
    TreeBuilder& builder = self(data);
    if (builder.open_.size() >= kMostDepth) return builder.refuse(ErrorCode::limit, "its elements are nested too deep");
    if (++builder.elements_ > kMostElements) return builder.refuse(ErrorCode::limit, "it has too many elements");
    XmlElement element;
    element.name = name;
    element.line = XML_GetCurrentLineNumber(builder.parser_);
    for (size_t i = 0; attributes[i] != nullptr; i += 2)
      element.attributes.emplace_back(attributes[i], attributes[i + 1]);
    builder.open_.push_back(std::move(element));
  }

  static void on_end(void* data, const XML_Char* /*name*/) {
    TreeBuilder& builder = self(data);
    if (builder.refused_ || builder.open_.empty()) return;
    XmlElement done = std::move(builder.open_.back());
    builder.open_.pop_back();
    if (builder.open_.empty())
      builder.root_ = std::move(done);
    else
      builder.open_.back().children.push_back(std::move(done));
  }

  static void on_text(void* data, const XML_Char* text, int length) {
    TreeBuilder& builder = self(data);
    if (!builder.open_.empty()) builder.open_.back().text.append(text, static_cast<size_t>(length));
  }

  static void on_entity(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                        const XML_Char*, const XML_Char*) {
    self(data).refuse(ErrorCode::parse,
                      "it declares entities of its own, which are not expanded: write out their text");
  }

  void refuse(ErrorCode code, std::string_view reason) {
    if (refused_) return;
    refused_ = Error{code, fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser_), reason)};
    XML_StopParser(parser_, XML_FALSE);
  }

  XML_Parser parser_;
  std::vector<XmlElement> open_;
  XmlElement root_;
  size_t elements_ = 0;
  std::optional<Error> refused_;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view attribute_name) const {
  const auto found = std::ranges::find_if(attributes, [&](const auto& one) { return one.first == attribute_name; });
  return found == attributes.end() ? nullptr : &found->second;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const auto found = std::ranges::find(children, child_name, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

Result<XmlElement> read_xml(std::string_view document) {
  if (document.size() > kMostXml) return fail(ErrorCode::limit, fmt::format("it is larger than {} bytes", kMostXml));
  const Parser parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) return fail(ErrorCode::limit, "there is no memory for reading XML");
  TreeBuilder builder(parser.get());
  const auto status = XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), XML_TRUE);
  if (builder.refused()) return std::unexpected(*builder.refused());
  if (status != XML_STATUS_OK)
    return fail(ErrorCode::parse,
                fmt::format("line {}: it is no well-formed XML: {}", XML_GetCurrentLineNumber(parser.get()),
                            XML_ErrorString(XML_GetErrorCode(parser.get()))));
  return builder.take();
}

}  // namespace caddis::heritrix
