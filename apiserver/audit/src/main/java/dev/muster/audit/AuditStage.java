package dev.muster.audit;

/** The moments of a request at which an event is made. */
public enum AuditStage {
  REQUEST_RECEIVED("RequestReceived"),
  /** The head of an answer is sent whose body goes on for long. */
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  /** The server failed. */
  PANIC("Panic");

  private final String text;

  AuditStage(String text) {
    this.text = text;
  }

  /** As it stands in policies and events. */
  public String text() {
    return text;
  }
}
