package dev.muster.validation.fleet;

import static dev.muster.validation.FieldChecks.maxBytes;
import static dev.muster.validation.FieldChecks.maxItems;
import static dev.muster.validation.FieldChecks.range;
import static dev.muster.validation.FieldChecks.unique;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.required;

import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;

/** The strategy of DiscoveryDocHashes: every row is complete, and every server has at most one. */
public final class FleetRules {
  private static final int MOST_SERVERS = 1000;
  private static final int LONGEST_TEXT = 512;
  private static final int LONGEST_PERIOD = 3600;

  private static final Rule ROWS =
      Rule.all(
          field("hashes", maxItems(MOST_SERVERS), unique("apiServerID")),
          each(
              "hashes",
              required("apiServerID", "", maxBytes(LONGEST_TEXT)),
              required("builtInAPIHash", "", maxBytes(LONGEST_TEXT)),
              required("lastHeartbeatTime", ""),
              field("heartbeatPeriodSeconds", range(1, LONGEST_PERIOD))));

  public static final Strategy HASHES =
      ResourceRules.cluster()
          .create(clusterMetadata(NameRule.DNS_SUBDOMAIN), ROWS)
          .update(metadataUpdate(), clusterMetadata(NameRule.DNS_SUBDOMAIN), ROWS)
          .refusesUnconditionalUpdate()
          .build();

  private FleetRules() {}
}
