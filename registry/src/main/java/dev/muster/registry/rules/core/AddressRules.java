package dev.muster.registry.rules.core;

import static dev.muster.registry.rules.Checks.dnsSubdomain;
import static dev.muster.registry.rules.Checks.immutable;
import static dev.muster.registry.rules.Checks.text;
import static dev.muster.registry.rules.Rules.clusterMetadata;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.ifSet;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.required;

import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.IpRange;
import dev.muster.model.IpRules;
import dev.muster.model.JsonNull;
import dev.muster.model.MetadataRules;
import dev.muster.model.NameRule;
import dev.muster.model.Names;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Place;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rule;
import dev.muster.registry.rules.Rules;
import dev.muster.registry.rules.StatusMetadata;
import java.util.ArrayList;
import java.util.List;

/** IPAddress and ServiceCIDR of {@code networking.k8s.io}. */
public final class AddressRules {
  private static final Rule PARENT =
      Rule.all(
          ifSet("group", dnsSubdomain()),
          required("resource", "", text(Names::pathSegment)),
          required("name", "", text(Names::pathSegment)),
          ifSet("namespace", text(Names::pathSegment)));

  private static final Rule ADDRESS =
      Rule.all(
          clusterMetadata(AddressRules::addressName),
          field("spec.parentRef", AddressRules::parent));

  public static final Strategy IP_ADDRESS =
      ResourceRules.cluster()
          .wholeNames()
          .create(ADDRESS)
          .update(ADDRESS, metadataUpdate(), field("spec.parentRef", immutable()))
          .build();

  public static final Strategy SERVICE_CIDR =
      ResourceRules.cluster()
          .status()
          .create(
              clusterMetadata(NameRule.DNS_SUBDOMAIN), field("spec.cidrs", AddressRules::ranges))
          .prepareStatusUpdate(StatusMetadata::kept)
          .update(metadataUpdate(), field("spec.cidrs", AddressRules::changedRanges))
          .statusUpdate(metadataUpdate())
          .build();

  private AddressRules() {}

  private static List<String> addressName(String name, boolean prefix) {
    var errors = new ArrayList<FieldError>();
    IpRules.ip(FieldPath.ROOT, name, errors);
    var shown = FieldError.invalid(FieldPath.ROOT, name, "").body() + ": ";
    return errors.stream().map(error -> error.body().substring(shown.length())).toList();
  }

  private static void parent(Place parent) {
    if (parent.isAbsent()) {
      parent.required("");
    } else {
      PARENT.check(parent);
    }
  }

  private static void ranges(Place ranges) {
    int count = ranges.array().size();
    if (count == 0) {
      ranges.required("at least one CIDR required");
      return;
    }
    if (count > 2) {
      ranges.invalid("may only hold up to 2 values");
      return;
    }
    for (var range : ranges.items()) {
      Rules.report(range, errors -> IpRules.cidr(range.path(), range.text(), errors));
    }
    if (count == 2) {
      var one = IpRange.parse(ranges.items().getFirst().text());
      var other = IpRange.parse(ranges.items().getLast().text());
      if (one != null && other != null && one.address().isSix() == other.address().isSix()) {
        ranges.invalid(
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
                + " 2001:db8::/64");
      }
    }
  }

  /** A second range may be added; nothing else may change. */
  private static void changedRanges(Place ranges) {
    int before = ranges.before().array().size();
    int now = ranges.array().size();
    if (before == now) {
      ranges.items().forEach(Place::immutable);
    } else if (before == 1 && now == 2) {
      ranges.items().getFirst().immutable();
      ranges(ranges);
    } else {
      ranges.invalid(ranges.isAbsent() ? JsonNull.NULL : ranges.array(), MetadataRules.IMMUTABLE);
    }
  }
}
