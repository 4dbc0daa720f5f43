package dev.muster.registry.custom;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.stored.ForeignBytes;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.schema.storage.StorageCodec.Decoded;
import dev.muster.wire.DecodeException;
import java.util.Map;

/**
 * Decodes custom objects from the store, in whichever version they are stored: prunes unknown
 * fields and applies that version's defaults.
 *
 * @param forms the form of each version, by its name
 * @param storedVersion the version in which objects are written now
 */
record CustomDecoder(GroupKind kind, Map<String, CustomForm> forms, String storedVersion)
    implements ObjectDecoder {
  private static final JsonStorageCodec JSON = new JsonStorageCodec();

  @Override
  public Decoded decode(byte[] value, long revision) {
    var document = ForeignBytes.read(value);
    if (!(document.value() instanceof JsonObject stored)) {
      throw new DecodeException("the stored value is not an object");
    }
    var version = GroupVersion.parse(stored.string("apiVersion"));
    var form = forms.get(version.version());
    boolean ofKind =
        version.group().equals(kind.group()) && stored.string("kind").equals(kind.kind());
    if (form == null || !ofKind) {
      throw new DecodeException(
          "no kind \"%s\" is registered for version \"%s\""
              .formatted(stored.string("kind"), stored.string("apiVersion")));
    }
    var read = form.filled(withGeneration(form.coerced(stored, true, path -> {})));
    var served = form.normal(read, null);
    return served == stored && document.duplicates().isEmpty()
        ? asItIs(value, served, revision, isOutdated(version))
        : Decoded.of(served, revision, isOutdated(version) || !served.equals(stored));
  }

  private boolean isOutdated(GroupVersion version) {
    return !version.version().equals(storedVersion);
  }

  private static Decoded asItIs(byte[] value, JsonObject served, long revision, boolean outdated) {
    if (outdated || value[0] != '{') {
      return Decoded.of(served, revision, outdated);
    }
    return JSON.decode(value, revision);
  }

  /** Adds the generation, which very old objects lack. */
  private static JsonObject withGeneration(JsonObject object) {
    return object.object("metadata").integer("generation", 0) == 0
        ? object.withAt(Json.of(1), "metadata", "generation")
        : object;
  }
}
