package dev.muster.server.answer;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import java.util.ArrayList;

/** Renders {@link ApiException}s as {@code Status} objects. No other class does. */
public final class StatusBody {
  private StatusBody() {}

  public static JsonObject of(ApiException error) {
    var body =
        JsonObject.builder()
            .put("kind", "Status")
            .put("apiVersion", "v1")
            .put("metadata", JsonObject.builder().putIf("continue", error.continueToken()).build())
            .put("status", "Failure")
            .putIf("message", error.text())
            .putIf("reason", error.reasonText());
    if (error.details() != StatusDetails.NONE) {
      body.put("details", details(error.details()));
    }
    return body.put("code", error.code()).build();
  }

  /** A Success that names the deleted object, or else states its code. */
  public static JsonObject success(int code, StatusDetails details) {
    var body =
        JsonObject.of(
            "kind",
            "Status",
            "apiVersion",
            "v1",
            "metadata",
            JsonObject.EMPTY,
            "status",
            "Success");
    return details == StatusDetails.NONE
        ? body.with("code", code)
        : body.with("details", details(details));
  }

  private static JsonObject details(StatusDetails details) {
    var body =
        JsonObject.builder()
            .putIf("name", details.name())
            .putIf("group", details.group())
            .putIf("kind", details.kind())
            .putIf("uid", details.uid());
    if (!details.causes().isEmpty()) {
      var causes = new ArrayList<Json>();
      for (var cause : details.causes()) {
        causes.add(
            JsonObject.builder()
                .putIf("reason", cause.reason())
                .putIf("message", cause.message())
                .putIf("field", cause.field())
                .build());
      }
      body.put("causes", JsonArray.of(causes));
    }
    if (details.retryAfterSeconds() > 0) {
      body.put("retryAfterSeconds", details.retryAfterSeconds());
    }
    return body.build();
  }
}
