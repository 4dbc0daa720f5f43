package dev.muster.schema;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.TypedReader.Typed;
import dev.muster.wire.Document;
import org.jspecify.annotations.Nullable;

/** How objects of a kind are read. Immutable; safe for any thread. */
public interface ObjectForm {

  /** The structure by which patches are merged and fields are owned. */
  StructShape shape();

  /**
   * Reads a document that somebody sent.
   *
   * @param origin an object in its normal form of which the document was made, or null; parts that
   *     both share are not read again
   * @throws dev.muster.wire.DecodeException when it cannot be read, with Go's message
   */
  Typed read(Document document, @Nullable JsonObject origin);

  /**
   * The object in the one form in which it is stored.
   *
   * @param origin as in {@link #read}
   * @throws dev.muster.wire.DecodeException when it cannot be read, with Go's message
   */
  JsonObject normal(JsonObject object, @Nullable JsonObject origin);

  /** The form of a struct: what it does not have is dropped. */
  static ObjectForm of(StructShape shape) {
    return new OfStruct(shape);
  }

  /** See {@link TypedReader}. */
  record OfStruct(StructShape shape) implements ObjectForm {
    @Override
    public Typed read(Document document, @Nullable JsonObject origin) {
      return TypedReader.read(shape, document, origin);
    }

    @Override
    public JsonObject normal(JsonObject object, @Nullable JsonObject origin) {
      return TypedReader.normal(shape, object, origin);
    }
  }
}
