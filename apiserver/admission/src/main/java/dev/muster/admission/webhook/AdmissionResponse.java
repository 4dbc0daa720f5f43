package dev.muster.admission.webhook;

import dev.muster.model.GroupVersion;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.webhook.WebhookException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response of an admission webhook.
 *
 * @param patch of the object; empty for no change
 * @param patchType as the webhook names it, or ""
 * @param result the Status of a denial; empty when there is none
 * @param annotations for the audit log
 */
record AdmissionResponse(
    boolean allowed,
    byte[] patch,
    String patchType,
    JsonObject result,
    List<String> warnings,
    Map<String, String> annotations) {
  private static final String AT = "AdmissionResponse.response.";

  /**
   * Decodes the response of a review as Go would, without checking its content.
   *
   * @return null when there is none
   * @throws WebhookException when a field has the wrong type
   */
  static @Nullable JsonObject decoded(JsonObject review) throws WebhookException {
    var value = review.get("response");
    if (value == null || value == JsonNull.NULL) {
      return null;
    }
    if (!(value instanceof JsonObject response)) {
      throw wrong(value, "AdmissionReview.response", "AdmissionResponse");
    }
    text(response, "uid", AT, "types.UID");
    bool(response);
    text(response, "patch", AT, "[]uint8");
    text(response, "patchType", AT, "v1.PatchType");
    texts(response.get("warnings"), "[]string");
    strings(response.get("auditAnnotations"));
    var status = response.get("status");
    if (status instanceof JsonObject result) {
      for (var field : List.of("status", "message")) {
        text(result, field, "Status.response.status.", "string");
      }
      text(result, "reason", "Status.response.status.", "v1.StatusReason");
      var code = result.get("code");
      if (code != null && code != JsonNull.NULL && !(code instanceof JsonInteger)) {
        throw wrong(code, "Status.response.status.code", "int32");
      }
    } else if (status != null && status != JsonNull.NULL) {
      throw wrong(status, AT + "status", "v1.Status");
    }
    bytes(response.string("patch"));
    return response;
  }

  private static void bool(JsonObject response) throws WebhookException {
    var allowed = response.get("allowed");
    if (allowed != null && allowed != JsonNull.NULL && !(allowed instanceof JsonBool)) {
      throw wrong(allowed, AT + "allowed", "bool");
    }
  }

  private static void text(JsonObject object, String field, String at, String type)
      throws WebhookException {
    var value = object.get(field);
    if (value != null && value != JsonNull.NULL && !(value instanceof JsonString)) {
      throw wrong(value, at + field, type);
    }
  }

  private static void texts(@Nullable Json value, String type) throws WebhookException {
    if (value == null || value == JsonNull.NULL) {
      return;
    }
    if (!(value instanceof JsonArray items)) {
      throw wrong(value, AT + "warnings", type);
    }
    for (var item : items) {
      if (!(item instanceof JsonString) && item != JsonNull.NULL) {
        throw wrong(item, AT + "warnings", "string");
      }
    }
  }

  private static void strings(@Nullable Json value) throws WebhookException {
    if (value == null || value == JsonNull.NULL) {
      return;
    }
    if (!(value instanceof JsonObject entries)) {
      throw wrong(value, AT + "auditAnnotations", "map[string]string");
    }
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.value(i) instanceof JsonString) && entries.value(i) != JsonNull.NULL) {
        throw wrong(entries.value(i), AT + "auditAnnotations", "string");
      }
    }
  }

  private static WebhookException wrong(Json value, String field, String type) {
    return new WebhookException(
        "json: cannot unmarshal %s into Go struct field %s of type %s"
            .formatted(GoText.kind(value), field, type));
  }

  private static byte[] bytes(String base64) throws WebhookException {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new WebhookException("illegal base64 data at input byte " + firstWrong(base64));
    }
  }

  private static int firstWrong(String base64) {
    for (int i = 0; i < base64.length(); i++) {
      char c = base64.charAt(i);
      boolean plain =
          (c >= 'A' && c <= 'Z')
              || (c >= 'a' && c <= 'z')
              || (c >= '0' && c <= '9')
              || c == '+'
              || c == '/';
      if (!plain) {
        return i;
      }
    }
    return base64.length() / 4 * 4;
  }

  /**
   * Checks that the response belongs to the review, and interprets it.
   *
   * @param mutates whether the webhook may change the object
   * @throws WebhookException when the response belongs to another review or is inconsistent
   */
  static AdmissionResponse verified(
      AdmissionReview asked, boolean mutates, JsonObject review, @Nullable JsonObject response)
      throws WebhookException {
    if (response == null) {
      throw new WebhookException("webhook response was absent");
    }
    var patch = bytes(response.string("patch"));
    var type = response.string("patchType");
    if (asked.version().equals("v1")) {
      checkIdentity(asked, review, response);
      checkPatch(mutates, patch, response.get("patchType"));
    } else {
      patch = mutates ? patch : new byte[0];
      type = "JSONPatch";
    }
    return new AdmissionResponse(
        response.isTrue("allowed"),
        patch,
        type,
        response.object("status"),
        response.array("warnings").strings(),
        response.object("auditAnnotations").strings());
  }

  private static void checkIdentity(AdmissionReview asked, JsonObject review, JsonObject response)
      throws WebhookException {
    if (!response.string("uid").equals(asked.uid())) {
      throw new WebhookException(
          "expected response.uid=%s, got %s"
              .formatted(GoText.quote(asked.uid()), GoText.quote(response.string("uid"))));
    }
    var apiVersion = review.string("apiVersion");
    var kind = review.string("kind");
    if (!apiVersion.equals(AdmissionReview.GROUP + "/v1") || !kind.equals(AdmissionReview.KIND)) {
      var given = GroupVersion.parse(apiVersion);
      throw new WebhookException(
          "expected webhook response of %s/v1, Kind=%s, got %s/%s, Kind=%s"
              .formatted(
                  AdmissionReview.GROUP,
                  AdmissionReview.KIND,
                  given.group(),
                  given.version(),
                  kind));
    }
  }

  private static void checkPatch(boolean mutates, byte[] patch, @Nullable Json type)
      throws WebhookException {
    boolean typed = type instanceof JsonString;
    if (!mutates) {
      if (patch.length > 0) {
        throw new WebhookException("validating webhook may not return response.patch");
      }
      if (typed) {
        throw new WebhookException("validating webhook may not return response.patchType");
      }
      return;
    }
    if (patch.length > 0 && !typed) {
      throw new WebhookException("webhook returned response.patch but not response.patchType");
    }
    if (patch.length == 0 && typed) {
      throw new WebhookException("webhook returned response.patchType but not response.patch");
    }
    if (type instanceof JsonString(var text) && text.isEmpty()) {
      throw new WebhookException("webhook returned invalid response.patchType of \"\"");
    }
  }

  /** Adds the webhook's warnings and audit annotations to the request. */
  void publish(Hook hook, AdmissionRequest request) {
    warnings.forEach(request.warnings());
    annotations.forEach((key, value) -> request.annotations().add(hook.name() + "/" + key, value));
  }

  /** The error for a request that the webhook denies. */
  ApiException denial(String hook) {
    var denied = "admission webhook " + GoText.quote(hook) + " denied the request";
    var message = result.string("message");
    var reason = result.string("reason");
    var said = message.isEmpty() ? reason : message;
    return ApiException.foreign(
        reason,
        code(result.integer("code", 0)),
        said.isEmpty() ? denied + " without explanation" : denied + ": " + said,
        details());
  }

  /** A success code of a denial is replaced; a code outside HTTP is an error of the webhook. */
  private static int code(long given) {
    return given > 999 ? 500 : (int) Math.max(400, given);
  }

  private StatusDetails details() {
    if (!(result.get("details") instanceof JsonObject details)) {
      return StatusDetails.NONE;
    }
    return new StatusDetails(
        details.string("name"),
        details.string("group"),
        details.string("kind"),
        details.string("uid"),
        details.array("causes").objects().stream()
            .map(
                cause ->
                    new StatusDetails.Cause(
                        cause.string("reason"), cause.string("message"), cause.string("field")))
            .toList(),
        (int) details.integer("retryAfterSeconds", 0));
  }
}
