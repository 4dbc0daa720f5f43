package dev.muster.audit;

/** The stages of a request that have an audit event. */
public enum AuditStage {
  REQUEST_RECEIVED("RequestReceived"),
  /** The response head is sent and a long body follows, as for a watch. */
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  /** The server failed with an internal error. */
  PANIC("Panic");

  private final String text;

  AuditStage(String text) {
    this.text = text;
  }

  /** The name in policies and events. */
  public String text() {
    return text;
  }
}
