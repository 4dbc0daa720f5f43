package dev.muster.admission.podsecurity;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The pod security labels of a namespace: the standards to enforce, audit and warn about. */
record Policy(Standard enforce, Standard audit, Standard warn) {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final Pattern VERSION = Pattern.compile("v1\\.([0-9]|[1-9][0-9]*)");
  private static final Standard LOOSE = new Standard(Level.PRIVILEGED, Standard.LATEST);

  /** Allows everything. */
  static final Policy PRIVILEGED = new Policy(LOOSE, LOOSE, LOOSE);

  /** From the least to the most restrictive. */
  enum Level {
    PRIVILEGED,
    BASELINE,
    RESTRICTED;

    static @Nullable Level of(String text) {
      return switch (text) {
        case "privileged" -> PRIVILEGED;
        case "baseline" -> BASELINE;
        case "restricted" -> RESTRICTED;
        default -> null;
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A level as defined by one version of Kubernetes.
   *
   * @param minor of the version 1.x
   */
  record Standard(Level level, int minor) {
    static final int LATEST = Integer.MAX_VALUE;

    /** Later versions may define checks that this server does not know. */
    private static final int NEWEST_KNOWN = 36;

    boolean isLike(Standard other) {
      return equals(other) || (level == Level.PRIVILEGED && other.level == Level.PRIVILEGED);
    }

    Standard with(Level other) {
      return new Standard(other, minor);
    }

    Standard with(int otherMinor) {
      return new Standard(level, otherMinor);
    }

    /** The version label in metrics; {@code privileged} is the same in all versions. */
    String versionLabel() {
      if (minor == LATEST || level == Level.PRIVILEGED) {
        return "latest";
      }
      return minor > NEWEST_KNOWN ? "future" : "v1." + minor;
    }

    @Override
    public String toString() {
      return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
    }
  }

  /** The error messages for an invalid level and an invalid version. */
  static final String NO_LEVEL = "must be one of privileged, baseline, restricted";

  static final String NO_VERSION = "must be \"latest\" or \"v1.x\"";

  /** Whether both policies select the same standards. */
  boolean isLike(Policy other) {
    return enforce.isLike(other.enforce) && audit.isLike(other.audit) && warn.isLike(other.warn);
  }

  boolean isPrivileged() {
    return enforce.level == Level.PRIVILEGED
        && audit.level == Level.PRIVILEGED
        && warn.level == Level.PRIVILEGED;
  }

  /**
   * Parses labels. There is always a policy: if labels are invalid, the enforced standard is the
   * most restrictive, and the audited and warned ones are the least restrictive.
   *
   * @param defaults for labels that are absent
   */
  static Policy of(JsonObject labels, Policy defaults, List<FieldError> errors) {
    if (labels.isEmpty()) {
      return defaults;
    }
    int before = errors.size();
    var enforce = read(defaults.enforce, labels, "enforce", Level.RESTRICTED, errors);
    boolean enforced =
        labels.has(PREFIX + "enforce")
            && errors.stream().skip(before).noneMatch(e -> e.path().endsWith("/enforce]"));
    var audit = read(defaults.audit, labels, "audit", Level.PRIVILEGED, errors);
    var warn = read(defaults.warn, labels, "warn", Level.PRIVILEGED, errors);
    if (!labels.has(PREFIX + "warn") && enforced && enforce.level.compareTo(warn.level) > 0) {
      warn = labels.has(PREFIX + "warn-version") ? warn.with(enforce.level) : enforce;
    }
    return new Policy(enforce, audit, warn);
  }

  private static Standard read(
      Standard start, JsonObject labels, String mode, Level whenWrong, List<FieldError> errors) {
    var read = start;
    if (labels.has(PREFIX + mode)) {
      var text = labels.string(PREFIX + mode);
      var level = Level.of(text);
      if (level == null) {
        complain(mode, text, NO_LEVEL, errors);
      }
      read = read.with(level == null ? whenWrong : level);
    }
    var label = mode + "-version";
    if (labels.has(PREFIX + label)) {
      var text = labels.string(PREFIX + label);
      var minor = minor(text);
      if (minor.isEmpty()) {
        complain(label, text, NO_VERSION, errors);
      }
      read = read.with(minor.orElse(Standard.LATEST));
    }
    return read;
  }

  /** The minor number of a version text; empty when it is no version. */
  static OptionalInt minor(String text) {
    if (text.equals("latest")) {
      return OptionalInt.of(Standard.LATEST);
    }
    var match = VERSION.matcher(text);
    if (match.matches()) {
      try {
        return OptionalInt.of(Integer.parseInt(match.group(1)));
      } catch (NumberFormatException e) {
        // Larger than any version.
      }
    }
    return OptionalInt.empty();
  }

  private static void complain(String label, String value, String why, List<FieldError> errors) {
    errors.add(
        FieldError.invalid(FieldPath.of("metadata", "labels").key(PREFIX + label), value, why));
  }
}
