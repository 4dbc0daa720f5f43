package dev.muster.registry.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.Bytes;
import dev.muster.wire.JsonReader;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalChecksumTest {
  private static final byte[] VALUE = Stored.value("{'kind':'ConfigMap','data':{'a':'1'}}");

  private final CanonicalChecksum canonicalChecksum = new CanonicalChecksum(1);

  private byte[] sealed() {
    var out = new Bytes(8);
    out.add('x');
    out.add(VALUE);
    canonicalChecksum.addTo(out, 1);
    return Arrays.copyOfRange(out.buffer(), 1, out.size());
  }

  @Test
  void isKnownToThoseWhoReadTheSameForm() {
    assertThat(canonicalChecksum.isOn(sealed())).isTrue();
    assertThat(new CanonicalChecksum(1).isOn(sealed())).isTrue();
    assertThat(new CanonicalChecksum(2).isOn(sealed())).isFalse();
    assertThat(canonicalChecksum.isOn(VALUE)).isFalse();
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
      assertThat(canonicalChecksum.isOn(changed)).isFalse();
    }
    var whole = sealed();
    for (int length = 0; length < whole.length; length++) {
      assertThat(canonicalChecksum.isOn(Arrays.copyOf(whole, length))).isFalse();
    }
    assertThat(canonicalChecksum.isOn(Arrays.copyOf(whole, whole.length + 1))).isFalse();
  }
}
