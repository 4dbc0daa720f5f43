package dev.muster.server.options;

import java.util.HashSet;
import java.util.List;

/** Who may do what; modes are asked in order until one has an opinion. */
@FlagGroup("Authorization")
public record AuthorizationOptions(
    @Flag(
            name = "authorization-mode",
            help =
                "Ordered list of AlwaysAllow, AlwaysDeny, RBAC and Node. RBAC unless it is given,"
                    + " where kube-apiserver takes AlwaysAllow. With AlwaysAllow everybody who has"
                    + " credentials may do everything, and --anonymous-auth is off. Node is"
                    + " accepted for the sake of existing manifests and has no opinion on any"
                    + " request.")
        List<Mode> modes) {

  /** One way to decide. */
  public enum Mode implements Spelled {
    ALWAYS_ALLOW("AlwaysAllow"),
    ALWAYS_DENY("AlwaysDeny"),
    RBAC("RBAC"),
    /** Never has an opinion: there is no node authorizer. */
    NODE("Node");

    private final String spelling;

    Mode(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String spelling() {
      return spelling;
    }
  }

  public AuthorizationOptions {
    modes = List.copyOf(modes);
    if (modes.isEmpty()) {
      throw new IllegalArgumentException("--authorization-mode: at least one mode is needed");
    }
    if (new HashSet<>(modes).size() != modes.size()) {
      throw new IllegalArgumentException("--authorization-mode: a mode is named twice");
    }
  }

  /** Whether somebody may do something only because of who he is. */
  public boolean asksWho() {
    return !modes.contains(Mode.ALWAYS_ALLOW);
  }

  public static AuthorizationOptions defaults() {
    return new AuthorizationOptions(List.of(Mode.RBAC));
  }
}
