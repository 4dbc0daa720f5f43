package dev.muster.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewrittenLocationTest {
  @ParameterizedTest
  @CsvSource({
    "/login, /p/proxy/login",
    "/login/?a=b#c, /p/proxy/login/?a=b#c",
    "/, /p/proxy/",
    "http://10.1.2.3:8080/x, /p/proxy/x",
    "https://api.example:6443/x, https://api.example:6443/p/proxy/x",
    "//api.example:6443/x, //api.example:6443/p/proxy/x",
    "/p/proxy/x, /p/proxy/x",
    "/p/proxyish, /p/proxy/p/proxyish",
    "relative/x, relative/x",
    "?a=b, ?a=b",
    "http://elsewhere.example/x, http://elsewhere.example/x",
    "//elsewhere.example/x, //elsewhere.example/x",
    "http://10.1.2.3:8080@elsewhere.example/x, http://10.1.2.3:8080@elsewhere.example/x",
    "mailto:x, mailto:x",
  })
  void placesOnTheBackendAreSeenBelowTheProxy(String said, String told) {
    assertThat(RewrittenLocation.of(said, "10.1.2.3:8080", "api.example:6443", "/p/proxy"))
        .isEqualTo(told);
  }
}
