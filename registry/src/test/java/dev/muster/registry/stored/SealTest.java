package dev.muster.registry.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.Bytes;
import dev.muster.wire.JsonReader;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SealTest {
  private static final byte[] VALUE = Stored.value("{'kind':'ConfigMap','data':{'a':'1'}}");

  private final Seal seal = new Seal(1);

  private byte[] sealed() {
    var out = new Bytes(8);
    out.add('x');
    out.add(VALUE);
    seal.addTo(out, 1);
    return Arrays.copyOfRange(out.buffer(), 1, out.size());
  }

  @Test
  void isKnownToThoseWhoReadTheSameForm() {
    assertThat(seal.isOn(sealed())).isTrue();
    assertThat(new Seal(1).isOn(sealed())).isTrue();
    assertThat(new Seal(2).isOn(sealed())).isFalse();
    assertThat(seal.isOn(VALUE)).isFalse();
  }

  @Test
  void meansNothingToOthers() {
    assertThat(JsonReader.read(sealed())).isEqualTo(JsonReader.read(VALUE));
  }

  @Test
  void doesNotSurviveAnyChange() {
    var random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      var changed = sealed();
      changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
      assertThat(seal.isOn(changed)).isFalse();
    }
    var whole = sealed();
    for (int length = 0; length < whole.length; length++) {
      assertThat(seal.isOn(Arrays.copyOf(whole, length))).isFalse();
    }
    assertThat(seal.isOn(Arrays.copyOf(whole, whole.length + 1))).isFalse();
  }
}
