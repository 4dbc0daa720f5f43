package dev.muster.model.status;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.validation.FieldError;
import java.util.List;

/**
 * A failed request with the content of its {@code Status}. Any step of a request may throw it; one
 * class renders it. It becomes a response to the client, so it has no stack trace.
 */
public final class ApiException extends RuntimeException {
  private final Reason reason;
  private final String reasonText;
  private final int code;
  private final StatusDetails details;
  private final String continueToken;

  public ApiException(Reason reason, int code, String message, StatusDetails details) {
    this(reason, reason.text(), code, message, details, "");
  }

  private ApiException(
      Reason reason,
      String reasonText,
      int code,
      String message,
      StatusDetails details,
      String continueToken) {
    super(message, null, false, false);
    this.reason = reason;
    this.reasonText = reasonText;
    this.code = code;
    this.details = details;
    this.continueToken = continueToken;
  }

  public ApiException(Reason reason, String message, StatusDetails details) {
    this(reason, reason.code(), message, details);
  }

  public ApiException(Reason reason, String message) {
    this(reason, message, StatusDetails.NONE);
  }

  public Reason reason() {
    return reason;
  }

  /** The reason in the Status. A webhook's reason may be one that Kubernetes does not define. */
  public String reasonText() {
    return reasonText;
  }

  public int code() {
    return code;
  }

  public StatusDetails details() {
    return details;
  }

  /** The same error with a continue token in its list metadata. */
  public ApiException withContinue(String token) {
    return new ApiException(reason, reasonText, code, text(), details, token);
  }

  /** The continue token of the error, or "". */
  public String continueToken() {
    return continueToken;
  }

  public String text() {
    var message = getMessage();
    return message == null ? "" : message;
  }

  /** An error from another component, such as a webhook; its reason is any text. */
  public static ApiException foreign(
      String reasonText, int code, String message, StatusDetails details) {
    return new ApiException(Reason.of(reasonText), reasonText, code, message, details, "");
  }

  public static ApiException badRequest(String message) {
    return new ApiException(Reason.BAD_REQUEST, message);
  }

  public static ApiException notFound(GroupResource resource, String name) {
    return new ApiException(
        Reason.NOT_FOUND,
        resource + " " + GoText.quote(name) + " not found",
        StatusDetails.of(resource, name));
  }

  public static ApiException alreadyExists(GroupResource resource, String name) {
    return new ApiException(
        Reason.ALREADY_EXISTS,
        resource + " " + GoText.quote(name) + " already exists",
        StatusDetails.of(resource, name));
  }

  public static ApiException conflict(GroupResource resource, String name, String why) {
    return new ApiException(
        Reason.CONFLICT,
        "Operation cannot be fulfilled on " + resource + " " + GoText.quote(name) + ": " + why,
        StatusDetails.of(resource, name));
  }

  public static ApiException forbidden(GroupResource resource, String name, String why) {
    var subject =
        resource.resource().isEmpty()
            ? "forbidden: "
            : resource + (name.isEmpty() ? "" : " " + GoText.quote(name)) + " is forbidden: ";
    return new ApiException(Reason.FORBIDDEN, subject + why, StatusDetails.of(resource, name));
  }

  public static ApiException invalid(GroupKind kind, String name, List<FieldError> errors) {
    var causes =
        errors.stream()
            .map(e -> new StatusDetails.Cause(e.type().reason(), e.body(), e.path()))
            .toList();
    var details = new StatusDetails(name, kind.group(), kind.kind(), "", causes, 0);
    var subject = kind + " " + GoText.quote(name) + " is invalid";
    return new ApiException(Reason.INVALID, subject + ": " + FieldError.join(errors), details);
  }

  public static ApiException internal(String message) {
    return new ApiException(
        Reason.INTERNAL_ERROR,
        500,
        "Internal error occurred: " + message,
        StatusDetails.NONE.withCauses(List.of(new StatusDetails.Cause("", message, ""))));
  }
}
