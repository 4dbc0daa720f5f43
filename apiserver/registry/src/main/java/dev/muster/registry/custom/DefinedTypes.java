package dev.muster.registry.custom;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.IndexedField;
import dev.muster.types.ApiPriority;
import dev.muster.types.Deprecation;
import dev.muster.types.ServedType;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.VersionOrder;
import dev.muster.types.select.SelectableFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the types of one definition. Only one thread uses it, once. */
final class DefinedTypes {
  /** Custom groups follow all built-in ones. */
  private static final ApiPriority PRIORITY = new ApiPriority(1_000, 100);

  private final JsonObject spec;
  private final Definition definition;
  private final GroupVersionKind stored;
  private final Map<String, CustomForm> forms = new LinkedHashMap<>();
  private final CustomConverter converter;
  private final CustomDecoder decoder;

  /**
   * @param tree the definition's tree or its outline
   */
  DefinedTypes(JsonObject tree, Definition definition, WebhookConversion webhooks) {
    this.spec = tree.object("spec");
    this.definition = definition;
    this.stored = definition.stored(spec);
    for (var version : spec.array("versions").objects()) {
      var name = version.string("name");
      var schema = Objects.requireNonNull(definition.schemas().get(name));
      var selectable = selectable(version).stream().map(DefinedTypes::field).toList();
      forms.put(name, new CustomForm(name(name), schema, selectable));
    }
    boolean calls = spec.object("conversion").string("strategy").equals("Webhook");
    this.converter =
        new CustomConverter(
            forms,
            calls
                ? (objects, apiVersion) ->
                    webhooks.convert(definition.object(), objects, apiVersion)
                : null);
    this.decoder = new CustomDecoder(stored.groupKind(), forms, stored.version());
  }

  /** The name of a kind in OpenAPI documents, which begins with the reversed group. */
  private String name(String version) {
    var parts = new ArrayList<>(List.of(definition.group().split("\\.")));
    Collections.reverse(parts);
    return String.join(".", parts) + "." + version + "." + definition.names().kind();
  }

  /**
   * The types of all versions that are served or stored.
   *
   * @param served whether the definition is served
   * @param former the previous types. Their objects are not decoded again if the decoding stays the
   *     same
   */
  List<ServedType> types(boolean served, List<ServedType> former) {
    var builders = new ArrayList<ServedTypeBuilder>();
    for (var version : spec.array("versions").objects()) {
      if (version.isTrue("served") || version.isTrue("storage")) {
        builders.add(builder(version, served && version.isTrue("served"), former));
      }
    }
    return ServedTypeBuilder.build(builders);
  }

  private ServedTypeBuilder builder(JsonObject version, boolean served, List<ServedType> former) {
    var name = version.string("name");
    var kind = definition.kind(name);
    var names = definition.names();
    var schema = Objects.requireNonNull(definition.schemas().get(name));
    var form = Objects.requireNonNull(forms.get(name));
    boolean hasStatus = version.object("subresources").has("status");
    var scale = ScaleRules.of(version);
    boolean namespaced = spec.string("scope").equals("Namespaced");
    var builder =
        new ServedTypeBuilder(
                kind,
                names.plural(),
                namespaced,
                form,
                new CustomStrategy(kind, namespaced, schema, form, hasStatus, scale))
            .singular(names.singular())
            .listKind(names.listKind())
            .shortNames(names.shortNames())
            .categories(names.categories())
            .storage("/" + definition.group() + "/" + names.plural())
            .definedBy(definition, stored, converter)
            .served(served)
            .priority(PRIORITY)
            .table(PrinterColumns.of(version))
            .resets("status", "metadata", "spec");
    if (hasStatus) {
      builder.status();
    }
    if (scale.isPresent()) {
      builder.scale(scale.paths());
    }
    deprecate(builder, version);
    selectable(builder, version, schema, namespaced);
    collect(builder, former, version);
    return builder;
  }

  private static void selectable(
      ServedTypeBuilder builder, JsonObject version, VersionSchema schema, boolean namespaced) {
    var paths = selectable(version);
    var fields = SelectableFields.custom(paths, namespaced);
    builder.selectable(fields);
    var source = paths.isEmpty() ? JsonObject.EMPTY : schema.source();
    for (var path : paths) {
      var field = field(path);
      builder.index(
          isText(source, field)
              ? IndexedField.at(field)
              : new IndexedField(field, object -> fields.value(object.tree(), field)));
    }
  }

  private static List<String> selectable(JsonObject version) {
    return version.array("selectableFields").objects().stream()
        .map(field -> field.string("jsonPath"))
        .toList();
  }

  /** The name of a field in field selectors. */
  private static String field(String path) {
    return path.startsWith(".") ? path.substring(1) : path;
  }

  private static boolean isText(JsonObject schema, String field) {
    var part = schema;
    for (var name : field.split("\\.")) {
      part = part.object("properties", name);
    }
    return part.string("type").equals("string");
  }

  /** Keeps the stored objects of the previous types if decoding and indexes stay the same. */
  private void collect(ServedTypeBuilder builder, List<ServedType> former, JsonObject version) {
    builder.decoder(decoder);
    var selectable = version.get("selectableFields");
    for (var type : former) {
      if (type.definition() instanceof Definition before
          && type.isStoredVersion()
          && type.stored().equals(stored)
          && type.storage().equals("/" + definition.group() + "/" + definition.names().plural())
          && before.schemas().equals(definition.schemas())
          && (before.showsTheSameAs(definition)
              || before.hasSpecOf(definition.object())
              || Objects.equals(selectable, selectableBefore(before, type)))) {
        builder.collection(type.collection());
      }
    }
  }

  private static @Nullable Json selectableBefore(Definition before, ServedType type) {
    for (var version :
        Definition.outline(before.object()).object("spec").array("versions").objects()) {
      if (version.string("name").equals(type.kind().version())) {
        return version.get("selectableFields");
      }
    }
    return null;
  }

  private void deprecate(ServedTypeBuilder builder, JsonObject version) {
    if (!version.isTrue("deprecated")) {
      return;
    }
    builder.deprecated(
        new Deprecation(
            version.has("deprecationWarning")
                ? version.string("deprecationWarning")
                : warning(version.string("name")),
            ""));
  }

  /** The deprecation warning, which recommends the best version that is not deprecated. */
  private String warning(String deprecated) {
    var better =
        spec.array("versions").objects().stream()
            .filter(version -> version.isTrue("served") && !version.isTrue("deprecated"))
            .map(version -> version.string("name"))
            .filter(name -> VersionOrder.PREFERRED_FIRST.compare(name, deprecated) < 0)
            .min(VersionOrder.PREFERRED_FIRST);
    var kind = definition.names().kind();
    var warning = definition.group() + "/" + deprecated + " " + kind + " is deprecated";
    return better
        .map(name -> warning + "; use " + definition.group() + "/" + name + " " + kind)
        .orElse(warning);
  }
}
