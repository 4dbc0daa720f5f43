package dev.muster.audit;

/** How much an event says, from nothing to everything. */
public enum AuditLevel {
  NONE("None"),
  /** Who asked for what, and how it was answered. */
  METADATA("Metadata"),
  /** The object that was sent, too. */
  REQUEST("Request"),
  /** The object that was answered, too. */
  REQUEST_RESPONSE("RequestResponse");

  private final String text;

  AuditLevel(String text) {
    this.text = text;
  }

  /** As it stands in policies and events. */
  public String text() {
    return text;
  }

  public boolean isAtLeast(AuditLevel other) {
    return compareTo(other) >= 0;
  }
}
