package dev.muster.schema.read;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader.Typed;
import dev.muster.wire.Document;
import org.jspecify.annotations.Nullable;

/** Reads the objects of a kind into their canonical form. Immutable and thread-safe. */
public interface ObjectForm {

  /** The structure that patches and field ownership use. */
  StructShape shape();

  /**
   * Reads a document from a client. Keeps empty lists and maps where they differ from absent ones
   * ({@link EmptyFields}).
   *
   * @param origin the object in canonical form from which the document was made, or null; shared
   *     parts are not read again
   * @throws dev.muster.wire.DecodeException when it is invalid, with Go's message
   */
  Typed read(Document document, @Nullable JsonObject origin);

  /**
   * The object in the canonical form in which it is stored.
   *
   * @param origin as in {@link #read}
   * @throws dev.muster.wire.DecodeException when it is invalid, with Go's message
   */
  JsonObject normal(JsonObject object, @Nullable JsonObject origin);

  /**
   * Like {@link #normal}, but keeps the empty fields that {@link #read} keeps, for validation and
   * admission.
   */
  default JsonObject normalWithEmpties(JsonObject object, @Nullable JsonObject origin) {
    return normal(object, origin);
  }

  /**
   * The object without the empty fields that {@link #read} keeps, as it is stored and served; other
   * fields stay as they are.
   */
  default JsonObject withoutEmpties(JsonObject object) {
    return object;
  }

  /** The form of a struct, which drops unknown fields. */
  static ObjectForm of(StructShape shape) {
    return of(shape, EmptyFields.NONE);
  }

  /**
   * The form of a struct.
   *
   * @param empties the fields in which an empty list or map differs from an absent one
   */
  static ObjectForm of(StructShape shape, EmptyFields empties) {
    return new OfStruct(shape, empties, empties.and(OfStruct.OWNERS));
  }

  /**
   * See {@link TypedReader}.
   *
   * @param empties the fields in which validation tells an empty list or map from an absent one
   * @param kept these fields and the managed fields, which a client removes by sending an empty
   *     list
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
