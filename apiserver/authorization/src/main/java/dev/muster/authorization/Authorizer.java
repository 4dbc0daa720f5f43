package dev.muster.authorization;

import dev.muster.types.ClusterView;

/**
 * Says whether somebody may do something. Safe for any thread. Blocks only, if at all, where {@link
 * #isSoonDecided} is false: a webhook may have to be asked.
 */
public interface Authorizer {
  /** By what the cluster looks like now. */
  Decision authorize(Attributes attributes);

  /** By what the cluster looks like there. */
  default Decision authorize(Attributes attributes, ClusterView view) {
    return authorize(attributes);
  }

  /** The last revision at which something changed there that it decides by; 0 when nothing did. */
  default long changed(ClusterView view) {
    return 0;
  }

  /**
   * The last revision at which something changed there that it decides this very request by. More
   * may count than in {@link #changed(ClusterView)}, which is about what decides many requests.
   */
  default long changed(Attributes attributes, ClusterView view) {
    return changed(view);
  }

  /**
   * Whether a decision takes no time. One that does, because of what users have written into their
   * roles, is nothing for an event loop.
   */
  default boolean isSoonDecided(Attributes attributes) {
    return true;
  }
}
