package dev.muster.registry.webhook;

import dev.muster.model.GroupVersion;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Parses the review in a webhook's response, with the error messages of kube-apiserver's client.
 * The Content-Type of the response does not matter.
 *
 * @param versions the versions of the review that exist
 */
public record ReviewReader(String group, String kind, Set<String> versions) {
  private static final int TOLD_BYTES = 2048;

  /** The name of the Go scheme in kube-apiserver's messages. */
  private static final String SCHEME = "\"k8s.io/apiserver/pkg/util/webhook/client.go:71\"";

  public ReviewReader {
    versions = Set.copyOf(versions);
  }

  /**
   * The review. Without apiVersion and kind it counts as the expected version.
   *
   * @throws WebhookException when the response contains no review
   */
  public JsonObject read(WebhookResponse response, String version) throws WebhookException {
    if (response.status() < 200 || response.status() > 206) {
      throw refused(response);
    }
    if (response.body().length == 0) {
      var type = response.contentType();
      throw new WebhookException(
          "0-length response with status code: %d and content type: %s"
              .formatted(response.status(), type.isEmpty() ? "application/json" : type));
    }
    return review(parse(response.body()), version);
  }

  private JsonObject review(JsonObject body, String version) throws WebhookException {
    var expected = new GroupVersion(group, version);
    var says = body.string("apiVersion");
    var actual = says.isEmpty() ? expected : GroupVersion.parse(says);
    var actualKind = body.string("kind").isEmpty() ? kind : body.string("kind");
    if (actual.equals(new GroupVersion("", "v1")) && actualKind.equals("Status")) {
      if (!body.string("status").equals("Success")) {
        throw new WebhookException(body.string("message"));
      }
      return JsonObject.EMPTY;
    }
    if (!actual.group().equals(group)
        || !versions.contains(actual.version())
        || !actualKind.equals(kind)) {
      throw new WebhookException(
          "no kind %s is registered for version %s in scheme %s"
              .formatted(GoText.quote(actualKind), GoText.quote(actual.toString()), SCHEME));
    }
    if (!actual.equals(expected)) {
      throw new WebhookException(
          "converting (%s.%s) to (%s.%s): unknown conversion"
              .formatted(actual.version(), kind, version, kind));
    }
    return body;
  }

  /** Parses JSON, or else YAML, in which any text is a valid document. */
  private static JsonObject parse(byte[] body) throws WebhookException {
    Json value;
    try {
      value = JsonReader.read(body);
    } catch (DecodeException noJson) {
      try {
        value = YamlReader.read(body);
      } catch (DecodeException e) {
        throw unreadable(e.text());
      }
    }
    return switch (value) {
      case JsonObject object -> object;
      case JsonNull ignored -> JsonObject.EMPTY;
      default ->
          throw unreadable(
              "json: cannot unmarshal "
                  + GoText.kind(value)
                  + " into Go value of type struct { APIVersion string"
                  + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
                  + " \"json:\\\"kind,omitempty\\\"\" }");
    };
  }

  private static WebhookException unreadable(String why) {
    return new WebhookException("couldn't get version/kind; json parse error: " + why);
  }

  /** The error in a returned Status, or the error of the HTTP code. */
  private static WebhookException refused(WebhookResponse response) {
    return new WebhookException(
        complaint(response.body()).orElseGet(() -> meaning(response.status(), text(response))));
  }

  private static Optional<String> complaint(byte[] body) {
    try {
      return JsonReader.read(body) instanceof JsonObject status
              && (status.string("kind").isEmpty() || status.string("kind").equals("Status"))
              && (status.string("apiVersion").isEmpty() || status.string("apiVersion").equals("v1"))
              && status.string("status").equals("Failure")
          ? Optional.of(status.string("message"))
          : Optional.empty();
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }

  private static String text(WebhookResponse response) {
    var type = response.contentType().toLowerCase(Locale.ROOT);
    if (!type.isEmpty() && !type.startsWith("text/")) {
      return "unknown";
    }
    var body = response.body();
    return new String(body, 0, Math.min(body.length, TOLD_BYTES), StandardCharsets.UTF_8).strip();
  }

  /** Like kube-apiserver, reports a redirect as a bad request. */
  private static String meaning(int status, String text) {
    return switch (status) {
      case 301, 302, 303, 307, 308, 400 -> "the server rejected our request for an unknown reason";
      case 401 -> "the server has asked for the client to provide credentials";
      case 403, 415 -> text;
      case 404 -> "the server could not find the requested resource";
      case 405 -> "the server does not allow this method on the requested resource";
      case 406 ->
          text.isEmpty() || text.equals("unknown")
              ? "the server was unable to respond with a content type that the client supports"
              : text;
      case 409 -> "the server reported a conflict";
      case 422 -> "the server rejected our request due to an error in our request";
      case 429 -> "the server has received too many requests and has asked us to try again later";
      case 503 -> "the server is currently unable to handle the request";
      case 504 ->
          "the server was unable to return a response in the time allotted, but may still be"
              + " processing the request";
      default ->
          status >= 500
              ? "an error on the server (%s) has prevented the request from succeeding"
                  .formatted(GoText.quote(text))
              : "the server responded with the status code %d but did not return more information"
                  .formatted(status);
    };
  }
}
