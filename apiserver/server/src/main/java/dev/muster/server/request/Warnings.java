package dev.muster.server.request;

import dev.muster.http.Header;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The warnings about one request, each once, and no more than a header may hold: when they get
 * long, each is cut, and when they are still long, no more are taken. A text with control
 * characters is never sent. Used by one thread at a time.
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
