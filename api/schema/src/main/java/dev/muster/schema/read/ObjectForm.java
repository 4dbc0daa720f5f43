package dev.muster.schema.read;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader.Typed;
import dev.muster.wire.Document;
import org.jspecify.annotations.Nullable;

/** How objects of a kind are read. Immutable; safe for any thread. */
public interface ObjectForm {

  /** The structure by which patches are merged and fields are owned. */
  StructShape shape();

  /**
   * Reads a document that somebody sent. Keeps what is empty where that is not the same as none
   * ({@link EmptyFields}).
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

  /** As {@link #normal}, but keeps what {@link #read} keeps, for whoever judges the object. */
  default JsonObject normalWithEmpties(JsonObject object, @Nullable JsonObject origin) {
    return normal(object, origin);
  }

  /**
   * The object without what {@link #read} keeps, as it is stored and as others see it; looks at no
   * other fields.
   */
  default JsonObject withoutEmpties(JsonObject object) {
    return object;
  }

  /** The form of a struct: what it does not have is dropped. */
  static ObjectForm of(StructShape shape) {
    return of(shape, EmptyFields.NONE);
  }

  /**
   * The form of a struct.
   *
   * @param empties where an empty list or map is not the same as none
   */
  static ObjectForm of(StructShape shape, EmptyFields empties) {
    return new OfStruct(shape, empties, empties.and(OfStruct.OWNERS));
  }

  /**
   * See {@link TypedReader}.
   *
   * @param empties where an empty list or map is not the same as none for a rule
   * @param kept the same and the managed fields, which a client takes away by sending none
   */
  record OfStruct(StructShape shape, EmptyFields empties, EmptyFields kept) implements ObjectForm {
    private static final EmptyFields OWNERS = EmptyFields.at("metadata.managedFields");

    @Override
    public Typed read(Document document, @Nullable JsonObject origin) {
      return TypedReader.read(shape, document, origin, kept);
    }

    @Override
    public JsonObject normalWithEmpties(JsonObject object, @Nullable JsonObject origin) {
      return TypedReader.normal(shape, object, origin, empties);
    }

    @Override
    public JsonObject withoutEmpties(JsonObject object) {
      return empties.dropped(shape, object);
    }

    @Override
    public JsonObject normal(JsonObject object, @Nullable JsonObject origin) {
      return TypedReader.normal(shape, object, origin);
    }
  }
}
