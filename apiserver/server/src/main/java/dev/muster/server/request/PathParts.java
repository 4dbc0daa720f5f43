package dev.muster.server.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The parts of a path, decoded, and where each of them ends in the path as it was sent. An encoded
 * slash divides as any other, as it does in upstream; what is empty between two slashes is no part.
 */
final class PathParts {
  private static final String ENCODED_SLASH = "%2F";

  private final List<String> texts = new ArrayList<>(8);
  private int[] ends = new int[8];

  private PathParts() {}

  static PathParts of(String path) {
    var parts = new PathParts();
    boolean encoded = path.indexOf('%') >= 0;
    int start = 0;
    while (start < path.length()) {
      int end = encoded ? nextSlash(path, start) : path.indexOf('/', start);
      if (end < 0) {
        end = path.length();
      }
      if (end > start) {
        parts.add(path.substring(start, end), end, encoded);
      }
      start = end + (end < path.length() && path.charAt(end) == '%' ? ENCODED_SLASH.length() : 1);
    }
    return parts;
  }

  /** The place of the next slash, encoded or not; -1 when there is none. */
  private static int nextSlash(String path, int from) {
    for (int i = from; i < path.length(); i++) {
      if (path.charAt(i) == '/'
          || path.regionMatches(true, i, ENCODED_SLASH, 0, ENCODED_SLASH.length())) {
        return i;
      }
    }
    return -1;
  }

  private void add(String part, int end, boolean encoded) {
    if (texts.size() == ends.length) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[texts.size()] = end;
    texts.add(encoded ? decode(part) : part);
  }

  private static String decode(String part) {
    if (part.indexOf('%') < 0) {
      return part;
    }
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return part;
    }
  }

  int size() {
    return texts.size();
  }

  /** The part of that number, or "" when there are not so many. */
  String get(int index) {
    return index < texts.size() ? texts.get(index) : "";
  }

  /** Where that part ends in the path as it was sent. */
  int end(int index) {
    return ends[index];
  }
}
