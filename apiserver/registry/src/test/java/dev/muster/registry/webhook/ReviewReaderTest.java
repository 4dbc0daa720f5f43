package dev.muster.registry.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReviewReaderTest {
  private static final ReviewReader READER =
      new ReviewReader("admission.k8s.io", "AdmissionReview", Set.of("v1", "v1beta1"));

  private static WebhookResponse answer(int status, String type, String body) {
    return new WebhookResponse(status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void fails(int status, String type, String body, String message) {
    assertThatThrownBy(() -> READER.read(answer(status, type, body), "v1")).hasMessage(message);
  }

  @Test
  void theContentCountsAndNotItsType() throws Exception {
    var body =
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{}}";
    assertThat(READER.read(answer(200, "text/html", body), "v1").has("response")).isTrue();
    assertThat(READER.read(answer(201, "", body), "v1").has("response")).isTrue();
    var yaml = "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse: {}\n";
    assertThat(READER.read(answer(200, "", yaml), "v1").has("response")).isTrue();
  }

  @Test
  void whatLacksVersionAndKindIsTakenForWhatWasExpected() throws Exception {
    assertThat(READER.read(answer(200, "", "{\"response\":{}}"), "v1").has("response")).isTrue();
    assertThat(READER.read(answer(200, "", "null"), "v1").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "302 | the server rejected our request for an unknown reason",
        "400 | the server rejected our request for an unknown reason",
        "401 | the server has asked for the client to provide credentials",
        "403 | oops",
        "404 | the server could not find the requested resource",
        "405 | the server does not allow this method on the requested resource",
        "406 | oops",
        "409 | the server reported a conflict",
        "410 | the server responded with the status code 410 but did not return more information",
        "415 | oops",
        "422 | the server rejected our request due to an error in our request",
        "429 | the server has received too many requests and has asked us to try again later",
        "500 | an error on the server (\"oops\") has prevented the request from succeeding",
        "502 | an error on the server (\"oops\") has prevented the request from succeeding",
        "503 | the server is currently unable to handle the request",
      })
  void everyRefusalHasItsWords(int status, String message) {
    fails(status, "text/plain", " oops\n", message);
  }

  @Test
  void ofWhatIsNoTextNothingIsTold() {
    fails(
        500,
        "application/octet-stream",
        "oops",
        "an error on the server (\"unknown\") has prevented the request from succeeding");
  }

  @Test
  void aStatusSpeaksForItself() {
    var status =
        "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"not"
            + " today\"}";
    fails(200, "", status, "not today");
    fails(500, "application/json", status, "not today");
  }

  @Test
  void nothingIsNoReview() {
    fails(
        200,
        "application/json",
        "",
        "0-length response with status code: 200 and content type: application/json");
    fails(
        204, "", "", "0-length response with status code: 204 and content type: application/json");
  }

  @Test
  void otherThingsAreNoReviews() {
    var struct =
        " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
            + " Kind string \"json:\\\"kind,omitempty\\\"\" }";
    var parse = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
    fails(200, "", "hello", parse + "string" + struct);
    fails(200, "", "[]", parse + "array" + struct);
    fails(
        200,
        "",
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"Other\"}",
        "no kind \"Other\" is registered for version \"admission.k8s.io/v1\" in scheme"
            + " \"k8s.io/apiserver/pkg/util/webhook/client.go:71\"");
    fails(
        200,
        "",
        "{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\"}",
        "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion");
  }
}
