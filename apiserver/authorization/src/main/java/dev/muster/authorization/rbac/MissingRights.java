package dev.muster.authorization.rbac;

import dev.muster.authorization.PolicyRule;
import java.util.TreeSet;

/**
 * Collects missing rights for the error of an escalation, up to a reasonable length. Not
 * thread-safe.
 */
final class MissingRights implements Coverage.Listener {
  /** The message length at which collecting stops. */
  static final int ENOUGH = 64 * 1024;

  private final Coverage.Rights rights = new Coverage.Rights();
  private int length;

  @Override
  public boolean missing(PolicyRule right) {
    if (length >= ENOUGH) {
      return false;
    }
    rights.add(right);
    length += 32;
    for (var text : right.verbs()) {
      length += text.length() + 3;
    }
    for (var text : right.apiGroups()) {
      length += text.length();
    }
    for (var text : right.resources()) {
      length += text.length();
    }
    for (var text : right.resourceNames()) {
      length += text.length();
    }
    for (var text : right.nonResourceUrls()) {
      length += text.length();
    }
    return true;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** The text of the error, with one right per line. */
  String describe(Coverage.End end) {
    if (isEmpty()) {
      return "in too many combinations to compare with those currently held";
    }
    var lines = new TreeSet<String>();
    rights.rules().forEach(rule -> lines.add(rule.describe()));
    var text = String.join("\n", lines);
    boolean cut = text.length() > 2 * ENOUGH;
    return "not currently held:\n"
        + (cut ? text.substring(0, 2 * ENOUGH) : text)
        + (cut || end != Coverage.End.COMPLETE ? "\n... and more" : "");
  }
}
