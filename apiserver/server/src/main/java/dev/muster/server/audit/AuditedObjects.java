package dev.muster.server.audit;

import dev.muster.audit.AuditedObject;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.server.answer.Encoders;
import dev.muster.wire.Bytes;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates the objects of audit events from request and response bodies or from trees. */
final class AuditedObjects {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  /** An estimate of the memory of a small tree besides its texts. */
  private static final int TREE = 4096;

  private AuditedObjects() {}

  /**
   * @param bytes of the body from which the tree was parsed
   */
  static AuditedObject of(JsonObject tree, int bytes, boolean omitManagedFields) {
    return new AuditedObject(
        TREE + bytes, () -> JsonWriter.bytes(omitManagedFields ? shortened(tree) : tree));
  }

  /** A patch as it was sent, as JSON; null when it cannot be parsed. */
  static AuditedObject patch(String contentType, byte[] body) {
    var encoding =
        contentType.contains("yaml")
            ? Encoding.YAML
            : contentType.contains("cbor") ? Encoding.CBOR : Encoding.JSON;
    return decoded(encoding, body);
  }

  /** An object as it was sent, as JSON; null when it cannot be parsed. */
  static AuditedObject sent(String contentType, byte[] body) {
    var encoding = encoding(contentType);
    return decoded(encoding == null ? Encoding.JSON : encoding, body);
  }

  private static AuditedObject decoded(Encoding encoding, byte[] body) {
    return new AuditedObject(
        body.length,
        () -> {
          try {
            return JsonWriter.bytes(Encoders.decode(encoding, body).value());
          } catch (DecodeException e) {
            return NULL;
          }
        });
  }

  /** The object of the response; null when the response is not an object. */
  static @Nullable AuditedObject answer(
      String contentType, List<byte[]> body, boolean omitManagedFields) {
    var encoding = encoding(contentType);
    if (encoding == null) {
      return null;
    }
    int length = 0;
    for (var piece : body) {
      length = Math.addExact(length, piece.length);
    }
    return new AuditedObject(
        length,
        () -> {
          var whole = whole(body);
          if (encoding == Encoding.JSON) {
            return compact(whole, omitManagedFields);
          }
          var tree = Encoders.decode(encoding, whole).value();
          return JsonWriter.bytes(omitManagedFields ? shortened(tree) : tree);
        });
  }

  static @Nullable Encoding encoding(String contentType) {
    int end = contentType.indexOf(';');
    var type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "application/json" -> Encoding.JSON;
      case "application/yaml" -> Encoding.YAML;
      case "application/vnd.kubernetes.protobuf" -> Encoding.PROTOBUF;
      case "application/cbor" -> Encoding.CBOR;
      default -> null;
    };
  }

  private static byte[] whole(List<byte[]> body) {
    if (body.size() == 1) {
      return body.getFirst();
    }
    var out = new Bytes(1024);
    body.forEach(out::add);
    return out.toArray();
  }

  /** Responses of this server are compact already, except those that are indented for people. */
  private static byte[] compact(byte[] json, boolean omitManagedFields) {
    if (json.length == 0) {
      return NULL;
    }
    int end = json[json.length - 1] == '\n' ? json.length - 1 : json.length;
    if (!omitManagedFields && isOneLine(json, end)) {
      return end == json.length ? json : Arrays.copyOf(json, end);
    }
    var tree = JsonReader.read(json);
    return JsonWriter.bytes(omitManagedFields ? shortened(tree) : tree);
  }

  private static boolean isOneLine(byte[] json, int end) {
    for (int i = 0; i < end; i++) {
      if (json[i] == '\n' || json[i] == '\r') {
        return false;
      }
    }
    return true;
  }

  /** Removes managed fields: of an object, of the items of a list, or of the rows of a table. */
  private static Json shortened(Json value) {
    if (!(value instanceof JsonObject object)) {
      return value;
    }
    var shorter = object.withoutAt("metadata", "managedFields");
    if (shorter.get("items") instanceof JsonArray items) {
      shorter = shorter.with("items", items.map(AuditedObjects::unmanaged));
    }
    if (shorter.string("kind").equals("Table") && shorter.get("rows") instanceof JsonArray rows) {
      shorter =
          shorter.with(
              "rows",
              rows.map(
                  row ->
                      row instanceof JsonObject one && one.get("object") instanceof JsonObject shown
                          ? one.with("object", unmanaged(shown))
                          : row));
    }
    return shorter;
  }

  private static Json unmanaged(Json value) {
    return value instanceof JsonObject object
        ? object.withoutAt("metadata", "managedFields")
        : value;
  }
}
