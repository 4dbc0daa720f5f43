package dev.muster.schema.generator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What upstream says about its structs and fields. The client's model has it too, but not for
 * fields that are structs themselves, and without its line breaks; the sources of the client's
 * messages have all of it.
 */
final class ProtoComments {
  private static final Pattern INTERFACE =
      Pattern.compile("@@protoc_insertion_point\\(interface_extends:([\\w.]+)\\)");
  private static final Pattern FIELD = Pattern.compile("<code>.*?(\\w+) = (\\d+)( \\[.*)?;</code>");
  private static final Pattern TYPE = Pattern.compile("Protobuf type \\{@code ([\\w.]+)}");

  private final Map<String, List<String>> texts = new HashMap<>();

  private ProtoComments() {}

  /**
   * @param files the classes that hold the messages
   */
  static ProtoComments load(List<String> files) {
    var comments = new ProtoComments();
    for (var file : files) {
      var name = "/io/kubernetes/client/proto/" + file + ".java";
      try (var in = ProtoComments.class.getResourceAsStream(name)) {
        if (in == null) {
          throw new IllegalStateException("no source of the messages of " + file);
        }
        comments.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + name, e);
      }
    }
    return comments;
  }

  /**
   * The description of a message.
   *
   * @param model what the model says, which has a blank for each line break
   */
  String of(String message, String model) {
    return description(texts.getOrDefault(message, List.of()), model);
  }

  /** The description of a message's field. */
  String of(String message, int field, String model) {
    return description(texts.getOrDefault(message + " " + field, List.of()), model);
  }

  private void read(String source) {
    var message = "";
    var lines = new ArrayList<String>();
    boolean inside = false;
    for (var line : source.lines().toList()) {
      var owner = INTERFACE.matcher(line);
      var text = line.strip();
      if (owner.find()) {
        message = owner.group(1);
      } else if (text.equals("* <pre>")) {
        lines.clear();
        inside = true;
      } else if (text.equals("* </pre>")) {
        inside = false;
      } else if (inside) {
        lines.add(unescaped(text.equals("*") ? "" : line.substring(line.indexOf("* ") + 2)));
      } else if (text.equals("*/")) {
        lines.clear();
      } else if (!lines.isEmpty()) {
        var field = FIELD.matcher(line);
        var type = TYPE.matcher(line);
        if (field.find()) {
          texts.putIfAbsent(message + " " + field.group(2), List.copyOf(lines));
        } else if (type.find()) {
          texts.putIfAbsent(type.group(1), List.copyOf(lines));
        }
      }
    }
  }

  /**
   * The text of a comment as upstream publishes it: lines of a paragraph become one, indented ones
   * stay as they are, and what is meant for tools is left out. Empty lines are missing from the
   * comments; the model tells where they were.
   */
  private static String description(List<String> lines, String modelText) {
    var model = modelText;
    var out = new StringBuilder();
    int position = 0;
    boolean indented = false;
    for (var line : lines) {
      if (line.equals("---")) {
        break;
      }
      var text = line.stripTrailing();
      var content = text.stripLeading();
      if (content.isEmpty() || content.startsWith("TODO") || content.startsWith("+")) {
        continue;
      }
      int indent = text.length() - content.length();
      int start = position;
      while (start < model.length() && model.charAt(start) == ' ') {
        start++;
      }
      boolean known = !model.isEmpty() && model.startsWith(content, start);
      if (!known && out.isEmpty()) {
        // Of a number or a text, the model says what that is in general.
        model = "";
      }
      int gap = known ? start - position : indent + 1;
      if (!out.isEmpty()) {
        out.append(gap(gap, indent, indented));
      }
      out.append(content);
      position = start + content.length();
      indented = indent > 0;
      if (!known && !model.isEmpty()) {
        return model;
      }
    }
    return out + model.substring(Math.min(position, model.length()));
  }

  /** What stands between two lines, given how many characters it is. */
  private static String gap(int length, int indent, boolean afterIndented) {
    if (indent > 0) {
      return "\n".repeat(Math.max(1, length - indent)) + " ".repeat(indent);
    }
    return length == 1 && !afterIndented ? " " : "\n".repeat(length);
  }

  private static String unescaped(String text) {
    return text.replace("&#64;", "@")
        .replace("&#47;", "/")
        .replace("&#42;", "*")
        .replace("&#92;", "\\")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }
}
