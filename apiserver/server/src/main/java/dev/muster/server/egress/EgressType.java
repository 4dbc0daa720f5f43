package dev.muster.server.egress;

import java.util.Locale;

/** The type of a destination, as in egress selectors. */
public enum EgressType {
  /** Webhooks at a URL. */
  CONTROLPLANE,
  /** The store. */
  ETCD,
  /** Kubelets, pods and Services, and webhooks and aggregated API servers behind Services. */
  CLUSTER;

  /** The name in a configuration. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
