package dev.muster.model.status;

/** The reasons of Kubernetes' {@code Status}, each with its HTTP code. */
public enum Reason {
  UNKNOWN("", 500),
  BAD_REQUEST("BadRequest", 400),
  UNAUTHORIZED("Unauthorized", 401),
  FORBIDDEN("Forbidden", 403),
  NOT_FOUND("NotFound", 404),
  METHOD_NOT_ALLOWED("MethodNotAllowed", 405),
  NOT_ACCEPTABLE("NotAcceptable", 406),
  ALREADY_EXISTS("AlreadyExists", 409),
  CONFLICT("Conflict", 409),
  GONE("Gone", 410),
  EXPIRED("Expired", 410),
  REQUEST_ENTITY_TOO_LARGE("RequestEntityTooLarge", 413),
  UNSUPPORTED_MEDIA_TYPE("UnsupportedMediaType", 415),
  INVALID("Invalid", 422),
  TOO_MANY_REQUESTS("TooManyRequests", 429),
  INTERNAL_ERROR("InternalError", 500),
  SERVER_TIMEOUT("ServerTimeout", 500),
  SERVICE_UNAVAILABLE("ServiceUnavailable", 503),
  TIMEOUT("Timeout", 504);

  private final String text;
  private final int code;

  Reason(String text, int code) {
    this.text = text;
    this.code = code;
  }

  /** The reason with that text; {@link #UNKNOWN} for any other text. */
  public static Reason of(String text) {
    for (var reason : values()) {
      if (reason.text.equals(text)) {
        return reason;
      }
    }
    return UNKNOWN;
  }

  public String text() {
    return text;
  }

  public int code() {
    return code;
  }
}
