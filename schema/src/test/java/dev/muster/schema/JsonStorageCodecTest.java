package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonStorageCodecTest {
  private final StorageCodec codec = new JsonStorageCodec();

  @Test
  void givesTheRevisionAsResourceVersionAfterTheUid() {
    var stored =
        """
        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u",\
        "creationTimestamp":"2024-01-01T00:00:00Z","labels":{"x":"y"}},"data":{"k":"v"}}\
        """;
    var decoded = codec.decode(stored.getBytes(StandardCharsets.UTF_8), 42);
    assertThat(new String(decoded.json(), StandardCharsets.UTF_8))
        .isEqualTo(stored.replace("\"uid\":\"u\"", "\"uid\":\"u\",\"resourceVersion\":\"42\""));
    assertThat(decoded.namespace()).isEqualTo("n");
    assertThat(decoded.name()).isEqualTo("a");
    assertThat(decoded.uid()).isEqualTo("u");
    assertThat(decoded.labels()).isEqualTo(Map.of("x", "y"));
    var served = (JsonObject) JsonReader.read(decoded.json());
    assertThat(codec.encode(served)).asString(StandardCharsets.UTF_8).isEqualTo(stored);
  }

  @Test
  void refusesWhatIsNotAnObject() {
    assertThatThrownBy(() -> codec.decode("[]".getBytes(StandardCharsets.UTF_8), 1))
        .hasMessage("the stored value is not a JSON object");
  }
}
