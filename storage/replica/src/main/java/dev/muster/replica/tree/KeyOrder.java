package dev.muster.replica.tree;

/**
 * The order of store keys: by the UTF-8 bytes of {@code namespace/name}, or of the name of a
 * cluster-scoped object. This differs from sorting by namespace, then name: {@code a-b/x} comes
 * before {@code a/x}, because a hyphen is smaller than a slash.
 */
public final class KeyOrder {
  private KeyOrder() {}

  public static int compare(
      String namespace, String name, String otherNamespace, String otherName) {
    if (namespace == otherNamespace || namespace.equals(otherNamespace)) {
      return names(name, otherName);
    }
    if (Probe.isLast(namespace)) {
      return 1;
    }
    if (namespace.isEmpty() || otherNamespace.isEmpty()) {
      return texts(key(namespace, name), key(otherNamespace, otherName));
    }
    int length = namespace.length();
    int otherLength = otherNamespace.length();
    if (length < otherLength && otherNamespace.startsWith(namespace)) {
      return '/' - otherNamespace.charAt(length);
    }
    if (otherLength < length && namespace.startsWith(otherNamespace)) {
      return namespace.charAt(otherLength) - '/';
    }
    return texts(namespace, otherNamespace);
  }

  private static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  private static int names(String name, String other) {
    return Probe.isLast(name) ? 1 : texts(name, other);
  }

  /**
   * Compares by code point, which is the order of UTF-8 bytes; {@code compareTo} compares UTF-16
   * units.
   */
  public static int texts(String text, String other) {
    int order = text.compareTo(other);
    if (Math.abs(order) < 0x400) {
      // The orders differ only between a surrogate and a unit above U+DFFF, at a larger distance.
      return order;
    }
    int shorter = Math.min(text.length(), other.length());
    for (int i = 0; i < shorter; i++) {
      char a = text.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        boolean surrogate = Character.isSurrogate(a);
        return surrogate == Character.isSurrogate(b) ? a - b : surrogate ? 1 : -1;
      }
    }
    return order;
  }
}
