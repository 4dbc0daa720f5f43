package dev.muster.admission.images;

import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * The configuration of ImagePolicyWebhook.
 *
 * @param kubeconfig the address and credentials of the webhook
 * @param allowTtl how long an allowed answer is cached; zero for not at all
 * @param denyTtl how long a denied answer is cached
 * @param retryBackoff before the second attempt
 * @param defaultAllow whether images may run when the webhook cannot be asked
 */
public record ImagePolicyConfiguration(
    Path kubeconfig,
    Duration allowTtl,
    Duration denyTtl,
    Duration retryBackoff,
    boolean defaultAllow) {
  private static final String SECTION = "imagePolicy";
  private static final Set<String> FIELDS =
      Set.of("kubeConfigFile", "allowTTL", "denyTTL", "retryBackoff", "defaultAllow");
  private static final Duration LONGEST_TTL = Duration.ofMinutes(30);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);
  private static final int NEVER = -1;

  /**
   * @throws IllegalArgumentException when the configuration cannot be used
   */
  public static ImagePolicyConfiguration read(JsonObject configuration) {
    if (configuration.isEmpty()) {
      throw new IllegalArgumentException("no config specified");
    }
    for (var key : configuration.keys()) {
      if (!key.equals(SECTION)) {
        throw unknown(key);
      }
    }
    var section = configuration.object(SECTION);
    for (var key : section.keys()) {
      if (!FIELDS.contains(key)) {
        throw unknown(SECTION + "." + key);
      }
    }
    if (!(section.get("kubeConfigFile") instanceof JsonString file) || file.value().isEmpty()) {
      throw new IllegalArgumentException(SECTION + ".kubeConfigFile: must name a file");
    }
    return new ImagePolicyConfiguration(
        Path.of(file.value()),
        time(
            section,
            "allowTTL",
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            LONGEST_TTL,
            Duration.ofMinutes(5)),
        time(
            section,
            "denyTTL",
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            LONGEST_TTL,
            Duration.ofSeconds(30)),
        time(
            section,
            "retryBackoff",
            Duration.ofMillis(1),
            Duration.ofNanos(1),
            LONGEST_BACKOFF,
            Duration.ofMillis(500)),
        flag(section));
  }

  private static boolean flag(JsonObject section) {
    return switch (section.get("defaultAllow")) {
      case null -> false;
      case JsonBool value -> value.value();
      default -> throw new IllegalArgumentException(SECTION + ".defaultAllow: must be a boolean");
    };
  }

  private static IllegalArgumentException unknown(String field) {
    return new IllegalArgumentException("unknown field " + GoText.quote(field));
  }

  /** A duration in the given unit; 0 stands for the default, -1 for none. */
  private static Duration time(
      JsonObject section,
      String field,
      Duration unit,
      Duration least,
      Duration most,
      Duration usual) {
    var value = section.get(field);
    if (value == null) {
      return usual;
    }
    if (!(value instanceof JsonInteger number) || Math.abs(number.value()) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(SECTION + "." + field + ": must be a whole number");
    }
    if (number.value() == NEVER) {
      return Duration.ZERO;
    }
    if (number.value() == 0) {
      return usual;
    }
    var time = unit.multipliedBy(number.value());
    if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s.%s: valid value is between %s and %s, got %s"
              .formatted(
                  SECTION,
                  field,
                  GoDuration.format(least),
                  GoDuration.format(most),
                  GoDuration.format(time)));
    }
    return time;
  }
}
