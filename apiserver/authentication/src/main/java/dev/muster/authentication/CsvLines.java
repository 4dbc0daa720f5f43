package dev.muster.authentication;

import java.util.ArrayList;
import java.util.List;

/** Reads comma-separated values (RFC 4180): columns may be quoted, empty lines are skipped. */
final class CsvLines {
  private final String text;
  private final List<List<String>> lines = new ArrayList<>();
  private int at;

  private CsvLines(String text) {
    this.text = text;
  }

  static List<List<String>> parse(String text) {
    var csv = new CsvLines(text);
    while (csv.at < text.length()) {
      csv.line();
    }
    return csv.lines;
  }

  private void line() {
    var columns = new ArrayList<String>();
    boolean more = true;
    while (more) {
      columns.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
      more = at < text.length() && text.charAt(at) == ',';
      if (more) {
        at++;
      }
    }
    if (at < text.length() && text.charAt(at) == '\r') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '\n') {
      at++;
    }
    if (columns.size() > 1 || !columns.getFirst().isEmpty()) {
      lines.add(columns);
    }
  }

  private String plain() {
    int start = at;
    while (at < text.length() && ",\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted() {
    var column = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '"') {
        column.append(c);
      } else if (at < text.length() && text.charAt(at) == '"') {
        column.append('"');
        at++;
      } else {
        return column.append(plain()).toString();
      }
    }
    throw new IllegalArgumentException("a column lacks its closing quote");
  }
}
