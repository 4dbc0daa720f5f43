package dev.muster.validation.schema;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.EmptyFields;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.util.function.Consumer;

/** Decodes the metadata of custom objects. */
public final class SentMetadata {
  public static final StructShape SHAPE = Schemas.struct(Schemas.META + "ObjectMeta");
  private static final String UNKNOWN = "unknown field \"";

  private SentMetadata() {}

  /**
   * Decodes metadata to canonical form.
   *
   * @param kept fields that are kept when they are empty
   * @param lenient whether to drop unreadable members
   * @param unknown receives unknown fields
   * @throws DecodeException with Go's message when it is unreadable
   */
  public static JsonObject read(
      Json metadata, EmptyFields kept, boolean lenient, Consumer<String> unknown) {
    try {
      return read(metadata, kept, unknown);
    } catch (DecodeException e) {
      if (!lenient || !(metadata instanceof JsonObject members)) {
        throw e;
      }
      var good = members;
      for (int i = 0; i < members.size(); i++) {
        var name = members.key(i);
        if (!isReadable(JsonObject.of(name, members.value(i)))) {
          good = good.without(name);
        }
      }
      return read(good, kept, unknown);
    }
  }

  private static JsonObject read(Json metadata, EmptyFields kept, Consumer<String> unknown) {
    var typed = TypedReader.read(SHAPE, new Document(metadata), null, kept);
    for (var complaint : typed.complaints()) {
      if (complaint.startsWith(UNKNOWN)) {
        unknown.accept(complaint.substring(UNKNOWN.length(), complaint.length() - 1));
      }
    }
    return typed.object();
  }

  private static boolean isReadable(JsonObject metadata) {
    try {
      TypedReader.read(SHAPE, new Document(metadata));
      return true;
    } catch (DecodeException e) {
      return false;
    }
  }

  /** Decoded metadata in the form in which it is stored. */
  public static JsonObject normal(JsonObject metadata) {
    return TypedReader.normal(SHAPE, metadata);
  }
}
