package dev.muster.authorization.impersonation;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.Forbidden;
import dev.muster.authorization.ServiceAccountName;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.Names;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a user may impersonate another one. Thread-safe. The constrained modes, each with
 * its own verbs, are tried before the legacy verb {@code impersonate}, which allows everything. A
 * refusal carries the reason of the first mode.
 */
public final class Impersonation {
  private static final String NODE = "system:node:";
  private static final String NODE_NAME = "authentication.kubernetes.io/node-name";

  /** From this number of checks on, a constrained mode first tries one check for all values. */
  static final int MANY = 4;

  private final Authorizer authorizer;

  public Impersonation(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /**
   * The impersonated user.
   *
   * @param constraint the verb that allowed the impersonation, for the audit log; "" for {@code
   *     impersonate}
   */
  public record Effective(User user, String constraint) {}

  /**
   * Authorizes the impersonation and returns the user that the request continues with.
   *
   * @param attributes of the request, with the authenticated user
   * @throws ApiException 403 when the user may not impersonate
   */
  public Effective impersonate(ImpersonationHeaders wanted, Attributes attributes) {
    ApiException first = null;
    for (var mode : modes(wanted, attributes.user())) {
      try {
        return check(mode, wanted, attributes);
      } catch (ApiException e) {
        first = first == null ? e : first;
      }
    }
    throw first == null ? ApiException.internal("all impersonation modes failed") : first;
  }

  /** The modes that can apply, constrained ones first. */
  private static List<ImpersonationMode> modes(ImpersonationHeaders wanted, User requester) {
    var modes = new ArrayList<ImpersonationMode>();
    boolean node = nodeName(wanted.name()) != null;
    boolean account = ServiceAccountName.of(wanted.name()) != null;
    if (node && wanted.onlyName()) {
      if (ServiceAccountName.of(requester.name()) != null
          && requester
              .extra()
              .getOrDefault(NODE_NAME, List.of())
              .equals(List.of(wanted.name().substring(NODE.length())))) {
        modes.add(ImpersonationMode.ASSOCIATED_NODE);
      }
      modes.add(ImpersonationMode.ARBITRARY_NODE);
    } else if (account && wanted.onlyName()) {
      modes.add(ImpersonationMode.SERVICE_ACCOUNT);
    } else if (!node && !account) {
      modes.add(ImpersonationMode.USER_INFO);
    }
    modes.add(ImpersonationMode.LEGACY);
    return modes;
  }

  private static @Nullable String nodeName(String user) {
    if (!user.startsWith(NODE)) {
      return null;
    }
    var name = user.substring(NODE.length());
    return Names.dnsSubdomain(name).isEmpty() ? name : null;
  }

  private Effective check(
      ImpersonationMode mode, ImpersonationHeaders wanted, Attributes attributes) {
    var requester = mode.requester(attributes.user());
    if (mode.constrained()) {
      require(on(mode, attributes.withUser(requester)));
    }
    var groups = checkName(mode, wanted, requester);
    if (!wanted.uid().isEmpty()) {
      require(mode.attributes(requester, "authentication.k8s.io", "uids", "", "", wanted.uid()));
    }
    checkGroups(mode, wanted.groups(), requester);
    new ExtraCheck(this, mode, requester).check(wanted.extra());
    var user = new User(wanted.name(), wanted.uid(), complete(wanted, groups), wanted.extra());
    return new Effective(user, mode.constrained() ? mode.verb() : "");
  }

  /** The request with the verb that allows it in that mode. */
  private static Attributes on(ImpersonationMode mode, Attributes request) {
    return request.withVerb("impersonate-on:" + mode.mode() + ":" + request.verb());
  }

  /**
   * Authorizes the user name and returns the groups, which follow from it for nodes and service
   * accounts.
   */
  private List<String> checkName(
      ImpersonationMode mode, ImpersonationHeaders wanted, User requester) {
    var groups = wanted.groups();
    var group = mode.groupOfUsers();
    var node = mode.constrained() ? nodeName(wanted.name()) : null;
    var account = ServiceAccountName.of(wanted.name());
    if (node != null) {
      var name = mode == ImpersonationMode.ASSOCIATED_NODE ? "*" : node;
      require(mode.attributes(requester, group, "nodes", "", "", name));
      return List.of("system:nodes");
    }
    if (account != null) {
      require(
          mode.attributes(
              requester, group, "serviceaccounts", "", account.namespace(), account.name()));
      return groups.isEmpty()
          ? List.of("system:serviceaccounts", "system:serviceaccounts:" + account.namespace())
          : groups;
    }
    require(mode.attributes(requester, group, "users", "", "", wanted.name()));
    return groups;
  }

  private void checkGroups(ImpersonationMode mode, List<String> groups, User requester) {
    if (mode.constrained()) {
      if (groups.contains("")) {
        throw refuse(
            mode.attributes(requester, mode.groupOfUsers(), "groups", "", "", ""),
            "impersonating the empty string group is not allowed");
      }
      if (groups.contains(User.MASTERS)) {
        throw refuse(
            mode.attributes(requester, mode.groupOfUsers(), "groups", "", "", User.MASTERS),
            "impersonating the system:masters group is not allowed");
      }
    }
    if (mode.constrained()
        && groups.size() >= MANY
        && allows(mode.attributes(requester, mode.groupOfUsers(), "groups", "", "", "*"))) {
      return;
    }
    for (var group : groups) {
      require(mode.attributes(requester, mode.groupOfUsers(), "groups", "", "", group));
    }
  }

  private static List<String> complete(ImpersonationHeaders wanted, List<String> groups) {
    if (wanted.name().equals(User.ANONYMOUS_NAME)) {
      return with(groups, User.ALL_UNAUTHENTICATED);
    }
    return groups.contains(User.ALL_UNAUTHENTICATED)
        ? groups
        : with(groups, User.ALL_AUTHENTICATED);
  }

  private static List<String> with(List<String> groups, String group) {
    if (groups.contains(group)) {
      return groups;
    }
    var more = new ArrayList<>(groups);
    more.add(group);
    return more;
  }

  void require(Attributes attributes) {
    var decision = authorizer.authorize(attributes);
    if (!decision.allowed()) {
      throw Forbidden.of(attributes, Decision.noOpinion(why(decision), ""));
    }
  }

  private static String why(Decision decision) {
    if (decision.error().isEmpty()) {
      return decision.reason();
    }
    return decision.reason().isEmpty()
        ? decision.error()
        : decision.error() + ": " + decision.reason();
  }

  boolean allows(Attributes attributes) {
    return authorizer.authorize(attributes).allowed();
  }

  static ApiException refuse(Attributes attributes, String why) {
    return Forbidden.of(attributes, Decision.noOpinion(why, ""));
  }
}
