// WrittenDocument: a document as somebody wrote it, to make run files from, again and again.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "config/json_source.h"
#include "config/node.h"

namespace trammel {

/// Of a file it is the text, which takes a tenth of the memory of its values. Copies share it.
class WrittenDocument {
 public:
  WrittenDocument() = default;
  explicit WrittenDocument(Node document) : document_(std::make_shared<const Node>(std::move(document))) {}
  /// `source`: for the places of messages, as in parse_json.
  WrittenDocument(std::string text, std::string source)
      : text_(std::make_shared<const std::string>(std::move(text))), source_(std::move(source)) {}

  /// The document; throws JsonSyntaxError where a text is not one.
  Node read() const { return text_ != nullptr ? parse_json(*text_, source_) : *document_; }

 private:
  std::shared_ptr<const Node> document_;
  std::shared_ptr<const std::string> text_;
  std::string source_;
};

}  // namespace trammel
