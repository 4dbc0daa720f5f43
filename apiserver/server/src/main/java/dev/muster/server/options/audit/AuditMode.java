package dev.muster.server.options.audit;

import dev.muster.model.Spelled;

/** Whether responses wait for their audit events. */
public enum AuditMode implements Spelled {
  /** Events wait in memory until they are sent. Events that find no room are lost. */
  BATCH("batch"),
  /** A response waits until its event is sent or lost. */
  BLOCKING("blocking"),
  /** Like blocking, and a request is rejected if its RequestReceived event is lost. */
  BLOCKING_STRICT("blocking-strict");

  private final String spelling;

  AuditMode(String spelling) {
    this.spelling = spelling;
  }

  @Override
  public String spelling() {
    return spelling;
  }
}
