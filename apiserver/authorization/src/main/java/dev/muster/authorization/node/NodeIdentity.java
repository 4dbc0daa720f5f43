package dev.muster.authorization.node;

import dev.muster.model.User;
import org.jspecify.annotations.Nullable;

/** Which node a user is. */
public final class NodeIdentity {
  private static final String USER = "system:node:";
  private static final String GROUP = "system:nodes";

  private NodeIdentity() {}

  /** The node's name, "" when it is a node that cannot be told, null when the user is no node. */
  public static @Nullable String of(User user) {
    return user.name().startsWith(USER) && user.in(GROUP)
        ? user.name().substring(USER.length())
        : null;
  }
}
