package dev.muster.flowcontrol.config;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;

/** A subject of a rule. */
public sealed interface FlowSubject {
  String ALL = "*";

  boolean matches(User user);

  /** A user by name, or every user. */
  record OfUser(String name) implements FlowSubject {
    @Override
    public boolean matches(User user) {
      return name.equals(ALL) || name.equals(user.name());
    }
  }

  /** The members of a group, or every user. */
  record OfGroup(String name) implements FlowSubject {
    @Override
    public boolean matches(User user) {
      return name.equals(ALL) || user.in(name);
    }
  }

  /** A service account, or all of a namespace. */
  record OfServiceAccount(String userName, boolean prefix) implements FlowSubject {
    @Override
    public boolean matches(User user) {
      return prefix ? user.name().startsWith(userName) : user.name().equals(userName);
    }
  }

  /** A subject of unknown kind, which matches no user. */
  record Nobody() implements FlowSubject {
    @Override
    public boolean matches(User user) {
      return false;
    }
  }

  static FlowSubject of(JsonObject subject) {
    return switch (subject.string("kind")) {
      case "User" -> new OfUser(subject.object("user").string("name"));
      case "Group" -> new OfGroup(subject.object("group").string("name"));
      case "ServiceAccount" -> {
        var account = subject.object("serviceAccount");
        var inNamespace = User.SERVICE_ACCOUNT_PREFIX + account.string("namespace") + ":";
        yield account.string("name").equals(ALL)
            ? new OfServiceAccount(inNamespace, true)
            : new OfServiceAccount(inNamespace + account.string("name"), false);
      }
      default -> new Nobody();
    };
  }
}
