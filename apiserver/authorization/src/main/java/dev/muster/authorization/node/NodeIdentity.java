package dev.muster.authorization.node;

import dev.muster.model.User;
import org.jspecify.annotations.Nullable;

/** Recognizes the users of kubelets. */
public final class NodeIdentity {
  private static final String USER = "system:node:";
  private static final String GROUP = "system:nodes";

  private NodeIdentity() {}

  /** The node name; "" for a node without a valid name; null when the user is not a node. */
  public static @Nullable String of(User user) {
    return user.name().startsWith(USER) && user.in(GROUP)
        ? user.name().substring(USER.length())
        : null;
  }
}
