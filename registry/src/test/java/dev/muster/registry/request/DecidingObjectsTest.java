package dev.muster.registry.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.types.BuiltIns;
import org.junit.jupiter.api.Test;

class DecidingObjectsTest {
  @Test
  void everyCollectionIsOneOfAType() {
    assertThat(BuiltIns.TYPES.storagePrefixes()).containsAll(DecidingObjects.COLLECTIONS);
  }
}
