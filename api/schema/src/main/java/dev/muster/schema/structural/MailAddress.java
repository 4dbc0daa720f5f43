package dev.muster.schema.structural;

import java.util.regex.Pattern;

/** Validates a mail address by RFC 5322, with or without a name: {@code Jo <jo@example.com>}. */
final class MailAddress {
  private static final String ATOM = "[\\p{Alnum}!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10ffff}-]+";
  private static final String ATOMS = ATOM + "(?:\\." + ATOM + ")*";
  private static final String QUOTED = "\"(?:[^\"\\\\\\p{Cntrl}]|\\t|\\\\[^\\p{Cntrl}])*+\"";
  private static final String LITERAL = "\\[[^\\[\\]\\\\\\s]*+\\]";
  private static final Pattern ADDRESS =
      Pattern.compile("(?:" + ATOMS + "|" + QUOTED + ")@(?:" + ATOMS + "|" + LITERAL + ")");
  private static final Pattern NAME =
      Pattern.compile(
          "(?:(?:[\\p{Alnum}!#$%&'*+/=?^_`{|}~.\\x{80}-\\x{10ffff}-]|\\s|" + QUOTED + ")*+)");
  private static final Pattern COMMENT = Pattern.compile("\\s*\\([^()\\\\]*+\\)\\s*$");

  /**
   * Longer than any deliverable address. The patterns need stack space in proportion to the length.
   */
  private static final int LONGEST = 2_000;

  private MailAddress() {}

  static boolean isOne(String text) {
    if (text.length() > LONGEST) {
      return false;
    }
    var plain = COMMENT.matcher(text.strip()).replaceFirst("");
    if (!plain.endsWith(">")) {
      return ADDRESS.matcher(plain).matches();
    }
    int open = plain.lastIndexOf('<');
    return open >= 0
        && NAME.matcher(plain.substring(0, open)).matches()
        && ADDRESS.matcher(plain.substring(open + 1, plain.length() - 1)).matches();
  }
}
