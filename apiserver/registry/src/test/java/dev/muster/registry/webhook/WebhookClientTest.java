package dev.muster.registry.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.core.Verdicts;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookClientTest {
  private static WebhookAddress address(String config) throws WebhookException {
    return WebhookAddress.of(Verdicts.json(config));
  }

  @ParameterizedTest
  @CsvSource({
    "https://h.example/x, h.example, 443, h.example, /x",
    "https://h.example:8443, h.example, 8443, h.example:8443, /",
    "https://h.example/a//b/./c/../d/, h.example, 443, h.example, /a/b/d",
    "https://[::1]:9/x, ::1, 9, [::1]:9, /x",
    "https://127.0.0.1:1/x%20y, 127.0.0.1, 1, 127.0.0.1:1, /x%20y",
  })
  void aUrlIsTakenApart(String url, String host, int port, String authority, String path)
      throws Exception {
    assertThat(address("{\"url\":\"" + url + "\"}"))
        .isEqualTo(new WebhookAddress.Url(true, host, port, authority, path));
  }

  @Test
  void aServiceIsKnownByItsNameInTheCluster() throws Exception {
    var service =
        address("{\"service\":{\"namespace\":\"ns\",\"name\":\"hook\",\"path\":\"/convert/\"}}");
    assertThat(service).isEqualTo(new WebhookAddress.Service("ns", "hook", 443, "/convert"));
    assertThat(service.serverName()).isEqualTo("hook.ns.svc");
    assertThat(service.authority()).isEqualTo("hook.ns.svc:443");
  }

  @Test
  void whatNamesNobodyIsRefused() {
    assertThatThrownBy(() -> address("{}"))
        .hasMessage("webhook configuration must have either service or URL");
    assertThatThrownBy(() -> address("{\"url\":\"https://h/%zz\"}"))
        .hasMessageStartingWith("Unparsable URL: parse ");
    assertThatThrownBy(() -> address("{\"url\":\"http://h/\"}"))
        .hasMessage("unsupported protocol scheme \"http\"");
  }

  @Test
  void aBundleOfBlanksIsNone() throws Exception {
    var blank = Base64.getEncoder().encodeToString(" \n\t".getBytes(StandardCharsets.UTF_8));
    var config = JsonObject.of("url", "https://h/", "caBundle", blank);
    assertThat(WebhookClient.of("x", config).authorities()).isEmpty();
    assertThatThrownBy(() -> WebhookClient.of("x", config.with("caBundle", "%")))
        .hasMessage("unable to load root certificates: not base64");
  }
}
