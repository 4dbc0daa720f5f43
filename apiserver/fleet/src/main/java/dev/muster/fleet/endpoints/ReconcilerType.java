package dev.muster.fleet.endpoints;

import dev.muster.model.Spelled;

/** How servers of a fleet learn of one another. */
public enum ReconcilerType implements Spelled {
  /** Each keeps a record in the store that expires with it. */
  LEASE("lease"),
  /** Each keeps an entry with a time in a ConfigMap. */
  CONFIGMAP("configmap"),
  /** Each adds its own address, and drops others when there are more than it was told to expect. */
  MASTER_COUNT("master-count"),
  /** Endpoints are left to somebody else. */
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
