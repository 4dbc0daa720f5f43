package dev.muster.wire.yaml;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Gives SnakeYAML the whole text to look ahead in. SnakeYAML's own reader copies all characters
 * seen so far for each thousand more, so that a scalar of some megabytes takes seconds. One thread
 * uses it once.
 */
final class YamlText extends StreamReader {
  private static final String NAME = "'string'";

  /** How many characters ahead are checked at once, as in SnakeYAML's own reader. */
  private static final int CHECKED_AT_ONCE = 1024;

  private static final int BYTE_ORDER_MARK = 0xfeff;

  private final int[] text;
  private int checked;
  private int at;
  private int documentStart;
  private int line;
  private int column;

  YamlText(String text) {
    super("");
    this.text = text.codePoints().toArray();
  }

  /**
   * Whether the text has that many characters ahead; refuses characters that YAML does not allow.
   */
  private boolean has(int ahead) {
    int wanted = at + ahead;
    while (checked <= wanted && checked < text.length) {
      int end = Math.min(text.length, checked + CHECKED_AT_ONCE);
      for (; checked < end; checked++) {
        if (!isPrintable(text[checked])) {
          throw new ReaderException(
              NAME, checked, text[checked], "special characters are not allowed");
        }
      }
    }
    return wanted < text.length;
  }

  @Override
  public Mark getMark() {
    return new Mark(NAME, at, line, column, text, at);
  }

  @Override
  public void forward() {
    forward(1);
  }

  @Override
  public void forward(int length) {
    for (int i = 0; i < length && has(0); i++) {
      int c = text[at++];
      if (endsLine(c)) {
        line++;
        column = 0;
      } else if (c != BYTE_ORDER_MARK) {
        column++;
      }
    }
  }

  private boolean endsLine(int c) {
    return switch (c) {
      case '\n', 0x85, 0x2028, 0x2029 -> true;
      case '\r' -> has(0) && text[at] != '\n';
      default -> false;
    };
  }

  @Override
  public int peek() {
    return peek(0);
  }

  @Override
  public int peek(int ahead) {
    return has(ahead) ? text[at + ahead] : 0;
  }

  @Override
  public String prefix(int length) {
    has(length);
    return new String(text, at, Math.min(length, text.length - at));
  }

  @Override
  public String prefixForward(int length) {
    var prefix = prefix(length);
    at += length;
    column += length;
    return prefix;
  }

  @Override
  public int getColumn() {
    return column;
  }

  @Override
  public int getLine() {
    return line;
  }

  @Override
  public int getIndex() {
    return at;
  }

  @Override
  public int getDocumentIndex() {
    return at - documentStart;
  }

  @Override
  public void resetDocumentIndex() {
    documentStart = at;
  }
}
