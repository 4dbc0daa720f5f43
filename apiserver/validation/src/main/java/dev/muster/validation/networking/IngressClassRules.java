package dev.muster.validation.networking;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.FieldChecks.maxBytes;
import static dev.muster.validation.FieldChecks.text;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.required;

import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** The strategy of IngressClasses. */
public final class IngressClassRules {
  private static final int MOST_CONTROLLER_BYTES = 250;

  /** A reference to an object of any kind, namespaced or cluster-scoped. */
  static final Rule REFERENCE =
      Rule.all(
          field("apiGroup", dnsSubdomain()),
          required("kind", "", text(Names::pathSegment)),
          required("name", "", text(Names::pathSegment)));

  private static final Rule SPEC =
      field(
          "spec",
          field("controller", maxBytes(MOST_CONTROLLER_BYTES), IngressClassRules::controller),
          ifPresent("parameters", REFERENCE, IngressClassRules::scope));

  private static final Rule CLASS = Rule.all(clusterMetadata(NameRule.DNS_SUBDOMAIN), SPEC);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(in("spec", in("parameters", absent("scope", "Cluster"))))
          .generation()
          .create(CLASS)
          .update(metadataUpdate(), field("spec.controller", immutableText()), CLASS)
          .build();

  private IngressClassRules() {}

  private static void controller(FieldCursor controller) {
    Rules.report(
        controller,
        errors -> DomainNames.domainPrefixedPath(controller.path(), controller.text(), errors));
  }

  private static void scope(FieldCursor parameters) {
    var scope = parameters.at("scope");
    var namespace = parameters.at("namespace");
    switch (scope.text()) {
      case "Namespace" -> {
        if (namespace.isAbsent()) {
          namespace.required("`parameters.scope` is set to 'Namespace'");
        } else {
          namespace.invalidEach(Names.dnsLabel(namespace.text()));
        }
      }
      case "Cluster" -> {
        if (namespace.isPresent()) {
          namespace.forbidden("`parameters.scope` is set to 'Cluster'");
        }
      }
      default -> scope.notSupported(List.of("Cluster", "Namespace"));
    }
  }
}
