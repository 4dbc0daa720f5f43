package dev.muster.replica.object;

/**
 * Used by any thread without locks: makes equal strings that come by often one string. Forgets at
 * will; losing a race only costs a copy.
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
