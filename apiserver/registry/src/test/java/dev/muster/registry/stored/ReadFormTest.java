package dev.muster.registry.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.LegacyKinds;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.testing.objects.RandomObjects;
import dev.muster.types.BuiltIns;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonWriter;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Notices when objects are read in another way than before, so that old seals are not believed. */
class ReadFormTest {
  /** Of all kinds as {@link CanonicalChecksum#FORM} reads them. */
  private static final long FINGERPRINT = 779592890L;

  @Test
  void whoChangesHowObjectsAreReadCountsTheForm() {
    assertThat(fingerprint())
        .withFailMessage(
            () ->
                "Objects in the store are read in another way than before. If that is meant, give"
                    + " Seal.FORM the next number, so that values which an earlier build wrote are"
                    + " looked at again, and put "
                    + fingerprint()
                    + "L here.")
        .isEqualTo(FINGERPRINT);
  }

  private static long fingerprint() {
    var checksum = new CRC32C();
    checksum.update(CanonicalChecksum.FORM);
    var values = new StoredValues(new JsonStorageCodec(), List.of(), BuiltIns::readBy);
    BuiltIns.TYPES.all().stream()
        .filter(ServedType::isStored)
        .sorted(Comparator.comparing(type -> type.kind().toString()))
        .forEach(
            type -> {
              for (double density : new double[] {1, 0.5, 0}) {
                add(
                    checksum,
                    values,
                    type.storage(),
                    new RandomObjects(3, density).of(type.kind(), type.shape()));
              }
            });
    LegacyKinds.all().values().stream()
        .sorted(Comparator.comparing(former -> former.kind().toString()))
        .forEach(
            former -> {
              var type = BuiltIns.TYPES.ofKind(former.served());
              if (type != null) {
                add(
                    checksum,
                    values,
                    type.storage(),
                    new RandomObjects(3, 0.5).of(former.kind(), former.shape()));
              }
            });
    return checksum.getValue();
  }

  private static void add(CRC32C checksum, StoredValues values, String storage, JsonObject object) {
    checksum.update(values.decode(storage, JsonWriter.bytes(object), 1).json());
  }
}
