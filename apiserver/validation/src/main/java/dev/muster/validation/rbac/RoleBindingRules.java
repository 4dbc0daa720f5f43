package dev.muster.validation.rbac;

import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.List;
import java.util.Set;

/** The strategies of RoleBindings and ClusterRoleBindings. */
public final class RoleBindingRules {
  private static final String CHANGED = "cannot change roleRef";
  private static final Set<String> OF_THIS_GROUP = Set.of("User", "Group");

  private static final Default DEFAULTS =
      Default.all(
          make("roleRef", value("apiGroup", RbacRules.GROUP)),
          Default.each(
              "subjects",
              when(
                  subject -> OF_THIS_GROUP.contains(subject.string("kind")),
                  value("apiGroup", RbacRules.GROUP))));

  private static final Rule BINDING_RULE =
      Rule.all(
          namespacedMetadata(RoleRules.NAMES),
          field("roleRef", role -> role(role, List.of("Role", "ClusterRole"))),
          each("subjects", subject -> subject(subject, true)));

  private static final Rule CLUSTER_BINDING_RULE =
      Rule.all(
          clusterMetadata(RoleRules.NAMES),
          field("roleRef", role -> role(role, List.of("ClusterRole"))),
          each("subjects", subject -> subject(subject, false)));

  public static final Strategy BINDING =
      ResourceRules.namespaced()
          .defaults(DEFAULTS)
          .create(BINDING_RULE)
          .update(BINDING_RULE, metadataUpdate(), field("roleRef", immutable(CHANGED)))
          .createsOnUpdate()
          .build();

  public static final Strategy CLUSTER_BINDING =
      ResourceRules.cluster()
          .defaults(DEFAULTS)
          .create(CLUSTER_BINDING_RULE)
          .update(CLUSTER_BINDING_RULE, metadataUpdate(), field("roleRef", immutable(CHANGED)))
          .createsOnUpdate()
          .build();

  private RoleBindingRules() {}

  private static void role(FieldCursor role, List<String> kinds) {
    ofThisGroup(role);
    if (!kinds.contains(role.at("kind").text())) {
      role.at("kind").notSupported(kinds);
    }
    var name = role.at("name");
    if (name.isEmpty()) {
      name.required("");
    } else {
      name.invalidEach(Names.pathSegment(name.text()));
    }
  }

  private static void ofThisGroup(FieldCursor reference) {
    if (!reference.at("apiGroup").isText(RbacRules.GROUP)) {
      reference.at("apiGroup").notSupported(List.of(RbacRules.GROUP));
    }
  }

  private static void subject(FieldCursor subject, boolean namespaced) {
    var name = subject.at("name");
    if (name.isEmpty()) {
      name.required("");
    }
    switch (subject.at("kind").text()) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          name.invalidEach(Names.dnsSubdomain(name.text()));
        }
        if (!subject.at("apiGroup").isEmpty()) {
          subject.at("apiGroup").notSupported(List.of(""));
        }
        if (!namespaced && subject.at("namespace").isEmpty()) {
          subject.at("namespace").required("");
        }
      }
      case "User", "Group" -> ofThisGroup(subject);
      default -> subject.at("kind").notSupported(List.of("ServiceAccount", "User", "Group"));
    }
  }
}
