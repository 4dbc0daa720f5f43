package dev.muster.audit;

import dev.muster.model.json.JsonObject;

/**
 * The response status of an audit event. It keeps the bounded fields of a {@code Status} object; of
 * other responses only the code.
 *
 * @param fields {@code status}, {@code message}, {@code reason} and {@code details}, as far as
 *     known
 */
public record AuditStatus(int code, JsonObject fields) {
  private static final AuditStatus OK = new AuditStatus(200, JsonObject.EMPTY);
  private static final AuditStatus CREATED = new AuditStatus(201, JsonObject.EMPTY);

  public static AuditStatus of(int code) {
    return switch (code) {
      case 200 -> OK;
      case 201 -> CREATED;
      default -> new AuditStatus(code, JsonObject.EMPTY);
    };
  }

  /**
   * @param status a {@code Status} object
   */
  public static AuditStatus of(int code, JsonObject status) {
    var fields = JsonObject.builder();
    for (var key : new String[] {"status", "message", "reason", "details"}) {
      fields.putIf(key, status.get(key));
    }
    return new AuditStatus(code, fields.build());
  }

  /** The client closed the connection before the response. */
  public static AuditStatus closedEarly() {
    return new AuditStatus(
        200, JsonObject.of("status", "Success", "message", "Connection closed early"));
  }

  public static AuditStatus panicked(String what) {
    return new AuditStatus(
        500,
        JsonObject.of(
            "status",
            "Failure",
            "message",
            "APIServer panic'd: " + what,
            "reason",
            "InternalError"));
  }
}
