package dev.muster.wire.yaml;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import dev.muster.wire.JsonReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;

/**
 * Reads the first document of a YAML text like kube-apiserver. It applies YAML 1.1's booleans and
 * numbers, converts keys to texts, and applies merge keys. Aliases share their target; a text whose
 * aliases would expand to far more than the text is refused. Time and memory are proportional to
 * the length of the text. One thread uses it once.
 */
public final class YamlReader {
  private final Parser parser;
  private final Map<String, Anchor> anchors = new HashMap<>();

  /** The anchors whose nodes are being read. */
  private final Set<String> open = new HashSet<>();

  private final List<String> repeated = new ArrayList<>();

  /** The lines of the values of each mapping, kept when mappings may be merged. */
  private final @Nullable Map<JsonObject, Map<String, Integer>> lines;

  private long nodes;
  private long aliased;
  private int depth;

  /** The value of an anchor and its number of nodes. */
  private record Anchor(Json value, long nodes) {}

  private YamlReader(String text) {
    var options = new LoaderOptions();
    options.setNestingDepthLimit(JsonReader.MAX_DEPTH + 1);
    options.setCodePointLimit(Integer.MAX_VALUE);
    parser = new ParserImpl(new YamlText(text), options);
    lines = text.contains("<<") ? new IdentityHashMap<>() : null;
  }

  public static Json read(byte[] text) {
    return document(text).value();
  }

  /** Reads a text and refuses repeated keys. */
  public static Json readStrictly(byte[] text) {
    var document = document(text);
    if (!document.complaints().isEmpty()) {
      throw new DecodeException(
          "strict decoding error: " + String.join(", ", document.complaints()));
    }
    return document.value();
  }

  /** Reads a text and reports its repeated keys. */
  public static Document document(byte[] text) {
    try {
      var decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return new YamlReader(FlowTabs.asSpaces(decoded.toString())).document();
    } catch (CharacterCodingException e) {
      throw new DecodeException("yaml: invalid leading UTF-8 octet");
    } catch (YAMLException e) {
      throw new DecodeException(YamlComplaints.of(e));
    }
  }

  private Document document() {
    parser.getEvent();
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      return new Document(JsonNull.NULL);
    }
    if (parser.getEvent() instanceof DocumentStartEvent start
        && start.getVersion() != null
        && start.getVersion() != DumperOptions.Version.V1_1) {
      throw new DecodeException("yaml: found incompatible YAML document");
    }
    var value = node(parser.getEvent());
    parser.getEvent();
    return new Document(
        value,
        repeated.isEmpty()
            ? List.of()
            : List.of("yaml: unmarshal errors:\n  " + String.join("\n  ", repeated)),
        Duplicates.NONE);
  }

  private Json node(Event event) {
    count(1);
    if (event instanceof AliasEvent alias) {
      return alias(alias.getAnchor());
    }
    if (!(event instanceof NodeEvent node)) {
      throw new DecodeException("yaml: did not find expected node content");
    }
    long before = nodes;
    var name = node.getAnchor();
    if (name != null) {
      anchors.remove(name);
      open.add(name);
    }
    if (++depth > JsonReader.MAX_DEPTH) {
      throw new DecodeException("yaml: exceeded max depth of " + JsonReader.MAX_DEPTH);
    }
    var value =
        switch (event) {
          case ScalarEvent scalar -> scalar(scalar);
          case SequenceStartEvent ignored -> sequence();
          case MappingStartEvent ignored -> mapping();
          default -> throw new DecodeException("yaml: did not find expected node content");
        };
    depth--;
    if (name != null) {
      open.remove(name);
      anchors.put(name, new Anchor(value, nodes - before + 1));
    }
    return value;
  }

  private Json alias(String name) {
    var anchor = anchors.get(name);
    if (anchor == null) {
      throw new DecodeException(
          open.contains(name)
              ? "yaml: anchor '" + name + "' value contains itself"
              : "yaml: unknown anchor '" + name + "' referenced");
    }
    aliased += anchor.nodes();
    count(anchor.nodes());
    return anchor.value();
  }

  /** Counts nodes as if aliases were written out; refuses documents that are mostly aliases. */
  private void count(long more) {
    nodes += more;
    if (aliased > 100 && nodes > 1_000) {
      double allowed =
          nodes <= 400_000
              ? 0.99
              : nodes >= 4_000_000 ? 0.10 : 0.99 - 0.89 * (nodes - 400_000) / 3_600_000.0;
      if ((double) aliased / nodes > allowed) {
        throw new DecodeException("yaml: document contains excessive aliasing");
      }
    }
  }

  private Json sequence() {
    var items = new ArrayList<Json>();
    for (var event = parser.getEvent();
        !event.is(Event.ID.SequenceEnd);
        event = parser.getEvent()) {
      items.add(node(event));
    }
    return JsonArray.of(items);
  }

  private Json mapping() {
    var mapping = new YamlMapping(repeated, lines);
    for (var event = parser.getEvent(); !event.is(Event.ID.MappingEnd); event = parser.getEvent()) {
      boolean isMerge =
          event instanceof ScalarEvent scalar && scalar.isPlain() && scalar.getValue().equals("<<");
      var key = isMerge ? JsonNull.NULL : node(event);
      var next = parser.getEvent();
      int line = next.getStartMark() == null ? 0 : next.getStartMark().getLine() + 1;
      var value = node(next);
      if (isMerge) {
        mapping.merge(value);
      } else {
        mapping.put(key, key(key, value), value, line);
      }
    }
    return mapping.build();
  }

  private static String key(Json key, Json value) {
    return switch (key) {
      case JsonString string -> string.value();
      case JsonNumber number -> number.toString();
      case JsonBool bool -> bool.toString();
      case JsonNull ignored ->
          throw new DecodeException(
              "unsupported map key of type: %!s(<nil>), key: <nil>, value: "
                  + (value == JsonNull.NULL ? "<nil>" : YamlComplaints.goSyntax(value)));
      case JsonArray list -> throw unusable(list);
      case JsonObject map -> throw unusable(map);
    };
  }

  private static DecodeException unusable(Json key) {
    return new DecodeException("yaml: invalid map key: " + YamlComplaints.goSyntax(key));
  }

  private static Json scalar(ScalarEvent scalar) {
    var tag = scalar.getTag();
    if (tag == null || tag.equals("!")) {
      var resolved =
          scalar.isPlain() && tag == null ? YamlScalars.resolve(scalar.getValue()) : null;
      return resolved == null ? Json.of(scalar.getValue()) : resolved;
    }
    return switch (tag) {
      case "tag:yaml.org,2002:binary" -> binary(scalar.getValue());
      case "tag:yaml.org,2002:null",
          "tag:yaml.org,2002:bool",
          "tag:yaml.org,2002:int",
          "tag:yaml.org,2002:float" -> {
        var resolved = YamlScalars.resolve(scalar.getValue());
        var wanted = tag.substring(tag.lastIndexOf(':') + 1);
        var found = type(resolved);
        boolean widens = wanted.equals("float") && found.equals("int");
        if (resolved == null || !(found.equals(wanted) || widens)) {
          throw new DecodeException(
              "yaml: cannot decode !!" + found + " `" + scalar.getValue() + "` as a !!" + wanted);
        }
        yield resolved;
      }
      default -> Json.of(scalar.getValue());
    };
  }

  private static String type(@Nullable Json resolved) {
    return switch (resolved) {
      case JsonNull ignored -> "null";
      case JsonBool ignored -> "bool";
      case JsonInteger ignored -> "int";
      case JsonNumber ignored -> "float";
      case null, default -> "str";
    };
  }

  private static Json binary(String text) {
    try {
      var octets = Base64.getDecoder().decode(text.replace("\r", "").replace("\n", ""));
      if (octets.length == 0 || text.endsWith("=") || text.strip().length() % 4 == 0) {
        return Json.of(new String(octets, StandardCharsets.UTF_8));
      }
    } catch (IllegalArgumentException malformed) {
      // Reported below, like missing padding.
    }
    throw new DecodeException("yaml: !!binary value contains invalid base64 data");
  }
}
