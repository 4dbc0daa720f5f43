package dev.muster.server.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The decoded segments of a path, and where each segment ends in the path as it was sent. An
 * encoded slash separates segments, as in kube-apiserver. Empty segments are skipped.
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

  /** The index of the next slash, encoded or not; -1 when there is none. */
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

  /** The segment at that index, or "" when there are fewer segments. */
  String get(int index) {
    return index < texts.size() ? texts.get(index) : "";
  }

  /** The end of that segment in the path as it was sent. */
  int end(int index) {
    return ends[index];
  }
}
