package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.audit.AuditMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that nobody allows while somebody who could have is not able to say. */
@Timeout(120)
class UndecidedRequestsTest {
  private static final String ERROR =
      "cel evaluation error: expression 'request.resourceAttributes.name > 'a'' resulted in error:"
          + " no such key: resourceAttributes";

  @TempDir private Path folder;

  private AuthorizationOptions authorization() throws Exception {
    var kubeconfig =
        Files.writeString(
            folder.resolve("webhook.kubeconfig"),
            """
            clusters: [{name: hook, cluster: {server: "http://127.0.0.1:1"}}]
            contexts: [{name: hook, context: {cluster: hook}}]
            current-context: hook
            """);
    var file =
        Files.writeString(
            folder.resolve("authorization.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: AuthorizationConfiguration
            authorizers:
            - {type: RBAC, name: rbac}
            - type: Webhook
              name: hook
              webhook:
                timeout: 3s
                subjectAccessReviewVersion: v1
                matchConditionSubjectAccessReviewVersion: v1
                failurePolicy: Deny
                connectionInfo: {type: KubeConfigFile, kubeConfigFile: %s}
                matchConditions: [{expression: "request.resourceAttributes.name > 'a'"}]
            """
                .formatted(kubeconfig));
    var usual = AuthorizationOptions.defaults();
    return new AuthorizationOptions(
        usual.modes(),
        usual.policyFile(),
        usual.webhookConfigFile(),
        usual.webhookVersion(),
        usual.authorizedTtl(),
        usual.unauthorizedTtl(),
        file);
  }

  @Test
  void areAnsweredAndToldAsErrors() throws Exception {
    var file = new AuditFile(folder.resolve("audit.log"));
    var logged = file.logged("rules: [{level: RequestResponse}]", AuditMode.BLOCKING);
    var authorization = authorization();
    try (var server =
        RunningServer.start(
            folder, options -> logged.apply(options).withAuthorization(authorization))) {
      var answer = server.as("jane", "GET", "/metrics?a=1&b=2", "").join();
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
      assertThat(answer.headers().firstValue("x-content-type-options")).hasValue("nosniff");
      assertThat(answer.body())
          .isEqualTo(
              "Internal Server Error: \"/metrics?a=1&amp;b=2\": "
                  + ERROR.replace(">", "&gt;")
                  + "\n");
      var event = file.completed("/metrics?a=1&b=2");
      assertThat(event.get("responseStatus")).hasToString("{\"metadata\":{},\"code\":500}");
      assertThat(event.get("annotations"))
          .hasToString("{\"authorization.k8s.io/reason\":\"internal error\"}");
    }
  }
}
