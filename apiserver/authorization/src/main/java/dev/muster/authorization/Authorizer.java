package dev.muster.authorization;

import dev.muster.types.ClusterView;

/**
 * Decides whether a user may perform a request. Thread-safe. It may block only for requests for
 * which {@link #isSoonDecided} is false, for example to ask a webhook.
 */
public interface Authorizer {
  /** Decides on the newest snapshot. */
  Decision authorize(Attributes attributes);

  /** Decides on the given view. */
  default Decision authorize(Attributes attributes, ClusterView view) {
    return authorize(attributes);
  }

  /**
   * The last revision in this view at which an object that decisions depend on changed; 0 when
   * there is none.
   */
  default long changed(ClusterView view) {
    return 0;
  }

  /**
   * The last revision in this view at which an object that this decision depends on changed. It may
   * consider more objects than {@link #changed(ClusterView)}, which covers what many decisions
   * share.
   */
  default long changed(Attributes attributes, ClusterView view) {
    return changed(view);
  }

  /**
   * Whether the decision is quick enough for an event loop. It is not when, for example, users'
   * roles contain very many rules.
   */
  default boolean isSoonDecided(Attributes attributes) {
    return true;
  }
}
