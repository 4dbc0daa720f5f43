package dev.muster.it.clusterset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of a page, and what it shows as their output. */
record ConsolePage(List<Step> steps) {
  private static final Pattern BLOCK =
      Pattern.compile("^```console\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** What differs each time: ages, and UIDs. */
  private static final Pattern VARYING =
      Pattern.compile(
          "\\b(\\d+(ms|s|m|h|d))+\\b|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** One command, with the output that is shown of it. */
  record Step(String command, List<String> output) {}

  static ConsolePage read(Path file) throws IOException {
    var steps = new ArrayList<Step>();
    var blocks = BLOCK.matcher(Files.readString(file));
    while (blocks.find()) {
      for (var line : blocks.group(1).lines().toList()) {
        if (line.startsWith("$ ")) {
          steps.add(new Step(line.substring(2), new ArrayList<>()));
        } else if (line.startsWith("> ")) {
          var last = steps.removeLast();
          steps.add(new Step(last.command() + "\n" + line.substring(2), last.output()));
        } else {
          steps.getLast().output().add(line);
        }
      }
    }
    return new ConsolePage(List.copyOf(steps));
  }

  /** Lines as they can be compared. */
  static List<String> comparable(List<String> lines) {
    return lines.stream()
        .map(line -> VARYING.matcher(line).replaceAll("~").replaceAll("\\s+", " ").strip())
        .toList();
  }
}
