package dev.muster.authorization.rbac;

import dev.muster.model.User;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user in RBAC, with a hash that is computed once per decision. */
final class Subject {
  private final String name;
  private final List<String> groups;
  private final int hash;

  Subject(User user) {
    this.name = user.name();
    this.groups = user.groups();
    this.hash = 31 * name.hashCode() + groups.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Subject that
        && hash == that.hash
        && name.equals(that.name)
        && (groups == that.groups || groups.equals(that.groups));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
