package dev.muster.patch.ownership;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.Tree;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An endpoint of a built-in kind without defaults or storage; a second passes at each request. */
final class Endpoint {
  final StructShape shape;
  private final String apiVersion;
  private final FieldOwnership ownership;
  private long seconds;
  @Nullable JsonObject live;

  Endpoint(String apiVersion, String kind, String... reset) {
    this(apiVersion, kind, "", FieldFilter.without(FieldSet.of(reset)));
  }

  Endpoint(String apiVersion, String kind, String subresource, FieldFilter reset) {
    var gvk = GroupVersion.parse(apiVersion).kind(kind);
    this.apiVersion = apiVersion;
    shape = Objects.requireNonNull(Schemas.of(gvk));
    ownership = new FieldOwnership(shape, gvk, subresource, reset, Versions.ONE);
  }

  static Endpoint configMaps() {
    return new Endpoint("v1", "ConfigMap");
  }

  JsonObject live() {
    return Objects.requireNonNull(live);
  }

  private Instant now() {
    return Instant.EPOCH.plusSeconds(seconds++);
  }

  /** An object of this kind: apiVersion, kind and name, and the given members. */
  JsonObject object(String members) {
    var given = Tree.object(members);
    var metadata = JsonObject.of("name", "a").toBuilder();
    given.object("metadata").keys().forEach(key -> metadata.put(key, at(given, key)));
    var object =
        JsonObject.of("apiVersion", apiVersion, "kind", simpleKind(), "metadata", metadata.build());
    for (int i = 0; i < given.size(); i++) {
      if (!given.key(i).equals("metadata")) {
        object = object.with(given.key(i), given.value(i));
      }
    }
    return object;
  }

  private static Json at(JsonObject given, String key) {
    return Objects.requireNonNull(given.object("metadata").get(key));
  }

  private String simpleKind() {
    return shape.simpleName();
  }

  /** Creates or replaces the object; what the stored one has of managedFields is sent along. */
  JsonObject write(String manager, String members) {
    return write(manager, TypedReader.normal(shape, object(members)));
  }

  JsonObject write(String manager, JsonObject object) {
    var before = live;
    var sent = object;
    if (before != null) {
      sent = sent.withAt(Json.of("u"), "metadata", "uid");
      var managed = before.at("metadata", "managedFields");
      if (managed != null && !sent.object("metadata").has("managedFields")) {
        sent = sent.withAt(managed, "metadata", "managedFields");
      }
    }
    return store(ownership.afterWrite(before, sent, manager, now()));
  }

  JsonObject apply(String manager, String members) {
    return store(ownership.apply(live, object(members), manager, false, now()).object());
  }

  JsonObject force(String manager, String members) {
    return store(ownership.apply(live, object(members), manager, true, now()).object());
  }

  ApplyResult result(String manager, JsonObject applied) {
    return ownership.apply(live, applied, manager, false, now());
  }

  private JsonObject store(JsonObject object) {
    var stored = TypedReader.normal(shape, object.withAt(Json.of("u"), "metadata", "uid"));
    live = stored;
    return stored;
  }

  /** The managers with the second of their last change and what they own, a line each. */
  String owners() {
    var out = new StringBuilder();
    for (var entry : live().object("metadata").array("managedFields").objects()) {
      var time = entry.string("time");
      out.append(entry.string("manager"))
          .append(' ')
          .append(entry.string("operation"))
          .append(entry.has("subresource") ? "/" + entry.string("subresource") : "")
          .append(' ')
          .append(time.isEmpty() ? "-" : Instant.parse(time).getEpochSecond())
          .append(' ')
          .append(entry.object("fieldsV1").toString().replace("\\\"", "`").replace('"', '\''))
          .append('\n');
    }
    return out.toString();
  }
}
