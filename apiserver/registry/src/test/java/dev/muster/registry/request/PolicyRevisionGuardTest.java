package dev.muster.registry.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.types.BuiltIns;
import org.junit.jupiter.api.Test;

class PolicyRevisionGuardTest {
  @Test
  void everyCollectionIsOneOfAType() {
    assertThat(BuiltIns.TYPES.storagePrefixes()).containsAll(PolicyRevisionGuard.COLLECTIONS);
  }
}
