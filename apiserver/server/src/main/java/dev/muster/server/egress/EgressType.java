package dev.muster.server.egress;

import java.util.Locale;

/** Where a connection leads to, as egress selectors tell them apart. */
public enum EgressType {
  /** Webhooks at a URL. */
  CONTROLPLANE,
  /** The store. */
  ETCD,
  /** Kubelets, pods and services, webhooks and API servers behind services. */
  CLUSTER;

  /** As a configuration names it. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
