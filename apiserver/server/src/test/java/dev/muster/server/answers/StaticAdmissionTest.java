package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server with a policy from a file, and with namespaces that come about by themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StaticAdmissionTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICY = "guard.static.k8s.io";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    var manifests = Files.createDirectory(directory.resolve("manifests"));
    Files.writeString(
        manifests.resolve("guard.yaml"),
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: guard.static.k8s.io}
        spec:
          matchConstraints:
            resourceRules:
            - apiGroups: ['', admissionregistration.k8s.io]
              apiVersions: [v1]
              operations: ['*']
              resources: [configmaps, validatingadmissionpolicies]
          matchConditions:
          - {name: named, expression: "object.metadata.name.startsWith('forbidden')"}
          validations: [{expression: 'false', message: 'by file'}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: guard.static.k8s.io}
        spec: {policyName: guard.static.k8s.io, validationActions: [Deny]}
        """);
    var file =
        Files.writeString(
            directory.resolve("admission.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AdmissionConfiguration
            plugins:
            - name: ValidatingAdmissionPolicy
              configuration:
                apiVersion: apiserver.config.k8s.io/v1
                kind: ValidatingAdmissionPolicyConfiguration
                staticManifestsDir: %s
            """
                .formatted(manifests));
    server =
        RunningServer.start(
            directory,
            options ->
                options
                    .withAdmission(
                        new AdmissionOptions(
                            List.of("NamespaceAutoProvision"),
                            List.of("ServiceAccount"),
                            file,
                            300,
                            300))
                    .withApi(
                        new ApiOptions(
                            Map.of(), Map.of("ManifestBasedAdmissionControlConfig", true))));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private RunningServer.Answer configMap(String namespace, String name) {
    return server.post(
        "/api/v1/namespaces/" + namespace + "/configmaps",
        "{\"metadata\":{\"name\":\"" + name + "\"}}");
  }

  private static String policy(String name) {
    return ("{'metadata':{'name':'%s'},'spec':{'matchConstraints':{'resourceRules':[{'apiGroups':"
            + "[''],'apiVersions':['v1'],'resources':['pods'],'operations':['*']}]},"
            + "'validations':[{'expression':'true'}]}}")
        .formatted(name)
        .replace('\'', '"');
  }

  @Test
  void aPolicyOfAFileIsInForceAndTheApiDoesNotKnowIt() {
    assertThat(configMap("default", "forbidden").message())
        .isEqualTo(
            "configmaps \"forbidden\" is forbidden: ValidatingAdmissionPolicy"
                + " 'guard.static.k8s.io' with binding 'guard.static.k8s.io' denied request: by"
                + " file");
    assertThat(configMap("default", "allowed").code()).isEqualTo(201);
    assertThat(server.get(GROUP + "validatingadmissionpolicies/" + POLICY).code()).isEqualTo(404);
    assertThat(server.get("/metrics").text())
        .contains(
            "apiserver_admission_match_condition_exclusions_total{kind=\"policy\",name=\"" + POLICY,
            "apiserver_admission_match_condition_evaluation_seconds_count{kind=\"policy\"",
            "apiserver_manifest_admission_config_controller_automatic_reloads_total{",
            "apiserver_manifest_admission_config_controller_last_config_info{",
            "plugin=\"ValidatingAdmissionPolicy\"");
  }

  @Test
  void policiesOfFilesLookAtPoliciesOfTheApi() {
    var refused = server.post(GROUP + "validatingadmissionpolicies", policy("forbidden"));
    assertThat(refused.message()).endsWith("denied request: by file");
    assertThat(server.post(GROUP + "validatingadmissionpolicies", policy("allowed")).code())
        .isEqualTo(201);
  }

  @Test
  void namesOfFilesAreNotGivenThroughTheApi() {
    var refused = server.post(GROUP + "validatingadmissionpolicies", policy("a.static.k8s.io"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .isEqualTo(
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"a.static.k8s.io\" is invalid:"
                + " metadata.name: Invalid value: \"a.static.k8s.io\": names ending with"
                + " \".static.k8s.io\" are reserved for static manifest-based configurations and"
                + " cannot be managed via the API");
  }

  @Test
  void aNamespaceComesAboutWithTheFirstObjectInIt() {
    assertThat(server.get("/api/v1/namespaces/new").code()).isEqualTo(404);
    var made = configMap("new", "first");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(server.get("/api/v1/namespaces/new").code()).isEqualTo(200);
    assertThat(
            server
                .post(
                    "/api/v1/namespaces/dry/configmaps?dryRun=All",
                    "{\"metadata\":{\"name\":\"a\"}}")
                .code())
        .isEqualTo(404);
  }
}
