package dev.muster.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The lines of the table in {@code docs/reference/cis-benchmark.md}. */
final class CisTable {
  private static final Pattern FLAG = Pattern.compile("`(--[a-z0-9-]+=[^`]+)`");

  /**
   * One check.
   *
   * @param up the result on {@code muster up}
   * @param apiServer the result on {@code muster apiserver}
   */
  record Row(String check, List<String> flags, String up, String apiServer) {}

  private CisTable() {}

  static List<Row> read() throws IOException {
    var rows = new ArrayList<Row>();
    for (var line : Files.readAllLines(Path.of("../../docs/reference/cis-benchmark.md"))) {
      var cells = line.split("\\|", -1);
      if (cells.length == 7 && cells[1].strip().startsWith("1.2.")) {
        var flags = FLAG.matcher(cells[3]).results().map(found -> found.group(1)).toList();
        rows.add(new Row(cells[1].strip(), flags, cells[4].strip(), cells[5].strip()));
      }
    }
    return rows;
  }
}
