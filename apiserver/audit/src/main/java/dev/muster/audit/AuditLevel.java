package dev.muster.audit;

/** The amount of detail in an audit event, in ascending order. */
public enum AuditLevel {
  NONE("None"),
  /** The user, the request and the response code. */
  METADATA("Metadata"),
  /** Also the request object. */
  REQUEST("Request"),
  /** Also the response object. */
  REQUEST_RESPONSE("RequestResponse");

  private final String text;

  AuditLevel(String text) {
    this.text = text;
  }

  /** The name in policies and events. */
  public String text() {
    return text;
  }

  public boolean isAtLeast(AuditLevel other) {
    return compareTo(other) >= 0;
  }
}
