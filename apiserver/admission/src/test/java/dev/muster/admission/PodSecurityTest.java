package dev.muster.admission;

import static dev.muster.admission.Plugins.NAMESPACES;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static dev.muster.admission.Plugins.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Requests;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.PodSecurityObserver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodSecurityTest {
  private static final String GOOD =
      "{'securityContext':{'runAsNonRoot':true,'seccompProfile':{'type':'RuntimeDefault'}},"
          + "'containers':[{'name':'c','image':'i','securityContext':"
          + "{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]}";

  private final Plugins plugins = new Plugins();

  private JsonObject namespace(String labels) {
    return json(
        ("{'metadata':{'name':'a','labels':{" + labels + "}}}")
            .replace("'#", "'pod-security.kubernetes.io/"));
  }

  private void label(String labels) {
    plugins.cluster.put("/namespaces", namespace(labels));
  }

  private void create(String spec) {
    plugins.plugin("PodSecurity").validate(plugins.requests.create(PODS, pod(spec)));
  }

  private void assertRefused(String spec, String why) {
    assertThatThrownBy(() -> create(spec))
        .hasMessage("pods \"p\" is forbidden: violates PodSecurity " + why);
  }

  @Test
  void withoutLabelsEverythingGoes() {
    label("");
    assertThatCode(() -> create("{'hostNetwork':true}")).doesNotThrowAnyException();
    assertThat(plugins.requests.warnings).isEmpty();
  }

  @Test
  void restrictedNamesEverythingThatIsMissing() {
    label("'#enforce':'restricted'");
    assertRefused(
        "{'containers':[{'name':'c'}]}",
        "\"restricted:latest\": allowPrivilegeEscalation != false (container \"c\" must set"
            + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities"
            + " (container \"c\" must set securityContext.capabilities.drop=[\"ALL\"]),"
            + " runAsNonRoot != true (pod or container \"c\" must set"
            + " securityContext.runAsNonRoot=true), seccompProfile (pod or container \"c\" must set"
            + " securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
    assertThatCode(() -> create(GOOD)).doesNotThrowAnyException();
  }

  @Test
  void baselineNamesWhatGoesTooFar() {
    label("'#enforce':'baseline'");
    assertRefused(
        "{'hostNetwork':true,'hostPID':true,'volumes':[{'name':'v','hostPath':{'path':'/'}}],"
            + "'containers':[{'name':'c','ports':[{'hostPort':80},{'hostPort':443}],"
            + "'securityContext':{'privileged':true,'capabilities':{'add':['SYS_ADMIN','KILL']},"
            + "'procMount':'Unmasked'}},{'name':'d','securityContext':{'privileged':true}}],"
            + "'securityContext':{'sysctls':[{'name':'kernel.msgmax','value':'1'}],"
            + "'seLinuxOptions':{'type':'spc_t','role':'r'},"
            + "'seccompProfile':{'type':'Unconfined'},"
            + "'windowsOptions':{'hostProcess':true}}}",
        "\"baseline:latest\": non-default capabilities (container \"c\" must not include"
            + " \"SYS_ADMIN\" in securityContext.capabilities.add), host namespaces"
            + " (hostNetwork=true, hostPID=true), hostPath volumes (volume \"v\"), hostPort"
            + " (container \"c\" uses hostPorts 443, 80), privileged (containers \"c\", \"d\" must"
            + " not set securityContext.privileged=true), procMount (container \"c\" must not set"
            + " securityContext.procMount to \"Unmasked\"), seLinuxOptions (pod set forbidden"
            + " securityContext.seLinuxOptions: type \"spc_t\"; role may not be set),"
            + " seccompProfile (pod must not set securityContext.seccompProfile.type to"
            + " \"Unconfined\"), forbidden sysctls (kernel.msgmax), hostProcess (pod must not set"
            + " securityContext.windowsOptions.hostProcess=true)");
  }

  @Test
  void restrictedReplacesRulesOfTheBaseline() {
    label("'#enforce':'restricted'");
    assertRefused(
        GOOD.replace(
            "'containers'",
            "'volumes':[{'name':'v','hostPath':{}},{'name':'n','nfs':{}}],'containers'"),
        "\"restricted:latest\": restricted volume types (volumes \"v\", \"n\" use restricted volume"
            + " types \"hostPath\", \"nfs\")");
    assertRefused(
        GOOD.replace("'runAsNonRoot':true", "'runAsNonRoot':false,'runAsUser':0"),
        "\"restricted:latest\": runAsNonRoot != true (pod must not set"
            + " securityContext.runAsNonRoot=false), runAsUser=0 (pod must not set runAsUser=0)");
    assertRefused(
        GOOD.replace("'drop'", "'add':['KILL'],'drop'"),
        "\"restricted:latest\": unrestricted capabilities (container \"c\" must not include"
            + " \"KILL\" in securityContext.capabilities.add)");
  }

  @Test
  void olderVersionsKnowFewerRules() {
    label("'#enforce':'restricted','#enforce-version':'v1.7'");
    assertThatCode(
            () ->
                create(
                    "{'securityContext':{'runAsNonRoot':true,'runAsUser':0},"
                        + "'containers':[{'name':'c'}]}"))
        .doesNotThrowAnyException();
    label("'#enforce':'baseline','#enforce-version':'v1.33'");
    var probe = "{'containers':[{'name':'c','livenessProbe':{'httpGet':{'host':'example.com'}}}]}";
    assertThatCode(() -> create(probe)).doesNotThrowAnyException();
    label("'#enforce':'baseline'");
    assertRefused(
        probe,
        "\"baseline:latest\": probe or lifecycle host (container \"c\" uses probe or lifecycle host"
            + " \"example.com\")");
  }

  @Test
  void warnsWhereItDoesNotEnforce() {
    label("'#warn':'baseline'");
    create("{'hostNetwork':true}");
    assertThat(plugins.requests.warnings)
        .containsExactly(
            "would violate PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)");
  }

  @Test
  void whatIsEnforcedIsWarnedAboutOnObjectsThatMakePods() {
    label("'#enforce':'baseline'");
    var deployments = Requests.type("apps/v1", "Deployment", "deployments");
    var deployment =
        json(
            "{'metadata':{'name':'d','namespace':'a'},'spec':{'template':{'spec':"
                + "{'hostIPC':true}}}}");
    plugins.plugin("PodSecurity").validate(plugins.requests.create(deployments, deployment));
    assertThat(plugins.requests.warnings)
        .containsExactly(
            "would violate PodSecurity \"baseline:latest\": host namespaces (hostIPC=true)");
  }

  @Test
  void refusesWrongLabels() {
    var wrong = namespace("'#enforce':'strict','#warn-version':'1.2'");
    assertThatThrownBy(
            () ->
                plugins.plugin("PodSecurity").validate(plugins.requests.create(NAMESPACES, wrong)))
        .hasMessage(
            "Namespace \"a\" is invalid:"
                + " [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value:"
                + " \"strict\": must be one of privileged, baseline, restricted,"
                + " metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value:"
                + " \"1.2\": must be \"latest\" or \"v1.x\"]");
    assertThatCode(
            () ->
                plugins
                    .plugin("PodSecurity")
                    .validate(plugins.requests.update(NAMESPACES, wrong, wrong)))
        .doesNotThrowAnyException();
  }

  @Test
  void tighteningANamespaceNamesThePodsThatBreakIt() {
    for (var name : new String[] {"x", "y"}) {
      plugins.cluster.put(
          "/pods",
          json(
              "{'metadata':{'name':'%s','namespace':'a'},'spec':{'hostPID':true}}"
                  .formatted(name)));
    }
    plugins
        .plugin("PodSecurity")
        .validate(
            plugins.requests.update(NAMESPACES, namespace("'#enforce':'baseline'"), namespace("")));
    assertThat(plugins.requests.warnings)
        .containsExactly(
            "existing pods in namespace \"a\" violate the new PodSecurity enforce level"
                + " \"baseline:latest\"",
            "x (and 1 other pod): host namespaces");
  }

  @Test
  void anUpdateThatChangesNoImageIsNotLookedAt() {
    label("'#enforce':'restricted'");
    var old = pod("{'containers':[{'name':'c','image':'i'}]}");
    var same = old.with("status", JsonObject.EMPTY);
    assertThatCode(
            () -> plugins.plugin("PodSecurity").validate(plugins.requests.update(PODS, same, old)))
        .doesNotThrowAnyException();
    var debug =
        pod(
            "{'containers':[{'name':'c','image':'i'}],'ephemeralContainers':[{'name':'e',"
                + "'image':'i'}]}");
    assertThatThrownBy(
            () ->
                plugins
                    .plugin("PodSecurity")
                    .validate(
                        plugins.requests.request(
                            AdmissionOperation.UPDATE, PODS, "ephemeralcontainers", debug, old)))
        .hasMessageContaining("violates PodSecurity");
  }

  /** What was told, one line for each. */
  private List<String> counted(Runnable requests) {
    var told = new ArrayList<String>();
    plugins.observer =
        new AdmissionObserver() {
          @Override
          public PodSecurityObserver podSecurity() {
            return new PodSecurityObserver() {
              @Override
              public void evaluated(
                  boolean allowed, String level, String version, String mode, Subject subject) {
                told.add(
                    String.join(
                        " ",
                        allowed ? "allow" : "deny",
                        level,
                        version,
                        mode,
                        subject.operation().name(),
                        subject.pod() ? "pod" : "controller"));
              }

              @Override
              public void unreadable(Subject subject) {
                told.add("error " + subject.operation() + (subject.pod() ? " pod" : ""));
              }
            };
          }
        };
    requests.run();
    return told;
  }

  @Test
  void whatIsEnforcedIsCountedAlways() {
    label("'#enforce':'baseline','#enforce-version':'v1.99'");
    assertThat(counted(() -> create(GOOD)))
        .containsExactly("allow baseline future enforce CREATE pod");
    label("");
    assertThat(counted(() -> create("{'hostNetwork':true}")))
        .containsExactly("allow privileged latest enforce CREATE pod");
  }

  @Test
  void whatIsAuditedOrWarnedAboutIsCountedWhenItIsBroken() {
    label("'#audit':'baseline','#audit-version':'v1.30','#warn':'restricted'");
    assertThat(counted(() -> create("{'hostNetwork':true,'containers':[{'name':'c'}]}")))
        .containsExactly(
            "deny baseline v1.30 audit CREATE pod",
            "allow privileged latest enforce CREATE pod",
            "deny restricted latest warn CREATE pod");
  }

  @Test
  void labelsThatCannotBeReadAreCountedAndAudited() {
    label("'#warn':'strict'");
    var request = plugins.requests.create(PODS, pod(GOOD));
    assertThat(counted(() -> plugins.plugin("PodSecurity").validate(request)))
        .containsExactly("error CREATE pod", "allow privileged latest enforce CREATE pod");
    assertThat(request.annotations().all())
        .hasEntrySatisfying(
            "pod-security.kubernetes.io/error",
            error -> assertThat(error).startsWith("Failed to parse policy: "));
  }
}
