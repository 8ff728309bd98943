// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/xml_reply.h"

#include <sstream>

namespace ferryman::sandbox {

namespace {

std::string written(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "", pugi::format_raw);
  std::string text = std::move(out).str();
  // A reader makes a line feed of a bare carriage return, which would change a message.
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at))
    text.replace(at, 1, "&#xD;");
  return text;
}

void declare(pugi::xml_document& document) {
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
}

}  // namespace

XmlReply::XmlReply(const AwsCall& call) {
  declare(document_);
  pugi::xml_node root = document_.append_child((call.operation + "Response").c_str());
  root.append_attribute("xmlns") = std::string(call.service->xml_namespace).c_str();
  if (call.speaks(AwsProtocol::ec2)) {
    add_text(root, "requestId", call.request_id);
    result_ = root;
    return;
  }
  result_ = root.append_child((call.operation + "Result").c_str());
  add_text(root.append_child("ResponseMetadata"), "RequestId", call.request_id);
}

void XmlReply::drop_result() {
  result_.parent().remove_child(result_);
}

std::string XmlReply::text() const {
  return written(document_);
}

void add_text(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).text().set(text.c_str());
}

void add_text(pugi::xml_node parent, const char* name, long long number) {
  parent.append_child(name).text().set(number);
}

std::string xml_refusal(const AwsCall& call, const Error& error, bool sender) {
  pugi::xml_document document;
  declare(document);
  if (call.speaks(AwsProtocol::ec2)) {
    pugi::xml_node root = document.append_child("Response");
    pugi::xml_node element = root.append_child("Errors").append_child("Error");
    add_text(element, "Code", error.code);
    add_text(element, "Message", error.text);
    add_text(root, "RequestID", call.request_id);
    return written(document);
  }
  pugi::xml_node root = document.append_child("ErrorResponse");
  if (call.service != nullptr)
    root.append_attribute("xmlns") = std::string(call.service->xml_namespace).c_str();
  pugi::xml_node element = root.append_child("Error");
  add_text(element, "Type", sender ? "Sender" : "Receiver");
  add_text(element, "Code", error.code);
  add_text(element, "Message", error.text);
  add_text(root, "RequestId", call.request_id);
  return written(document);
}

}  // namespace ferryman::sandbox
