// Every refusal of the plugin host: a hostile library each, the message word by word.
#include <doctest/doctest.h>

#include "manifest_for.h"

using namespace trammel;

namespace {

std::string message_of(const std::filesystem::path& folder) {
  try {
    PluginHost host({{folder, "test"}});
    host.find(ComponentKind::function, Host::any, "hostile");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::plugin);
    return error.what();
  }
  return "accepted";
}

/// What the host says of fixture `id` beside a changed manifest, after "<path>: ".
std::string refusal(
    const std::string& id, const std::function<void(PluginInfo&)>& change = [](PluginInfo&) {}) {
  const TemporaryFolder folder;
  const std::string start = place(id, folder.path(), change).string() + ": ";
  const std::string message = message_of(folder.path());
  CHECK(message.starts_with(start));
  return message.substr(std::min(start.size(), message.size()));
}

const std::string rebuild = "; rebuild the plugin with this Trammel's SDK";

}  // namespace

TEST_CASE("the fixtures are refused for what was spoilt and for nothing else") {
  const TemporaryFolder folder;
  place("acceptable", folder.path());
  CHECK(message_of(folder.path()) == "accepted");
}

TEST_CASE("descriptor fields, in the order in which they are read") {
  CHECK(refusal("wrong_magic") == "refused: magic is 0x0000000000001234, a Trammel plugin has 0x314c454d4d415254");
  CHECK(refusal("short_struct") ==
        "refused: struct_size is 16, this Trammel has " + std::to_string(sizeof(PluginDescriptor)) + rebuild);
  CHECK(refusal("wrong_epoch") ==
        "refused: interface_epoch is 999, this Trammel has " + std::to_string(interface_epoch) + rebuild);
  CHECK(refusal("newer_minor") == "refused: sdk_minor is 99, this Trammel has " + std::to_string(sdk_minor) +
                                      ": the plugin needs a newer Trammel");
  CHECK(refusal("no_abi_tag") == "refused: ABI field 'pointer_bytes' is 'absent', this Trammel has '8'" + rebuild);
  CHECK(refusal("other_id") == "refused: id is 'someone', the file's name says 'other_id'");
  CHECK(refusal("no_components") == "refused: component_count is 0, valid are 1 to 10000 with records");
}

TEST_CASE("component records") {
  CHECK(refusal("short_record") == "refused: component 0: struct_size is 8, this Trammel has " +
                                       std::to_string(sizeof(ComponentRecord)) + rebuild);
  CHECK(refusal("wrong_kind") ==
        "refused: component 0: kind is 'acme.widget/1', this Trammel knows 'trammel.system/1', "
        "'trammel.constraint/1', 'trammel.force/1', 'trammel.formulation/1', 'trammel.integrator/1', "
        "'trammel.function/1', 'trammel.metric/1', 'trammel.writer/1', 'trammel.analysis/1', "
        "'trammel.linear_solver/1', 'trammel.importer/1'");
  CHECK(refusal("camel_type") == "refused: component 0: type 'HostileType' is not [vendor.]snake_case");
  CHECK(refusal("twin_types") == "refused: component 1: function 'hostile' is declared twice for host 'any'");
  CHECK(refusal("no_create") == "refused: component 0: 'hostile' lacks create or destroy");
}

TEST_CASE("parameter tables") {
  const std::string start = "refused: component 0: 'hostile' parameter ";
  CHECK(refusal("outside_struct") == start + "'width': its field ends at byte 24 of a struct of 16");
  CHECK(refusal("misaligned_field") == start + "'width': its offset 4 is not a multiple of 8");
  CHECK(refusal("overlapping_fields") == start + "'width': its field overlaps that of 'length'");
  CHECK(refusal("camel_parameter") == start + "0: its name 'Length' is not snake_case");
  CHECK(refusal("twin_parameters") == start + "'length': it is declared twice");
  CHECK(refusal("broken_default") == start + "'width': its default '[1' is not JSON");
  CHECK(refusal("unknown_default") == start + "'width': its default '=height' does not refer to an earlier parameter");
  CHECK(refusal("choice_without_words") == start + "'width': choices and type do not go together");
}

TEST_CASE("each field of the ABI tag") {
  std::string_view rest(abi_tag.data, abi_tag.size);
  int fields = 0;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const std::string field(line.substr(0, line.find('='))), value(line.substr(line.find('=') + 1));
    CAPTURE(field);
    const std::string expected =
        "refused: ABI field '" + field + "' is 'not_" + value + "', this Trammel has '" + value + "'" + rebuild;
    setenv("ABI_LIAR_FIELD", field.c_str(), 1);
    CHECK(refusal("abi_liar") == expected);
    // The manifest alone suffices: the foreign library's code is not even loaded (it would crash).
    const auto lie = [&](PluginInfo& plugin) {
      // One field may end as another one is called.
      const std::size_t at = plugin.abi_tag.rfind(line, 0) == 0 ? 0 : plugin.abi_tag.find("\n" + std::string(line)) + 1;
      plugin.abi_tag.insert(at + field.size() + 1, "not_");
    };
    CHECK(refusal("crashes_at_load", lie) == expected);
    ++fields;
  }
  CHECK(fields >= 8);
}

TEST_CASE("files that are no plugins") {
  CHECK(refusal("no_symbol") == "refused: it does not export 'trammel_plugin': not a Trammel plugin");
  const std::string undefined = refusal("undefined_symbol");
  CHECK(undefined.starts_with("refused: it cannot be loaded: "));
  CHECK(undefined.ends_with("undefined symbol: nobody_defines_this"));

  const TemporaryFolder folder;
  const std::filesystem::path library = place("acceptable", folder.path());
  const auto whole = std::filesystem::file_size(library);
  for (const std::uintmax_t bytes : {whole - 8, whole / 2, std::uintmax_t{100}}) {
    std::filesystem::resize_file(library, bytes);
    CHECK(message_of(folder.path()) ==
          library.string() + ": refused: the file is truncated after " + std::to_string(bytes) + " bytes");
  }
  write_text(library, "not a library");
  CHECK(message_of(folder.path()) == library.string() + ": refused: the file is not a shared library (no ELF header)");
  write_text(library, "");
  CHECK(message_of(folder.path()) == library.string() + ": refused: the file is empty or cannot be read");
}

TEST_CASE("a library that throws while it is loaded ends with a message") {
  // The exception passes through the loader, which cannot unload what is half loaded; it stays pinned.
  const ProcessResult result = [] {
    const TemporaryFolder folder;
    place("throws_at_load", folder.path());
    return run_process("'" TRAMMEL_DRIVER "' '" + folder.path().string() + "' hostile");
  }();
  CHECK(result.code == 3);
  CHECK(result.err.find("throws_at_load") != std::string::npos);
  CHECK(result.err.find("at load") != std::string::npos);
}

TEST_CASE("manifests that lie") {
  CHECK(refusal("acceptable", [](PluginInfo& p) { p.build_id = "00"; }).starts_with("refused: its build-id is '"));
  CHECK(refusal("acceptable", [](PluginInfo& p) { p.version = "2.0.0"; })
            .starts_with("refused: its manifest does not describe it: /version is \"2.0.0\" in the manifest, "
                         "\"1.0.0\" in the library; run 'trammel-sidecar "));
  CHECK(refusal("acceptable", [](PluginInfo& p) { p.components[0].parameters[1].default_json = "5"; })
            .starts_with("refused: its manifest does not describe it: /components/0/parameters/1/default_json is \"5\" "
                         "in the manifest, \"1\" in the library; run"));
  CHECK(refusal("acceptable", [](PluginInfo& p) { p.components.pop_back(); })
            .starts_with("refused: its manifest does not describe it: /components is a list of 1 in the manifest, "
                         "a list of 2 in the library; run"));
}
