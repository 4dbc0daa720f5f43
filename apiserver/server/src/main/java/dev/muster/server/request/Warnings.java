package dev.muster.server.request;

import dev.muster.http.Header;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the warnings about one request, each once, within the size limit of headers. When they
 * exceed the limit, each is cut; when they still exceed it, later ones are dropped. Texts with
 * control characters are never sent. One thread at a time uses it.
 */
final class Warnings {
  private static final int MOST_TEXT = 4096;
  private static final int MOST_TEXT_EACH = 256;

  private final Set<String> known = new HashSet<>();
  private final List<String> ordered = new ArrayList<>();
  private final List<Header> headers = new ArrayList<>();
  private int written;
  private boolean cutting;

  void add(String text) {
    if (text.isEmpty() || (cutting && written >= MOST_TEXT) || !known.add(text)) {
      return;
    }
    ordered.add(text);
    if (!cutting && written + length(text) > MOST_TEXT) {
      cutting = true;
      written = 0;
      headers.clear();
      ordered.forEach(this::write);
    } else {
      write(text);
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private void write(String whole) {
    var text =
        cutting && length(whole) > MOST_TEXT_EACH
            ? whole.substring(0, whole.offsetByCodePoints(0, MOST_TEXT_EACH))
            : whole;
    if (text.chars().noneMatch(Character::isISOControl)) {
      written += length(text);
      headers.add(new Header("warning", "299 - " + quote(text)));
    }
  }

  private static String quote(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c);
    }
    return out.append('"').toString();
  }

  List<Header> headers() {
    return headers;
  }
}
