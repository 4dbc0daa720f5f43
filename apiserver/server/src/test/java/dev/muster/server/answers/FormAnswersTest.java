package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be had as a table or as metadata alone, and what cannot. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormAnswersTest {
  private static final String REVIEW = "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\"}}}";

  private RunningServer server;
  private String namespace;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    namespace = "/api/v1/namespaces/" + server.namespace();
    server.post(namespace + "/serviceaccounts", "{\"metadata\":{\"name\":\"s\"}}");
    server.post(
        namespace + "/pods",
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"serviceAccountName\":\"s\","
            + "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private RunningServer.Answer ask(String method, String path, String kind, String body) {
    return server.send(
        method,
        path.startsWith("/apis") ? path : namespace + path,
        RunningServer.JSON,
        RunningServer.JSON + ";as=" + kind + ";g=meta.k8s.io;v=v1",
        body.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "GET | /pods/p | 200",
        "GET | /pods/p/status | 200",
        "GET | /pods/p/ephemeralcontainers | 406",
        "GET | /pods/p/resize | 406",
        "GET | /status | 200",
        "PUT | /finalize | 406",
        "POST | /pods/p/binding | 406",
        "POST | /pods/p/eviction | 406",
        "POST | /bindings | 406",
        "POST | /serviceaccounts/s/token | 406",
        "POST | /apis/authorization.k8s.io/v1/selfsubjectaccessreviews | 406",
        "POST | /apis/authentication.k8s.io/v1/selfsubjectreviews | 406",
        "GET | /apis/certificates.k8s.io/v1/certificatesigningrequests/none/status | 404",
        "GET | /apis/certificates.k8s.io/v1/certificatesigningrequests/none/approval | 406",
        "GET | /apis/apiregistration.k8s.io/v1/apiservices/v1./status | 406",
        "GET | /apis/apiextensions.k8s.io/v1/customresourcedefinitions/none/status | 406",
      })
  void whatHasATable(String method, String path, int code) {
    assertThat(ask(method, path, "Table", "{}").code()).isEqualTo(code);
  }

  @Test
  void aReviewCanBeHadAsMetadataAlone() {
    var path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    var answer = ask("POST", path, "PartialObjectMetadata", REVIEW).object();
    assertThat(answer.string("kind")).isEqualTo("PartialObjectMetadata");
    assertThat(answer.has("status")).isFalse();
    assertThat(ask("POST", path, "PartialObjectMetadataList", REVIEW).message())
        .isEqualTo(
            "you requested PartialObjectMetadataList, but the requested object is not a list"
                + " (*authorization.SelfSubjectAccessReview)");
  }

  @Test
  void metadataAloneDoesNotShowWhatAConversionAdds() {
    var scalers = "/namespaces/" + server.namespace() + "/horizontalpodautoscalers";
    server.post(
        "/apis/autoscaling/v2" + scalers,
        "{\"metadata\":{\"name\":\"h\"},\"spec\":{\"maxReplicas\":2,\"scaleTargetRef\":"
            + "{\"kind\":\"Deployment\",\"name\":\"d\",\"apiVersion\":\"apps/v1\"},"
            + "\"metrics\":[{\"type\":\"Pods\",\"pods\":{\"metric\":{\"name\":\"m\"},"
            + "\"target\":{\"type\":\"AverageValue\",\"averageValue\":\"1\"}}}]}}");
    var path = "/apis/autoscaling/v1" + scalers + "/h";
    assertThat(server.get(path).object().object("metadata").has("annotations")).isTrue();
    assertThat(
            ask("GET", path, "PartialObjectMetadata", "")
                .object()
                .object("metadata")
                .has("annotations"))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/api, application/vnd.kubernetes.protobuf, 200",
    "/api/v1, application/vnd.kubernetes.protobuf, 200",
    "/apis, application/vnd.kubernetes.protobuf, 200",
    "/apis/apps/v1, application/json;as=Table;v=v1;g=meta.k8s.io, 406",
    "/apis/apps, application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io, 406",
    "/apis, application/yaml;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io, 200",
    "/apis, application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io, 406",
    "/version, application/yaml, 406",
    "/openid/v1/jwks, application/jwk-set+json, 200",
    "/openid/v1/jwks, application/json, 406",
  })
  void theFormsOfADocument(String path, String accept, int code) {
    assertThat(server.send("GET", path, "", accept, new byte[0]).code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/default, application/json, {\"kind\":\"Namespace\"",
    "/api/v1/namespaces, application/json, {\"kind\":\"NamespaceList\"",
    "/api/v1/namespaces/none, application/json, {\"kind\":\"Status\"",
    "/api, application/json, {\"kind\":\"APIVersions\"",
  })
  void compactJsonIsOneLine(String path, String accept, String start) {
    assertThat(form(path, accept)).startsWith(start).endsWith("}\n").containsOnlyOnce("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/namespaces/default?pretty=true, application/json, Namespace",
    "/api/v1/namespaces?pretty=true, application/json, NamespaceList",
    "/api/v1/namespaces/none?pretty=true, application/json, Status",
    "/api/v1/namespaces/none, text/html, Status",
    "/api?pretty=1, application/json, APIVersions",
  })
  void jsonForPeopleIsIndentedAndDoesNotEndTheLine(String path, String accept, String kind) {
    assertThat(form(path, accept)).startsWith("{\n  \"kind\": \"" + kind + "\",\n").endsWith("\n}");
  }

  @Test
  void theVersionIsAlwaysWrittenForPeople() {
    assertThat(form("/version", "application/json")).startsWith("{\n  \"major\": \"1\",\n");
  }

  private String form(String path, String accept) {
    return server.send("GET", path, "", accept, new byte[0]).text();
  }

  @Test
  void documentsThatAreOnlyReadRefuseOtherMethodsAsResourcesDo() {
    for (var path : new String[] {"/version", "/api", "/apis/apps/v1"}) {
      assertThat(server.post(path, "{}").message())
          .isEqualTo("the server does not allow this method on the requested resource");
    }
  }
}
