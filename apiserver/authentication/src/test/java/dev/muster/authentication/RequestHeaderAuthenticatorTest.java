package dev.muster.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import dev.muster.pki.Authority;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestHeaderAuthenticatorTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Authority authority = Authority.create("front", Instant.now(), DAY);
  private final ClientCertificates certificates =
      new ClientCertificates(List.of(authority.certificate()), InstantSource.system());

  private RequestHeaderAuthenticator proxy(String... allowed) {
    return new RequestHeaderAuthenticator(
        certificates,
        List.of(allowed),
        List.of("X-Remote-User"),
        List.of("X-Remote-Uid"),
        List.of("X-Remote-Group"),
        List.of("X-Remote-Extra-"));
  }

  private static RequestHeaderAuthenticator.Headers headers(List<Map.Entry<String, String>> all) {
    return new RequestHeaderAuthenticator.Headers() {
      @Override
      public List<String> all(String name) {
        return all.stream()
            .filter(header -> header.getKey().equals(name))
            .map(Map.Entry::getValue)
            .toList();
      }

      @Override
      public Iterable<Map.Entry<String, String>> all() {
        return all;
      }
    };
  }

  private CertificateVerdict shown(Authority signer, String name) {
    return certificates.verify(signer.client(name, List.of(), Instant.now(), DAY).chain());
  }

  private @Nullable User user(List<Map.Entry<String, String>> all) {
    return proxy().user(headers(all));
  }

  @Test
  void onlyTheAllowedNamesOfTheAuthorityAreBelieved() {
    var other = Authority.create("front", Instant.now(), DAY);
    assertThat(proxy("front-proxy").believes(shown(authority, "front-proxy"))).isTrue();
    assertThat(proxy("front-proxy").believes(shown(authority, "jane"))).isFalse();
    assertThat(proxy().believes(shown(authority, "jane"))).isTrue();
    assertThat(proxy().believes(shown(other, "front-proxy"))).isFalse();
  }

  @Test
  void headersSayWhoItIs() {
    assertThat(
            user(
                List.of(
                    Map.entry("x-remote-user", "jane"),
                    Map.entry("x-remote-uid", "7"),
                    Map.entry("x-remote-group", "a"),
                    Map.entry("x-remote-group", "b"),
                    Map.entry("x-remote-extra-scopes%2fx", "\u00c3\u00bc"))))
        .isEqualTo(
            new User(
                "jane",
                "7",
                List.of("a", "b", User.ALL_AUTHENTICATED),
                Map.of("scopes/x", List.of("ü"))));
  }

  @Test
  void withoutANameThereIsNobody() {
    assertThat(user(List.of(Map.entry("x-remote-group", "a"), Map.entry("x-remote-user", " "))))
        .isNull();
  }
}
