package dev.muster.registry.custom;

import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.validation.schema.SchemaRuleTree;
import dev.muster.wire.JsonMembers;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonScanner;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The schema of one version of a custom resource. It is parsed from its definition on first use,
 * because most definitions of a cluster are never used. Thread-safe.
 */
final class VersionSchema {
  private static final byte[] NOTHING = {'{', '}'};

  private volatile StoredObject definition;
  private final String version;
  private final boolean keepsEverything;
  private final boolean isOpen;
  private volatile @Nullable Parts parts;
  private volatile @Nullable Rules rules;

  private record Parts(StructuralSchema schema, boolean hasEmbedded) {}

  private record Rules(@Nullable SchemaRuleTree found) {}

  /**
   * @param keepsEverything whether nothing is pruned, as {@code preserveUnknownFields} in old
   *     definitions
   * @param source the schema; not retained
   */
  VersionSchema(
      StoredObject definition, String version, boolean keepsEverything, JsonObject source) {
    this.definition = definition;
    this.version = version;
    this.keepsEverything = keepsEverything;
    this.isOpen = keepsEverything || source.isTrue("x-kubernetes-preserve-unknown-fields");
  }

  /**
   * Reads from a later state of the definition with the same schema, so that the former one can be
   * garbage-collected.
   */
  void follow(StoredObject later) {
    definition = later;
  }

  /** The schema in the definition; parsed on every call. */
  JsonObject source() {
    var known = definition.written();
    if (known == null) {
      return JsonReader.read(text()) instanceof JsonObject schema ? schema : JsonObject.EMPTY;
    }
    for (var one : known.tree().object("spec").array("versions").objects()) {
      if (one.string("name").equals(version)) {
        return schema(one);
      }
    }
    return JsonObject.EMPTY;
  }

  /** The encoded schema in the definition, found without parsing. */
  byte[] text() {
    var json = definition.json();
    var versions = new JsonMembers(json, JsonScanner.find(json, "spec", "versions"));
    while (versions.next()) {
      int name = JsonScanner.findIn(json, versions.value(), "name");
      if (JsonScanner.stringAt(json, name).equals(version)) {
        int start = JsonScanner.findIn(json, versions.value(), "schema", "openAPIV3Schema");
        return start < 0 || json[start] != '{'
            ? NOTHING
            : Arrays.copyOfRange(json, start, JsonScanner.afterValue(json, start, json.length));
      }
    }
    return NOTHING;
  }

  /** The schema of one version of a definition. */
  static JsonObject schema(JsonObject version) {
    return version.object("schema", "openAPIV3Schema");
  }

  boolean keepsEverything() {
    return keepsEverything;
  }

  /** Whether objects may have undeclared fields. */
  boolean isOpen() {
    return isOpen;
  }

  StructuralSchema structural() {
    return parts().schema();
  }

  /** Whether the schema embeds whole objects. */
  boolean hasEmbedded() {
    return parts().hasEmbedded();
  }

  private Parts parts() {
    var known = parts;
    if (known == null) {
      var schema = StructuralSchema.of(source());
      known = new Parts(schema, any(schema, StructuralSchema::isEmbedded));
      parts = known;
    }
    return known;
  }

  private static boolean any(
      @Nullable StructuralSchema schema, Predicate<StructuralSchema> wanted) {
    return schema != null
        && (wanted.test(schema)
            || any(schema.items(), wanted)
            || any(schema.additional(), wanted)
            || schema.properties().values().stream().anyMatch(part -> any(part, wanted)));
  }

  /** The validation rules of the schema, or null when it has none. */
  @Nullable SchemaRuleTree rules() {
    var known = rules;
    if (known == null) {
      boolean any = any(structural(), part -> !part.rules().isEmpty() || !part.allOf().isEmpty());
      known = new Rules(any ? SchemaRuleTree.of(source()) : null);
      rules = known;
    }
    return known.found();
  }
}
