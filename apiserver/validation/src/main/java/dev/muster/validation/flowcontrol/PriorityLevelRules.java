package dev.muster.validation.flowcontrol;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.nonZero;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;

import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.List;

/** The strategy of PriorityLevelConfigurations. */
public final class PriorityLevelRules {
  private static final String ROUND_TRIP =
      "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  private static final long MOST_QUEUES = 10_000_000;
  private static final int HASH_BITS = 60;

  private static final Rule LEVEL =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          PriorityLevelRules::annotations,
          field("spec", PriorityLevelRules::spec),
          MandatoryFlows::level,
          field("status", FlowRules::conditions));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .generation()
          .defaults(
              in(
                  "spec",
                  in("exempt", value("nominalConcurrencyShares", 0), value("lendablePercent", 0)),
                  in(
                      "limited",
                      value("nominalConcurrencyShares", 30),
                      value("lendablePercent", 0),
                      in(
                          "limitResponse",
                          in(
                              "queuing",
                              nonZero("queues", 64),
                              nonZero("handSize", 8),
                              nonZero("queueLengthLimit", 50))))))
          .create(LEVEL)
          .update(LEVEL)
          .prepareStatusUpdate(FlowRules::withOldMetadata)
          .statusUpdate(field("status", FlowRules::conditions))
          .build();

  private PriorityLevelRules() {}

  private static void annotations(FieldCursor level) {
    if (level.at("metadata", "annotations").has(ROUND_TRIP)) {
      level.at("metadata", "annotations").forbidden("annotation '" + ROUND_TRIP + "' is forbidden");
    }
  }

  private static void spec(FieldCursor spec) {
    var type = spec.at("type");
    var limited = spec.at("limited");
    var exempt = spec.at("exempt");
    if (spec.root().at("metadata", "name").isText("exempt") != type.isText("Exempt")) {
      type.invalid("must be 'Exempt' if and only if `name` is 'exempt'");
    }
    switch (type.text()) {
      case "Exempt" -> {
        if (limited.isPresent()) {
          limited.forbidden("must be nil if the type is not Limited");
        }
        shares(exempt);
        lendable(exempt);
      }
      case "Limited" -> {
        if (exempt.isPresent()) {
          exempt.forbidden("must be nil if the type is Limited");
        }
        if (limited.isAbsent()) {
          limited.required("must not be empty when type is Limited");
        } else {
          limited(limited);
        }
      }
      case "" -> type.required("");
      default -> type.notSupported(List.of("Exempt", "Limited"));
    }
  }

  private static void limited(FieldCursor limited) {
    shares(limited);
    response(limited.at("limitResponse"));
    lendable(limited);
    var borrowing = limited.at("borrowingLimitPercent");
    if (borrowing.integer() < 0) {
      borrowing.invalid("if specified, must be a non-negative integer");
    }
  }

  private static void shares(FieldCursor level) {
    var shares = level.at("nominalConcurrencyShares");
    if (shares.integer() < 0) {
      shares.invalid("must be a non-negative integer");
    }
  }

  private static void lendable(FieldCursor level) {
    var percent = level.at("lendablePercent");
    if (percent.integer() < 0 || percent.integer() > 100) {
      percent.invalid("must be between 0 and 100, inclusive");
    }
  }

  private static void response(FieldCursor response) {
    var type = response.at("type");
    var queuing = response.at("queuing");
    switch (type.text()) {
      case "Reject" -> {
        if (queuing.isPresent()) {
          queuing.forbidden("must be nil if limited.limitResponse.type is not Limited");
        }
      }
      case "Queue" -> {
        if (queuing.isAbsent()) {
          queuing.required("must not be empty if limited.limitResponse.type is Limited");
        } else {
          queuing(queuing);
        }
      }
      case "" -> type.required("");
      default -> type.notSupported(List.of("Queue", "Reject"));
    }
  }

  private static void queuing(FieldCursor queuing) {
    positive(queuing.at("queueLengthLimit"));
    var queues = queuing.at("queues");
    if (positive(queues) && queues.integer() > MOST_QUEUES) {
      queues.invalid("must not be greater than " + MOST_QUEUES);
    }
    var hand = queuing.at("handSize");
    if (!positive(hand)) {
      return;
    }
    if (hand.integer() > queues.integer()) {
      hand.invalid("should not be greater than queues (" + queues.integer() + ")");
    } else if (entropyBits(queues.integer(), hand.integer()) > HASH_BITS) {
      hand.invalid(
          "required entropy bits of deckSize "
              + queues.integer()
              + " and handSize "
              + hand.integer()
              + " should not be greater than "
              + HASH_BITS);
    }
  }

  private static boolean positive(FieldCursor number) {
    boolean positive = number.integer() > 0;
    if (!positive) {
      number.invalid(Json.of(number.integer()), "must be positive");
    }
    return positive;
  }

  /**
   * The bits of hash that a hand of queues needs; exact if the number of queues is a power of two.
   */
  private static long entropyBits(long queues, long hand) {
    int exponent = Math.getExponent((double) queues);
    double fraction = queues / Math.scalb(1.0, exponent);
    return (long) Math.ceil((exponent + Math.log(fraction) / Math.log(2)) * hand);
  }
}
