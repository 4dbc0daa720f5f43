package dev.muster.validation.services;

import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.text;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.required;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.StatusMetadata;
import java.util.ArrayList;
import java.util.List;

/** The strategies of IPAddresses and ServiceCIDRs. */
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

  private static void parent(FieldCursor parent) {
    if (parent.isAbsent()) {
      parent.required("");
    } else {
      PARENT.check(parent);
    }
  }

  private static void ranges(FieldCursor ranges) {
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
      var one = Cidr.parseLegacy(ranges.items().getFirst().text());
      var other = Cidr.parseLegacy(ranges.items().getLast().text());
      if (one != null && other != null && one.address().isSix() == other.address().isSix()) {
        ranges.invalid(
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
                + " 2001:db8::/64");
      }
    }
  }

  /** Allows adding a second range, and no other change. */
  private static void changedRanges(FieldCursor ranges) {
    int before = ranges.before().array().size();
    int now = ranges.array().size();
    if (before == now) {
      ranges.items().forEach(FieldCursor::immutable);
    } else if (before == 1 && now == 2) {
      ranges.items().getFirst().immutable();
      ranges(ranges);
    } else {
      ranges.invalid(ranges.isAbsent() ? JsonNull.NULL : ranges.array(), MetadataRules.IMMUTABLE);
    }
  }
}
