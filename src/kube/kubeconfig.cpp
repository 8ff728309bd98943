// SPDX-License-Identifier: Apache-2.0
#include "kube/kubeconfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <boost/json/serialize.hpp>
#include <optional>
#include <vector>

#include "kube/base64.h"
#include "kube/config.h"
#include "kube/exec_plugin.h"
#include "net/url.h"

namespace ferryman::kube {

namespace {

/// What is wrong, where: thrown inside this file only, beside yaml-cpp's own exceptions.
class Wrong {
 public:
  explicit Wrong(std::string text_in, std::string code_in = {})
      : text(std::move(text_in)), code(std::move(code_in)) {}
  std::string text;
  std::string code;
};

struct Document {
  std::string path;
  YAML::Node root;
};

std::string text_at(const YAML::Node& map, const std::string& key) {
  const YAML::Node value = map[key];
  if (!value.IsDefined() || value.IsNull()) return {};
  if (!value.IsScalar()) throw Wrong(key + " must be a text");
  return value.Scalar();
}

/// A named entry of "clusters", "users" or "contexts", with the file that it stands in.
struct Entry {
  std::string path;
  YAML::Node body;

  [[nodiscard]] std::string text(const std::string& key) const { return text_at(body, key); }
  [[nodiscard]] bool has(const std::string& key) const {
    const YAML::Node value = body[key];
    return value.IsDefined() && !value.IsNull();
  }
  /// Relative paths start at the kubeconfig's own folder.
  [[nodiscard]] std::string resolve(const std::string& file) const {
    if (file.starts_with('/')) return file;
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? file : path.substr(0, slash + 1) + file;
  }
};

/// "there are "a", "b"": what could be meant.
std::string names_of(const std::vector<Document>& documents, const std::string& kind) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (const Document& document : documents) {
    const YAML::Node list = document.root[kind + "s"];
    if (!list.IsDefined() || !list.IsSequence()) continue;
    for (const YAML::Node& item : list) {
      const std::string name = item.IsMap() ? text_at(item, "name") : std::string();
      if (!name.empty() && names.size() < most) names.push_back(fmt::format("\"{}\"", name));
    }
  }
  return names.empty() ? "there are none" : fmt::format("there are {}", fmt::join(names, ", "));
}

Entry find_entry(const std::vector<Document>& documents, const std::string& kind, const std::string& name) {
  for (const Document& document : documents) {
    const YAML::Node list = document.root[kind + "s"];
    if (!list.IsDefined() || list.IsNull()) continue;
    if (!list.IsSequence()) throw Wrong(kind + "s must be a list");
    for (const YAML::Node& item : list) {
      if (!item.IsMap() || text_at(item, "name") != name) continue;
      const YAML::Node body = item[kind];
      if (!body.IsDefined() || !body.IsMap())
        throw Wrong(fmt::format("{} \"{}\" has no key {}", kind, name, kind));
      return {document.path, body};
    }
  }
  throw Wrong(fmt::format("there is no {} \"{}\"; {}", kind, name, names_of(documents, kind)),
              kind == "context" ? no_context : "");
}

std::string read_file(const Entry& entry, const std::string& key, Files& files) {
  const std::string path = entry.resolve(entry.text(key));
  auto text = files.read(path);
  if (!text) throw Wrong(fmt::format("{} {}: {}", key, path, text.error().text));
  return std::move(*text);
}

/// PEM from "key-data" (base64, it wins) or from the file that "key" names; empty when neither is there.
std::string read_pem(const Entry& entry, const std::string& key, Files& files) {
  const std::string data_key = key + "-data";
  std::string pem;
  if (entry.has(data_key)) {
    auto decoded = decode_base64(entry.text(data_key));
    if (!decoded) throw Wrong(data_key + " is not base64");
    pem = std::move(*decoded);
  } else if (entry.has(key)) {
    pem = read_file(entry, key, files);
  } else {
    return {};
  }
  if (pem.find("-----BEGIN ") == std::string::npos) throw Wrong(key + " holds nothing in PEM form");
  return pem;
}

std::string server_of(const Entry& cluster) {
  std::string server = cluster.text("server");
  if (server.empty()) throw Wrong("server is missing");
  while (server.ends_with('/')) server.pop_back();
  const auto url = net::parse_url(server);
  if (!url) throw Wrong("server: " + url.error().text);
  const bool loopback = url->host == "localhost" || url->host == "127.0.0.1" || url->host == "::1";
  if (url->scheme == "http" && !loopback) {
    throw Wrong(fmt::format("server: {} would carry credentials in the clear; use https://", server));
  }
  return server;
}

void read_cluster(const Entry& cluster, Files& files, Access& access, net::ConnectionProfile& profile) {
  access.server = server_of(cluster);
  const std::string insecure = cluster.text("insecure-skip-tls-verify");
  if (!insecure.empty() && insecure != "false") {
    throw Wrong(
        "insecure-skip-tls-verify is set, but certificates are always verified: remove it and put the "
        "cluster's authority into certificate-authority-data (and, if the name in its certificate is "
        "another, "
        "that name into tls-server-name)");
  }
  if (cluster.has("proxy-url"))
    throw Wrong("proxy-url is not supported: the API server must be reached directly");
  profile.ca_pem = read_pem(cluster, "certificate-authority", files);
  profile.server_name = cluster.text("tls-server-name");
}

void refuse_unsupported(const Entry& user) {
  const std::string cure = ": use a token, a tokenFile, exec or a client certificate";
  for (const char* key :
       {"auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra"}) {
    if (user.has(key)) throw Wrong(fmt::format("{} is not supported{}", key, cure));
  }
}

/// For plugins that ask for it (provideClusterInfo).
std::string cluster_info(const Access& access, const net::ConnectionProfile& profile) {
  json::object cluster{{"server", access.server}};
  if (!profile.server_name.empty()) cluster["tls-server-name"] = profile.server_name;
  if (!profile.ca_pem.empty()) cluster["certificate-authority-data"] = encode_base64(profile.ca_pem);
  return json::serialize(cluster);
}

void read_words(const YAML::Node& exec, Program& program) {
  const YAML::Node arguments = exec["args"];
  const YAML::Node variables = exec["env"];
  for (const YAML::Node& list : {arguments, variables}) {
    if (list.IsDefined() && !list.IsNull() && !list.IsSequence())
      throw Wrong("exec: args and env must be lists");
  }
  if (arguments.IsDefined()) {
    for (const YAML::Node& argument : arguments) program.arguments.push_back(argument.Scalar());
  }
  if (!variables.IsDefined()) return;
  for (const YAML::Node& variable : variables) {
    const std::string name = variable.IsMap() ? text_at(variable, "name") : std::string();
    if (name.empty()) throw Wrong("exec: each variable in env needs a name");
    program.variables[name] = text_at(variable, "value");
  }
}

ExecPlugin read_exec(const Entry& user, const Access& access, const net::ConnectionProfile& profile) {
  const YAML::Node exec = user.body["exec"];
  if (!exec.IsMap()) throw Wrong("exec must be a map");
  const std::string group = "client.authentication.k8s.io/";
  ExecPlugin plugin;
  plugin.api_version = text_at(exec, "apiVersion");
  if (plugin.api_version != group + "v1" && plugin.api_version != group + "v1beta1") {
    throw Wrong(
        fmt::format("exec: apiVersion \"{}\" is not supported: write {}v1 (a current \"aws eks "
                    "update-kubeconfig\" does)",
                    plugin.api_version, group));
  }
  plugin.program.command = text_at(exec, "command");
  if (plugin.program.command.empty()) throw Wrong("exec: command is missing");
  // As kubectl: a name alone is looked for in PATH, a relative path starts beside the kubeconfig.
  if (plugin.program.command.find('/') != std::string::npos)
    plugin.program.command = user.resolve(plugin.program.command);
  if (text_at(exec, "interactiveMode") == "Always")
    throw Wrong("exec: interactiveMode is Always, but nobody is there to answer");
  read_words(exec, plugin.program);
  plugin.install_hint = text_at(exec, "installHint");
  if (text_at(exec, "provideClusterInfo") == "true") plugin.cluster = cluster_info(access, profile);
  return plugin;
}

void read_user(const Entry& user, const TokenContext& tools, Access& access,
               net::ConnectionProfile& profile) {
  refuse_unsupported(user);
  Files& files = tools.files;
  profile.client_cert_pem = read_pem(user, "client-certificate", files);
  profile.client_key_pem = Secret(read_pem(user, "client-key", files));
  if (profile.client_cert_pem.empty() != profile.client_key_pem.empty()) {
    throw Wrong("client-certificate and client-key belong together, but one is missing");
  }
  // A file wins over a text beside it: it is the one that is renewed.
  if (user.has("tokenFile")) {
    access.token = token_file(user.resolve(user.text("tokenFile")), files, tools.clock);
  } else if (user.has("token")) {
    access.token = static_token(Secret(user.text("token")));
  } else if (user.has("exec")) {
    access.token = exec_token(read_exec(user, access, profile), tools);
  }
}

std::vector<Document> load(const std::string& paths, Files& files, std::string& where) {
  std::vector<Document> documents;
  const bool only_one = paths.find(':') == std::string::npos;
  for (std::size_t start = 0; start <= paths.size();) {
    const std::size_t end = std::min(paths.find(':', start), paths.size());
    const std::string path = paths.substr(start, end - start);
    start = end + 1;
    if (path.empty()) continue;
    where = "kubeconfig " + path;
    auto text = files.read(path);
    if (!text && text.error().fault == Fault::not_found && !only_one) continue;
    if (!text) {
      where.clear();  // the error names the file
      throw Wrong(text.error().text + "; name a file that can be read");
    }
    YAML::Node root = YAML::Load(*text);
    if (!root.IsMap()) throw Wrong("it is no YAML map");
    documents.push_back({path, std::move(root)});
  }
  where = "kubeconfig " + paths;
  if (documents.empty()) throw Wrong("none of these files exists; name one that does");
  return documents;
}

std::string current_context(const std::vector<Document>& documents) {
  for (const Document& document : documents) {
    const std::string name = text_at(document.root, "current-context");
    if (!name.empty()) return name;
  }
  throw Wrong("current-context is not set: name a context");
}

/// `where` grows as we go in, so that whatever is thrown is told with its place.
Access read_all(const std::string& paths, std::string context, const TokenContext& tools,
                std::string& where) {
  const std::vector<Document> documents = load(paths, tools.files, where);
  if (context.empty()) context = current_context(documents);
  const Entry chosen = find_entry(documents, "context", context);
  where = fmt::format("kubeconfig {}: context \"{}\"", chosen.path, context);
  const std::string in_context = where;
  Access access;
  auto profile = std::make_shared<net::ConnectionProfile>();
  profile->direct = true;
  const std::string cluster_name = chosen.text("cluster");
  const Entry cluster = find_entry(documents, "cluster", cluster_name);
  where = fmt::format("{}: cluster \"{}\"", in_context, cluster_name);
  read_cluster(cluster, tools.files, access, *profile);
  const std::string user_name = chosen.text("user");
  if (!user_name.empty()) {
    where = in_context;
    const Entry user = find_entry(documents, "user", user_name);
    where = fmt::format("{}: user \"{}\"", in_context, user_name);
    read_user(user, tools, access, *profile);
  }
  access.profile = std::move(profile);
  return access;
}

}  // namespace

Result<Access> read_kubeconfig(const std::string& paths, const std::string& context,
                               const TokenContext& tools) {
  std::string where = "kubeconfig " + paths;
  try {
    return read_all(paths, context, tools, where);
  } catch (const Wrong& wrong) {
    return Error(Fault::invalid, wrong.code, (where.empty() ? "" : where + ": ") + wrong.text);
  } catch (const YAML::ParserException& wrong) {
    return Error(Fault::invalid,
                 fmt::format("{}: not YAML, line {}: {}", where, wrong.mark.line + 1, wrong.msg));
  } catch (const YAML::Exception&) {
    return Error(Fault::invalid, where + ": a key has a value of the wrong type");
  }
}

}  // namespace ferryman::kube
