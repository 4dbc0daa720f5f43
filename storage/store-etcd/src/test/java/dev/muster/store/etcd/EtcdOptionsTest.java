package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EtcdOptionsTest {
  @Test
  void hasTheseDefaults() {
    var options = EtcdOptions.at("http://127.0.0.1:2379", "http://[::1]:2379");
    assertThat(options.endpoints())
        .containsExactly(URI.create("http://127.0.0.1:2379"), URI.create("http://[::1]:2379"));
    assertThat(options.prefix()).isEqualTo("/registry");
    assertThat(options.tls()).isEqualTo(EtcdTls.DEFAULT);
    assertThat(options.login()).isNull();
    assertThat(options.attemptTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.totalTimeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(options.compactionInterval()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(EtcdOptions::at).hasMessageContaining("at least one");
    assertThatThrownBy(() -> EtcdOptions.at("127.0.0.1:2379"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EtcdOptions.at("ftp://a:1")).hasMessageContaining("ftp://a:1");
    assertThatThrownBy(() -> EtcdOptions.at("http://a:1", "https://b:1"))
        .hasMessageContaining("all http or all https");
    assertThatThrownBy(() -> EtcdOptions.at("http://a:1").withPrefix("registry"))
        .hasMessageContaining("registry");
    assertThatThrownBy(() -> new EtcdTls(null, Path.of("cert"), null))
        .hasMessageContaining("together");
  }

  @Test
  void keepsThePasswordOutOfItsText() {
    assertThat(EtcdOptions.at("http://a:1").withLogin("root", "secret").toString())
        .contains("root")
        .doesNotContain("secret");
  }
}
