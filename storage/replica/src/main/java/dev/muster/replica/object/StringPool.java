package dev.muster.replica.object;

/**
 * Shares one instance between equal strings that occur often. It may forget any string, and a lost
 * race only costs a copy. Thread-safe without locks.
 */
public final class StringPool {
  private final String[] table = new String[1 << 13];

  public String share(String word) {
    int hash = word.hashCode();
    int slot = (hash ^ (hash >>> 15)) & (table.length - 1);
    var known = table[slot];
    if (known != null && known.equals(word)) {
      return known;
    }
    table[slot] = word;
    return word;
  }
}
