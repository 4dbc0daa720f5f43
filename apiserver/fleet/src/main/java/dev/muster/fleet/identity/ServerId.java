package dev.muster.fleet.identity;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The server identity, which names one run of one server: {@code <hostname>-<pid>-<six base58
 * digits>}. Two servers on one host, even in one process, have different identities, and so has a
 * server after its restart.
 */
public record ServerId(String hostname, long pid, String suffix) {
  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final int SUFFIX_LENGTH = 6;
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_LABEL = 63;

  static ServerId generate(String hostname, long pid, RandomGenerator random) {
    var suffix = new StringBuilder(SUFFIX_LENGTH);
    for (int i = 0; i < SUFFIX_LENGTH; i++) {
      suffix.append(BASE58.charAt(random.nextInt(BASE58.length())));
    }
    return new ServerId(hostname, pid, suffix.toString());
  }

  /**
   * The name of its Lease: the ID in lower case, without characters that a name must not contain.
   * Different IDs may lead to the same name; the later server then chooses another suffix.
   */
  public String leaseName() {
    var name = toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
    name = name.replaceAll("[.-]*\\.[.-]*", ".").replaceAll("^[.-]+", "");
    if (name.length() > LONGEST_NAME) {
      name = name.substring(name.length() - LONGEST_NAME).replaceAll("^[.-]+", "");
    }
    return name;
  }

  /** The hostname as the value of a label. */
  String hostnameLabel() {
    var label = hostname.replaceAll("[^A-Za-z0-9._-]", "-");
    label = label.substring(0, Math.min(label.length(), LONGEST_LABEL));
    return label.replaceAll("^[._-]+|[._-]+$", "");
  }

  @Override
  public String toString() {
    return hostname + "-" + pid + "-" + suffix;
  }
}
