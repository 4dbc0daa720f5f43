package dev.muster.admission.manifest;

import dev.muster.model.GroupVersion;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads the manifests of one plugin with the API's decoding and validation. It refuses features
 * that need API objects: parameters, and webhooks behind a service. Not thread-safe.
 */
final class ManifestReader {
  static final String SUFFIX = ".static.k8s.io";
  private static final GroupVersion VERSION = GroupVersion.parse("admissionregistration.k8s.io/v1");

  private final ManifestPlugin plugin;
  private final Types types;
  private final Map<String, Path> names = new HashMap<>();
  private final Map<String, Path> bindingNames = new HashMap<>();
  private final List<JsonObject> objects = new ArrayList<>();
  private final List<JsonObject> bindings = new ArrayList<>();

  private ManifestReader(ManifestPlugin plugin, Types types) {
    this.plugin = plugin;
    this.types = types;
  }

  /**
   * @param types the built-in types
   * @throws IllegalArgumentException when one of the files cannot be used
   */
  static ManifestSet read(ManifestPlugin plugin, Path directory, Types types) {
    var reader = new ManifestReader(plugin, types);
    var folder = ManifestFolder.read(directory);
    for (var one : folder.documents()) {
      reader.accept(one.file(), one.document(), one.object());
    }
    reader.checkReferences();
    return new ManifestSet(sorted(reader.objects), sorted(reader.bindings), folder.hash());
  }

  static IllegalArgumentException wrong(Path file, String problem) {
    return new IllegalArgumentException("error loading " + file + ": " + problem);
  }

  private static List<JsonObject> sorted(List<JsonObject> objects) {
    return objects.stream().sorted(Comparator.comparing(ManifestReader::name)).toList();
  }

  private static String name(JsonObject object) {
    return object.object("metadata").string("name");
  }

  private void accept(Path file, Document document, JsonObject object) {
    var kind = object.string("kind");
    var version = object.string("apiVersion");
    boolean ours = version.equals(VERSION.toString());
    boolean list = ours && (kind.equals(plugin.kind() + "List") || isBindingList(kind));
    if (list || (version.equals("v1") && kind.equals("List"))) {
      for (var item : object.array("items").objects()) {
        var whole =
            list && item.string("kind").isEmpty()
                ? item.with("kind", kind.substring(0, kind.length() - "List".length()))
                    .with("apiVersion", version)
                : item;
        accept(file, new Document(whole), whole);
      }
    } else if (ours && kind.equals(plugin.kind())) {
      objects.add(checked(file, read(file, document, kind), names));
    } else if (ours && plugin.isPolicy() && kind.equals(plugin.bindingKind())) {
      bindings.add(checked(file, read(file, document, kind), bindingNames));
    } else {
      throw wrong(
          file,
          "unsupported resource type %s of %s"
              .formatted(GoText.quote(kind), GoText.quote(version)));
    }
  }

  private boolean isBindingList(String kind) {
    return plugin.isPolicy() && kind.equals(plugin.bindingKind() + "List");
  }

  private JsonObject read(Path file, Document document, String kind) {
    ServedType type = types.ofKind(VERSION.kind(kind));
    if (type == null) {
      throw wrong(file, VERSION + " is not served");
    }
    JsonObject object;
    try {
      var typed = type.form().read(document, null);
      if (!typed.complaints().isEmpty()) {
        throw wrong(file, "strict decoding error: " + String.join(", ", typed.complaints()));
      }
      object = type.strategy().defaults(typed.object());
    } catch (DecodeException e) {
      throw wrong(file, e.text());
    }
    var errors = new ArrayList<FieldError>();
    type.strategy().validateCreate(object, errors);
    if (!errors.isEmpty()) {
      throw wrong(
          file,
          kind
              + " "
              + GoText.quote(name(object))
              + ": "
              + errors.stream().map(FieldError::toString).collect(Collectors.joining(", ")));
    }
    return type.form().withoutEmpties(object);
  }

  private JsonObject checked(Path file, JsonObject object, Map<String, Path> seen) {
    var name = name(object);
    var place = GoText.quote(file.toString());
    if (!name.endsWith(SUFFIX)) {
      throw wrong(
          file,
          "%s in file %s must have a name ending with %s"
              .formatted(GoText.quote(name), place, GoText.quote(SUFFIX)));
    }
    var before = seen.put(name, file);
    if (before != null) {
      throw wrong(
          file,
          "duplicate name %s found in file %s (previously seen in %s)"
              .formatted(GoText.quote(name), place, GoText.quote(before.toString())));
    }
    if (!plugin.isPolicy()) {
      checkClients(file, object);
    } else if (seen == bindingNames) {
      checkBinding(file, name, object.object("spec"));
    } else if (object.object("spec").has("paramKind")) {
      throw wrong(
          file,
          "%s %s: spec.paramKind is not supported for static manifests"
              .formatted(plugin.kind(), GoText.quote(name)));
    }
    return object;
  }

  /**
   * Refuses service references: services are API objects, and may not exist yet when the manifests
   * apply.
   */
  private static void checkClients(Path file, JsonObject configuration) {
    for (var webhook : configuration.array("webhooks").objects()) {
      var client = webhook.object("clientConfig");
      var which =
          "webhook %s in %s (file %s): "
              .formatted(
                  GoText.quote(webhook.string("name")),
                  GoText.quote(name(configuration)),
                  GoText.quote(file.toString()));
      if (client.has("service")) {
        throw wrong(
            file,
            which
                + "clientConfig.service is not supported for static manifests; use clientConfig.url"
                + " instead");
      }
      if (client.string("url").isEmpty()) {
        throw wrong(file, which + "clientConfig.url is required for static manifests");
      }
    }
  }

  private static void checkBinding(Path file, String name, JsonObject spec) {
    var policy = spec.string("policyName");
    if (!policy.endsWith(SUFFIX)) {
      throw wrong(
          file,
          "binding %s: spec.policyName %s must end with %s"
              .formatted(GoText.quote(name), GoText.quote(policy), GoText.quote(SUFFIX)));
    }
    if (spec.has("paramRef")) {
      throw wrong(
          file,
          "binding %s: spec.paramRef is not supported for static manifests"
              .formatted(GoText.quote(name)));
    }
  }

  private void checkReferences() {
    for (var binding : bindings) {
      var policy = binding.object("spec").string("policyName");
      if (!names.containsKey(policy)) {
        throw new IllegalArgumentException(
            "binding %s references policy %s which does not exist in the manifest directory"
                .formatted(GoText.quote(name(binding)), GoText.quote(policy)));
      }
    }
  }
}
