package dev.muster.server.options.audit;

import dev.muster.model.Spelled;

/** Whether answers wait for their audit events. */
public enum AuditMode implements Spelled {
  /** Events are kept in memory until they are sent; those that find no room are lost. */
  BATCH("batch"),
  /** An answer waits until its event is sent, or cannot be. */
  BLOCKING("blocking"),
  /** As blocking, and a request of which the arrival cannot be told is refused. */
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
