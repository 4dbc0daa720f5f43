package dev.muster.fleet.discovery;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whether the servers of the fleet serve the same built-in APIs, and the servers that differ.
 *
 * @param joined whether this server's own row exists, so that its peers compare with it, too
 * @param servers the servers by hash, in the order of the hashes
 * @param silent living servers without a row, such as older ones
 */
record AgreementStatus(
    boolean joined, SortedMap<String, List<String>> servers, List<String> silent) {
  private static final int SHORT_HASH = 12;

  /** The status before the first evaluation. */
  static final AgreementStatus UNKNOWN = new AgreementStatus(false, new TreeMap<>(), List.of());

  boolean consistent() {
    return joined && servers.size() == 1 && silent.isEmpty();
  }

  /** The status as a text that is the same on every server. */
  String text() {
    var text = new StringBuilder();
    if (servers.size() == 1 && silent.isEmpty()) {
      text.append("all API servers serve the same built-in APIs");
    } else {
      text.append("API servers do not agree on the built-in APIs");
    }
    servers.forEach(
        (hash, ids) ->
            text.append(text.indexOf(":") < 0 ? ": " : "; ")
                .append(hash, 0, Math.min(SHORT_HASH, hash.length()))
                .append(" by ")
                .append(String.join(", ", ids)));
    if (!silent.isEmpty()) {
      text.append(text.indexOf(":") < 0 ? ": " : "; ")
          .append("no hash by ")
          .append(String.join(", ", silent));
    }
    return text.toString();
  }
}
