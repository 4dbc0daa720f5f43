package dev.muster.wire;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of configuration file in YAML or JSON, read like kube-apiserver: the file must name a
 * known version and must have no unknown fields.
 *
 * @param versions the accepted versions
 */
public record ConfigurationKind(String kind, Set<String> versions) {

  public ConfigurationKind {
    versions = Set.copyOf(versions);
  }

  /**
   * Reads a document of this kind field by field.
   *
   * @param file the name of the file in messages
   * @throws DecodeException when the document is of another kind, or has unknown or repeated fields
   */
  public <T> T read(Document document, String file, Function<StrictFields, T> reader) {
    if (!(document.value() instanceof JsonObject object)) {
      throw new DecodeException("couldn't get version/kind; the file holds no object");
    }
    check(object, file);
    var complaints = new ArrayList<>(document.complaints());
    var made =
        StrictFields.read(
            object,
            document.duplicates(),
            complaints,
            fields -> {
              fields.text("apiVersion");
              fields.text("kind");
              return reader.apply(fields);
            });
    if (!complaints.isEmpty()) {
      throw new DecodeException("strict decoding error: " + String.join(", ", complaints));
    }
    return made;
  }

  /**
   * Checks only the kind and the version.
   *
   * @param file the name of the file in messages
   * @throws DecodeException when the document is of another kind
   */
  public void check(JsonObject object, String file) {
    var given = object.string("kind");
    var version = object.string("apiVersion");
    if (given.isEmpty() || version.isEmpty()) {
      throw new DecodeException(
          "Object '%s' is missing in %s".formatted(given.isEmpty() ? "Kind" : "apiVersion", file));
    }
    if (!given.equals(kind) || !versions.contains(version)) {
      throw new DecodeException(
          "no kind %s is registered for version %s"
              .formatted(GoText.quote(given), GoText.quote(version)));
    }
  }

  /** The text of an object for messages; only for objects without secrets. */
  public static String shown(JsonObject object) {
    return "'" + object + "'";
  }
}
