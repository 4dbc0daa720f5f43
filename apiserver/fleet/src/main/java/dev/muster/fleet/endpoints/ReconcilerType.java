package dev.muster.fleet.endpoints;

import dev.muster.model.Spelled;

/** How the servers of a fleet learn of one another. */
public enum ReconcilerType implements Spelled {
  /** Each server keeps a record in the store that expires. */
  LEASE("lease"),
  /** Each server keeps an entry with a time in a ConfigMap. */
  CONFIGMAP("configmap"),
  /** Each server adds its own address, and drops others when there are more than configured. */
  MASTER_COUNT("master-count"),
  /** Other programs manage the endpoints. */
  NONE("none");

  private final String spelling;

  ReconcilerType(String spelling) {
    this.spelling = spelling;
  }

  @Override
  public String spelling() {
    return spelling;
  }
}
