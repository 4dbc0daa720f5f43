package dev.muster.cli.command;

import java.util.ArrayList;
import java.util.List;

/** Formats rows as a table with aligned columns. */
public final class TextTable {
  private TextTable() {}

  /** The first row is the heading; all rows have the same number of cells. */
  public static List<String> of(List<List<String>> rows) {
    var widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var lines = new ArrayList<String>();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 3);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
