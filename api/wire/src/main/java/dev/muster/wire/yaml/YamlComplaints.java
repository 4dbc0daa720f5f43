package dev.muster.wire.yaml;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.JsonReader;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.scanner.ScannerException;

/** Translates the parser's syntax errors into libyaml's messages. */
final class YamlComplaints {
  /** The start of a message of the parser, and the message that libyaml uses. */
  private record Wording(String ours, String theirs) {}

  private static final List<Wording> WORDINGS =
      List.of(
          new Wording(
              "mapping values are not allowed", "mapping values are not allowed in this context"),
          new Wording(
              "sequence entries are not allowed",
              "block sequence entries are not allowed in this context"),
          new Wording(
              "mapping keys are not allowed", "mapping keys are not allowed in this context"),
          new Wording("found character", "found character that cannot start any token"),
          new Wording("expected ',' or ']'", "did not find expected ',' or ']'"),
          new Wording("expected ',' or '}'", "did not find expected ',' or '}'"),
          new Wording("expected the node content", "did not find expected node content"),
          new Wording("expected '<document start>'", "did not find expected <document start>"),
          new Wording("expected <block end>", "did not find expected key"),
          new Wording("found unknown escape character", "found unknown escape character"),
          new Wording("expected escape sequence", "did not find expected hexdecimal number"),
          new Wording("found undefined tag handle", "found undefined tag handle"),
          new Wording("found unexpected document separator", "found unexpected document indicator"),
          new Wording("expected chomping", "did not find expected comment or line break"),
          new Wording("expected a comment", "did not find expected comment or line break"),
          new Wording("expected indentation", "found an indentation indicator equal to 0"),
          new Wording(
              "expected alphabetic or numeric",
              "did not find expected alphabetic or numeric character"),
          new Wording(
              "unexpected character found",
              "did not find expected alphabetic or numeric character"),
          new Wording("expected '>'", "did not find the expected '>'"),
          new Wording("found incompatible YAML", "found incompatible YAML document"),
          new Wording("Nesting Depth exceeded", "exceeded max depth of " + JsonReader.MAX_DEPTH));

  /** The maximum length of a message, which may contain the whole text. */
  private static final int LONGEST = 1024;

  private YamlComplaints() {}

  static String of(YAMLException complaint) {
    if (complaint instanceof ReaderException) {
      return "yaml: control characters are not allowed";
    }
    if (!(complaint instanceof MarkedYAMLException marked)) {
      return "yaml: " + wording(String.valueOf(complaint.getMessage()), "");
    }
    int line = line(marked.getProblemMark());
    if (String.valueOf(marked.getProblem()).contains("<stream end>")
        && marked.getProblemMark().getColumn() != 0) {
      // To Go's reader, every text ends at the beginning of a line.
      line++;
    } else if (line == 0) {
      line = line(marked.getContextMark());
    } else if (complaint instanceof ScannerException) {
      line++;
    }
    var context = String.valueOf(marked.getContext());
    return "yaml: "
        + (line > 0 ? "line " + line + ": " : "")
        + wording(String.valueOf(marked.getProblem()), context);
  }

  /** A value as {@code %#v} prints it. */
  static String goSyntax(Json value) {
    return switch (value) {
      case JsonArray array ->
          array.asList().stream()
              .map(YamlComplaints::goSyntax)
              .collect(Collectors.joining(", ", "[]interface {}{", "}"));
      case JsonObject object ->
          IntStream.range(0, object.size())
              .mapToObj(i -> GoText.quote(object.key(i)) + ":" + goSyntax(object.value(i)))
              .collect(Collectors.joining(", ", "map[interface {}]interface {}{", "}"));
      case JsonString string -> GoText.quote(string.value());
      case JsonNull ignored -> "interface {}(nil)";
      case Json other -> other.toString();
    };
  }

  private static int line(Mark mark) {
    return mark == null ? 0 : mark.getLine();
  }

  private static String wording(String problem, String context) {
    for (var wording : WORDINGS) {
      if (problem.startsWith(wording.ours())) {
        return wording.ours().equals("expected <block end>") && context.contains("collection")
            ? "did not find expected '-' indicator"
            : wording.theirs();
      }
    }
    int end = problem.indexOf('\n');
    return problem.substring(0, Math.min(LONGEST, end < 0 ? problem.length() : end));
  }
}
