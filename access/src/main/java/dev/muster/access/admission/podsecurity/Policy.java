package dev.muster.access.admission.podsecurity;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the labels of a namespace say: which level is enforced, audited and warned about. */
record Policy(Standard enforce, Standard audit, Standard warn) {
  private static final String PREFIX = "pod-security.kubernetes.io/";
  private static final Pattern VERSION = Pattern.compile("v1\\.([0-9]|[1-9][0-9]*)");
  private static final Standard LOOSE = new Standard(Level.PRIVILEGED, Standard.LATEST);
  private static final Policy DEFAULT = new Policy(LOOSE, LOOSE, LOOSE);

  /** From the loosest to the strictest. */
  enum Level {
    PRIVILEGED,
    BASELINE,
    RESTRICTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A level as one version of Kubernetes defined it.
   *
   * @param minor of the version 1.x
   */
  record Standard(Level level, int minor) {
    static final int LATEST = Integer.MAX_VALUE;

    Standard with(Level other) {
      return new Standard(other, minor);
    }

    Standard with(int otherMinor) {
      return new Standard(level, otherMinor);
    }

    @Override
    public String toString() {
      return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
    }
  }

  boolean isPrivileged() {
    return enforce.level == Level.PRIVILEGED
        && audit.level == Level.PRIVILEGED
        && warn.level == Level.PRIVILEGED;
  }

  /**
   * Reads labels. There is always a policy, also when labels are wrong: what is enforced is then
   * the strictest, what is audited and warned about the loosest.
   */
  static Policy of(JsonObject labels, List<FieldError> errors) {
    if (labels.isEmpty()) {
      return DEFAULT;
    }
    int before = errors.size();
    var enforce = read(LOOSE, labels, "enforce", Level.RESTRICTED, errors);
    boolean enforced =
        labels.has(PREFIX + "enforce")
            && errors.stream().skip(before).noneMatch(e -> e.path().endsWith("/enforce]"));
    var audit = read(LOOSE, labels, "audit", Level.PRIVILEGED, errors);
    var warn = read(LOOSE, labels, "warn", Level.PRIVILEGED, errors);
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
      read =
          read.with(
              switch (text) {
                case "privileged" -> Level.PRIVILEGED;
                case "baseline" -> Level.BASELINE;
                case "restricted" -> Level.RESTRICTED;
                default -> {
                  complain(mode, text, "must be one of privileged, baseline, restricted", errors);
                  yield whenWrong;
                }
              });
    }
    var label = mode + "-version";
    if (labels.has(PREFIX + label)) {
      read = read.with(version(labels.string(PREFIX + label), label, errors));
    }
    return read;
  }

  private static int version(String text, String label, List<FieldError> errors) {
    if (text.equals("latest")) {
      return Standard.LATEST;
    }
    var match = VERSION.matcher(text);
    if (match.matches()) {
      try {
        return Integer.parseInt(match.group(1));
      } catch (NumberFormatException e) {
        // Too large for a version.
      }
    }
    complain(label, text, "must be \"latest\" or \"v1.x\"", errors);
    return Standard.LATEST;
  }

  private static void complain(String label, String value, String why, List<FieldError> errors) {
    errors.add(
        FieldError.invalid(FieldPath.of("metadata", "labels").key(PREFIX + label), value, why));
  }
}
