package dev.muster.registry.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.JsonReader;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final byte[] VALUE = Stored.value("{'kind':'ConfigMap','data':{'a':'1'}}");

  private final Seal seal = new Seal(1);

  @Test
  void isKnownToThoseWhoReadTheSameForm() {
    assertThat(seal.isOn(seal.on(VALUE))).isTrue();
    assertThat(new Seal(1).isOn(seal.on(VALUE))).isTrue();
    assertThat(new Seal(2).isOn(seal.on(VALUE))).isFalse();
    assertThat(seal.isOn(VALUE)).isFalse();
  }

  @Test
  void meansNothingToOthers() {
    assertThat(JsonReader.read(seal.on(VALUE))).isEqualTo(JsonReader.read(VALUE));
  }

  @Test
  void doesNotSurviveAnyChange() {
    var random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      var changed = seal.on(VALUE);
      changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
      assertThat(seal.isOn(changed)).isFalse();
    }
    var sealed = seal.on(VALUE);
    for (int length = 0; length < sealed.length; length++) {
      assertThat(seal.isOn(Arrays.copyOf(sealed, length))).isFalse();
    }
    assertThat(seal.isOn(Arrays.copyOf(sealed, sealed.length + 1))).isFalse();
  }
}
