package dev.muster.admission;

import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.authorization.Requests;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.types.ServedType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRateLimitTest {
  private static final ServedType EVENTS = Requests.type("v1", "Event", "events");
  private static final ServedType NEW_EVENTS = Requests.type("events.k8s.io/v1", "Event", "events");

  private final Plugins plugins = new Plugins();

  private Admission limited(String limits) {
    plugins.configuration =
        new AdmissionConfiguration(
            Map.of("EventRateLimit", json("{'limits':[%s]}".formatted(limits))));
    return plugins.plugin("EventRateLimit");
  }

  private static JsonObject event(String namespace, String object) {
    return json(
        ("{'metadata':{'name':'e','namespace':'%s'},'source':{'component':'c'},"
                + "'involvedObject':{'kind':'Pod','name':'%s'}}")
            .formatted(namespace, object));
  }

  private String refusal(Admission plugin, ServedType type, JsonObject event) {
    var refusal =
        catchThrowableOfType(
            ApiException.class, () -> plugin.validate(plugins.requests.create(type, event)));
    return refusal == null ? "" : refusal.code() + " " + refusal.text();
  }

  @Test
  void aNamespaceWritesAsManyEventsAsItsLimitSays() {
    var plugin = limited("{'type':'Namespace','qps':1,'burst':2}");
    assertThat(refusal(plugin, EVENTS, event("a", "p"))).isEmpty();
    assertThat(refusal(plugin, NEW_EVENTS, event("a", "p"))).isEmpty();
    assertThat(refusal(plugin, EVENTS, event("a", "p")))
        .isEqualTo("429 Too many requests: limit reached on type Namespace for key a");
    assertThat(refusal(plugin, EVENTS, event("b", "p"))).isEmpty();
    plugins.now = plugins.now.plusSeconds(1);
    assertThat(refusal(plugin, EVENTS, event("a", "p"))).isEmpty();
    assertThat(refusal(plugin, EVENTS, event("a", "p"))).startsWith("429");
  }

  @Test
  void everyLimitIsAskedAndTold() {
    var plugin =
        limited(
            "{'type':'Server','qps':1,'burst':3},{'type':'User','qps':1,'burst':2},"
                + "{'type':'SourceAndObject','qps':1,'burst':1}");
    plugins.requests.by(User.of("u"));
    assertThat(refusal(plugin, EVENTS, event("a", "p"))).isEmpty();
    assertThat(refusal(plugin, EVENTS, event("a", "p")))
        .endsWith("limit reached on type SourceAndObject for key cPodp");
    assertThat(refusal(plugin, EVENTS, event("a", "q")))
        .isEqualTo("429 Too many requests: limit reached on type User for key u");
    assertThat(refusal(plugin, EVENTS, event("a", "q")))
        .isEqualTo(
            "429 Too many requests: [limit reached on type Server for key , limit reached on type"
                + " User for key u, limit reached on type SourceAndObject for key cPodq]");
  }

  @Test
  void onlySoManyKeysAreKept() {
    var plugin = limited("{'type':'Namespace','qps':1,'burst':1,'cacheSize':2}");
    for (var namespace : List.of("a", "b", "c")) {
      assertThat(refusal(plugin, EVENTS, event(namespace, "p"))).isEmpty();
    }
    assertThat(refusal(plugin, EVENTS, event("c", "p"))).startsWith("429");
    assertThat(refusal(plugin, EVENTS, event("a", "p"))).isEmpty();
  }

  @Test
  void otherObjectsAreNotLimited() {
    var plugin = limited("{'type':'Server','qps':1,'burst':1}");
    for (int i = 0; i < 3; i++) {
      assertThat(refusal(plugin, Plugins.CONFIG_MAPS, event("a", "p"))).isEmpty();
    }
  }

  @Test
  void limitsThatMakeNoSenseAreToldByTheirFields() {
    assertThatThrownBy(() -> limited(""))
        .hasMessageEndingWith("EventRateLimit: limits: must not be empty");
    assertThatThrownBy(() -> limited("{'type':'Server','qps':0,'burst':1}"))
        .hasMessageEndingWith("limits[0].qps: must be positive");
    assertThatThrownBy(() -> limited("{'type':'All','qps':1,'burst':1}"))
        .hasMessageContaining("limits[0].type: Unsupported value: \"All\"");
    assertThatThrownBy(() -> limited("{'type':'User','qps':1,'burst':1,'size':1}"))
        .hasMessageEndingWith("limits[0]: unknown field \"size\"");
  }

  @Test
  void theFileNamesAnotherOrSaysItself(@TempDir Path folder) throws IOException {
    var file = folder.resolve("admission.yaml");
    Files.writeString(folder.resolve("events.yaml"), "limits:\n- {type: User, qps: 1, burst: 2}\n");
    Files.writeString(
        file,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AdmissionConfiguration
        plugins:
        - name: EventRateLimit
          path: events.yaml
        """);
    assertThat(AdmissionConfiguration.read(file).of("EventRateLimit").orElseThrow().array("limits"))
        .hasSize(1);
    Files.writeString(file, "apiVersion: v1\nkind: AdmissionConfiguration\n");
    assertThatThrownBy(() -> AdmissionConfiguration.read(file))
        .hasMessage(
            "--admission-control-config-file: no kind \"AdmissionConfiguration\" is registered for"
                + " version \"v1\"");
    plugins.configuration = new AdmissionConfiguration(Map.of("Priority", JsonObject.EMPTY));
    assertThatThrownBy(() -> plugins.chain(List.of(), List.of()))
        .hasMessage("--admission-control-config-file: plugin \"Priority\" takes none here");
  }
}
