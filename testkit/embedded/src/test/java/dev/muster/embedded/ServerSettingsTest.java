package dev.muster.embedded;

import static dev.muster.embedded.ClientObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters inside a test take kube-apiserver's flags. */
class ServerSettingsTest {

  private static MusterOptions withFlags(String... flags) {
    return MusterOptions.defaults().withControllers().withFlags(flags);
  }

  @Test
  void flagsChangeWhatAllServersDo() {
    var options =
        withFlags(
                "--enable-admission-plugins=AlwaysPullImages",
                "--disable-admission-plugins",
                "LimitRanger",
                "--runtime-config=autoscaling/v1=false",
                "--storage-initialization-timeout=2m")
            .withServers(2);
    try (var cluster = Muster.start(options)) {
      for (int server = 0; server < 2; server++) {
        var client = cluster.client(server);
        // Nobody makes service accounts here, so that it needs none, whatever else is disabled.
        var made = client.pods().resource(pod("pulled-" + server)).create();
        assertThat(made.getSpec().getContainers().getFirst().getImagePullPolicy())
            .isEqualTo("Always");
        assertThat(client.getApiGroup("autoscaling").getVersions())
            .extracting("version")
            .doesNotContain("v1")
            .contains("v2");
      }
    }
  }

  @Test
  void aFlagInsistsOnServiceAccounts() {
    try (var cluster = Muster.start(withFlags("--enable-admission-plugins=ServiceAccount"))) {
      assertThatThrownBy(() -> cluster.client().pods().resource(pod("alone")).create())
          .hasMessageContaining("serviceaccount \"default\" not found");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --feature-gates=NoSuchGate=true   | unrecognized feature gate: NoSuchGate
          --enable-admission-plugins=Nobody | unknown admission plugin "Nobody"
          --no-such-flag=1                  | unknown flag: --no-such-flag=1
          --etcd-servers=http://127.0.0.1:1 | unknown flag: --etcd-servers=http://127.0.0.1:1
          event-ttl=1h                      | unknown flag: event-ttl=1h
          --event-ttl                       | --event-ttl: needs a value
          --event-ttl=soon                  | --event-ttl: "soon" is not a duration such as 1m30s
          --secure-port=8443                | --secure-port: a cluster inside a test sees to it
          --v=4                             | --v: a cluster inside a test sees to it by itself
          """)
  void aStartRefusesWhatItCannotDo(String flag, String words) {
    assertThatThrownBy(() -> Muster.start(withFlags(flag)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
