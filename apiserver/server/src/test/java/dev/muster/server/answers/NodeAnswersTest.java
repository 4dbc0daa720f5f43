package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.AuthorizationOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kubelet gets to see of a server with --authorization-mode=Node,RBAC. */
class NodeAnswersTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  @TempDir private Path folder;

  private static RunningServer.Answer as(
      RunningServer server, String node, String method, String path, String body) {
    return server.send(
        HttpRequest.newBuilder(URI.create(server.url(path)))
            .header("Impersonate-User", "system:node:" + node)
            .header("Impersonate-Group", "system:nodes")
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  @Test
  void aKubeletReadsWhatItsPodsUseAndHasItsOwnObjects() throws Exception {
    try (var server =
        RunningServer.start(
            folder,
            options ->
                options
                    .withAdmission(
                        new AdmissionOptions(List.of("NodeRestriction"), List.of("ServiceAccount")))
                    .withAuthorization(
                        new AuthorizationOptions(
                            List.of(AuthorizerType.NODE, AuthorizerType.RBAC))))) {
      for (var name : List.of("used", "other")) {
        var made = server.post(SECRETS, "{\"metadata\":{\"name\":\"" + name + "\"}}");
        assertThat(made.code()).as(made.text()).isEqualTo(201);
      }
      assertThat(as(server, "n1", "POST", "/api/v1/nodes", "{'metadata':{'name':'n1'}}").code())
          .isEqualTo(201);
      assertThat(as(server, "n1", "POST", "/api/v1/nodes", "{'metadata':{'name':'n2'}}").code())
          .isEqualTo(403);
      assertThat(as(server, "n1", "GET", SECRETS + "/used", "").text())
          .contains("no relationship found between node 'n1' and this object");
      var account =
          server.post(
              "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"runner\"}}");
      assertThat(account.code()).isEqualTo(201);
      var pod =
          server.post(
              PODS,
              """
              {"metadata":{"name":"p"},"spec":{"nodeName":"n1","serviceAccountName":"runner",
               "containers":[{"name":"c","image":"i"}],
               "volumes":[{"name":"v","secret":{"secretName":"used"}}]}}
              """);
      assertThat(pod.code()).as(pod.text()).isEqualTo(201);

      assertThat(as(server, "n1", "GET", SECRETS + "/used", "").code()).isEqualTo(200);
      assertThat(as(server, "n1", "GET", SECRETS + "/other", "").code()).isEqualTo(403);
      assertThat(as(server, "n2", "GET", SECRETS + "/used", "").code()).isEqualTo(403);
      assertThat(as(server, "n1", "GET", SECRETS, "").code()).isEqualTo(403);
      assertThat(
              as(server, "n1", "GET", SECRETS + "?fieldSelector=metadata.name%3Dused", "").code())
          .isEqualTo(200);
      assertThat(
              as(server, "n1", "GET", SECRETS + "?fieldSelector=metadata.name%3Dother", "").code())
          .isEqualTo(403);
      assertThat(
              as(server, "n1", "GET", "/api/v1/pods?fieldSelector=spec.nodeName%3Dn1", "").code())
          .isEqualTo(200);
      assertThat(as(server, "n1", "GET", "/api/v1/pods", "").text())
          .contains("can only list/watch pods with spec.nodeName field selector");
      assertThat(as(server, "n1", "GET", "/api/v1/nodes/n1", "").code()).isEqualTo(200);
      assertThat(
              as(
                      server,
                      "n1",
                      "POST",
                      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
                      "{'metadata':{'name':'n1'},'spec':{'holderIdentity':'n1'}}")
                  .code())
          .isEqualTo(201);

      assertThat(server.delete(PODS + "/p?gracePeriodSeconds=0", "").code()).isEqualTo(200);
      assertThat(as(server, "n1", "GET", SECRETS + "/used", "").code())
          .as("from the moment at which the pod is gone")
          .isEqualTo(403);
      assertThat(server.get("/metrics").text())
          .contains(
              "apiserver_authorization_decisions_total{decision=\"allowed\",name=\"node\","
                  + "type=\"Node\"}");
    }
  }
}
