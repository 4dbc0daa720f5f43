package dev.muster.admission;

import static dev.muster.admission.Plugins.NAMESPACES;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.PodSecurityObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says about Pod Security. */
class PodSecuritySettingsTest {
  private static final String BAD = "{'hostNetwork':true,'containers':[{'name':'c'}]}";

  private final Plugins plugins = new Plugins();
  private final List<String> exempted = new ArrayList<>();

  private void configure(String more) {
    var configuration =
        json(
            "{'apiVersion':'pod-security.admission.config.k8s.io/v1',"
                + "'kind':'PodSecurityConfiguration',"
                + more
                + "}");
    plugins.configuration = new AdmissionConfiguration(Map.of("PodSecurity", configuration));
    plugins.observer =
        new AdmissionObserver() {
          @Override
          public PodSecurityObserver podSecurity() {
            return new PodSecurityObserver() {
              @Override
              public void exempted(Subject subject) {
                exempted.add(subject.pod() ? "pod" : "controller");
              }
            };
          }
        };
  }

  private static JsonObject namespace(String labels) {
    return json(
        ("{'metadata':{'name':'a','labels':{" + labels + "}}}")
            .replace("'#", "'pod-security.kubernetes.io/"));
  }

  private AdmissionRequest create(String spec) {
    var request = plugins.requests.create(PODS, pod(spec));
    plugins.plugin("PodSecurity").validate(request);
    return request;
  }

  private static String exemption(AdmissionRequest request) {
    return String.valueOf(request.annotations().all().get("pod-security.kubernetes.io/exempt"));
  }

  @Test
  void defaultsCountWhereLabelsSayNothing() {
    configure("'defaults':{'enforce':'baseline','enforce-version':'v1.30','warn':'restricted'}");
    plugins.cluster.put("/namespaces", namespace(""));
    assertThatThrownBy(() -> create(BAD)).hasMessageContaining("\"baseline:v1.30\"");
    create("{'containers':[{'name':'c'}]}");
    assertThat(plugins.requests.warnings)
        .singleElement()
        .asString()
        .startsWith("would violate PodSecurity \"restricted:latest\"");
    plugins.cluster.put("/namespaces", namespace("'#enforce':'privileged'"));
    create(BAD);
  }

  @Test
  void namespacesUsersAndRuntimeClassesMayBeExempt() {
    plugins.cluster.put("/namespaces", namespace("'#enforce':'baseline'"));
    configure("'exemptions':{'namespaces':['a']}");
    assertThat(exemption(create(BAD))).isEqualTo("namespace");
    configure("'exemptions':{'namespaces':['b'],'usernames':['root'],'runtimeClasses':['vm']}");
    assertThatThrownBy(() -> create(BAD)).hasMessageContaining("violates PodSecurity");
    assertThat(exemption(create("{'runtimeClassName':'vm','hostNetwork':true}")))
        .isEqualTo("runtimeClass");
    plugins.requests.by(User.of("root", User.ALL_AUTHENTICATED));
    assertThat(exemption(create(BAD))).isEqualTo("user");
    assertThat(exempted).containsExactly("pod", "pod", "pod");
  }

  @Test
  void whoLabelsANamespaceThatIsExemptIsWarned() {
    configure("'exemptions':{'namespaces':['a']}");
    plugins
        .plugin("PodSecurity")
        .validate(
            plugins.requests.create(
                NAMESPACES, namespace("'#enforce':'baseline','#audit':'restricted'")));
    assertThat(plugins.requests.warnings)
        .containsExactly(
            "namespace \"a\" is exempt from Pod Security, and the policy"
                + " (enforce=baseline:latest, audit=restricted:latest) will be ignored");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'defaults':{'enforce':'strict'} | defaults.enforce: Invalid value: \"strict\": must be one"
            + " of privileged, baseline, restricted",
        "'defaults':{'warn-version':'v2'} | defaults.warn-version: Invalid value: \"v2\": must be"
            + " \"latest\" or \"v1.x\"",
        "'exemptions':{'usernames':['']} | exemptions.usernames[0]: Invalid value: \"\": username"
            + " must not be empty",
        "'exemptions':{'namespaces':['a','a']} | exemptions.namespaces[1]: Duplicate value: \"a\"",
        "'exemption':{} | unknown field \"exemption\""
      },
      quoteCharacter = '`')
  void whatMakesNoSenseStopsTheStart(String more, String why) {
    configure(more);
    assertThatThrownBy(() -> plugins.plugin("PodSecurity"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--admission-control-config-file: PodSecurity")
        .hasMessageContaining(why);
  }

  @Test
  void anotherKindIsRefused() {
    plugins.configuration =
        new AdmissionConfiguration(
            Map.of("PodSecurity", json("{'apiVersion':'v1','kind':'PodSecurityConfiguration'}")));
    assertThatThrownBy(() -> plugins.chain(List.of(), List.of()))
        .hasMessageContaining(
            "no kind \"PodSecurityConfiguration\" is registered for version \"v1\"");
  }
}
