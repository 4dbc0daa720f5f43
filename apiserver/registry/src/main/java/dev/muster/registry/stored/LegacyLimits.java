package dev.muster.registry.stored;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.in;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;

/**
 * Converts PriorityLevelConfigurations and RuntimeClasses of versions that are no longer served.
 */
final class LegacyLimits {
  private static final String ZERO_IS_MEANT =
      "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
  private static final String SHARES = "nominalConcurrencyShares";
  private static final long DEFAULT_SHARES = 30;

  private static final Default ASSURED = in("spec", in("limited", code(LegacyLimits::assured)));

  private LegacyLimits() {}

  /** Renames {@code assuredConcurrencyShares}. */
  static JsonObject assuredLevel(JsonObject level) {
    return ASSURED.apply(level);
  }

  /**
   * Reads the annotation that marks an intended zero of {@code nominalConcurrencyShares}; without
   * it, zero means the default.
   */
  static JsonObject nominalLevel(JsonObject level) {
    boolean meant = level.object("metadata", "annotations").has(ZERO_IS_MEANT);
    var told =
        in(
                "spec",
                in("limited", code(limited -> shares(limited, SHARES, meant ? 0 : DEFAULT_SHARES))))
            .apply(level);
    return told.withoutAt("metadata", "annotations", ZERO_IS_MEANT);
  }

  static JsonObject runtimeClass(JsonObject runtime) {
    var spec = runtime.object("spec");
    var flat = runtime.without("spec").with("handler", spec.string("runtimeHandler"));
    for (var field : new String[] {"overhead", "scheduling"}) {
      var value = spec.get(field);
      flat = value == null ? flat : flat.with(field, value);
    }
    return flat;
  }

  private static JsonObject assured(JsonObject limited) {
    return shares(limited, "assuredConcurrencyShares", DEFAULT_SHARES)
        .without("assuredConcurrencyShares");
  }

  private static JsonObject shares(JsonObject limited, String field, long otherwise) {
    long said = limited.integer(field, 0);
    return limited.with(SHARES, Json.of(said == 0 ? otherwise : said));
  }
}
