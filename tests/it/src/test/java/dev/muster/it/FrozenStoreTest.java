package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.NeedsProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that neither answers nor breaks the connection keeps nobody waiting for ever. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class FrozenStoreTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;

  @Test
  void requestsAreAnsweredWithinTheirTimeAndTheRestGoesOn() throws Exception {
    try (var fleet = EtcdFleet.start(folder, 1, 1, "--request-timeout=2s");
        var api = new HttpApi(fleet.url(0), fleet.authority())) {
      assertThat(api.send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}").code()).isEqualTo(201);
      var etcd = fleet.etcd().members().getFirst();
      etcd.pause();
      try {
        isLate(api.get(MAPS + "/a"));
        isLate(api.get(MAPS));
        isLate(api.get(MAPS + "?watch=1&timeoutSeconds=1"));
        isLate(api.get("/apis/apps/v1/namespaces/default/deployments/d/scale"));
        isLate(api.send("POST", MAPS, "{\"metadata\":{\"name\":\"b\"}}"));
        isLate(api.send("DELETE", MAPS + "/a", ""));
        assertThat(api.get(MAPS + "/a?resourceVersion=0").code()).isEqualTo(200);
        assertThat(api.get("/apis").code()).isEqualTo(200);
      } finally {
        etcd.resume();
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(api.send("POST", MAPS, "{\"metadata\":{\"name\":\"c\"}}").code())
                      .isIn(201, 409));
    }
  }

  private static void isLate(HttpApi.Answer answer) {
    assertThat(answer.code()).isEqualTo(504);
    assertThat(answer.json().string("reason")).isEqualTo("Timeout");
    assertThat(answer.json().object("details").has("retryAfterSeconds")).isFalse();
  }
}
