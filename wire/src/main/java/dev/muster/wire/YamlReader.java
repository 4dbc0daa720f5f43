package dev.muster.wire;

import dev.muster.model.GoText;
import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonBool;
import dev.muster.model.JsonInteger;
import dev.muster.model.JsonNull;
import dev.muster.model.JsonNumber;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads the first document of a YAML text as kube-apiserver does: with YAML 1.1's booleans and
 * numbers, keys that are not texts turned into texts, merge keys merged. Aliases share what they
 * name, and a text in which they would stand for far more than it holds is refused. Used once, by
 * one thread.
 */
public final class YamlReader {
  private final Parser parser;
  private final Map<String, Anchor> anchors = new HashMap<>();
  private final List<String> repeated = new ArrayList<>();
  private long nodes;
  private long aliased;
  private int depth;

  /** What an anchor names, and how many nodes that is. */
  private record Anchor(Json value, long nodes) {}

  private YamlReader(String text) {
    var options = new LoaderOptions();
    options.setNestingDepthLimit(JsonReader.MAX_DEPTH + 1);
    options.setCodePointLimit(Integer.MAX_VALUE);
    parser = new ParserImpl(new StreamReader(text), options);
  }

  public static Json read(byte[] text) {
    return document(text).value();
  }

  /** Reads a text and says which keys stood in it twice. */
  public static Document document(byte[] text) {
    try {
      var decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
      return new YamlReader(decoded.toString()).document();
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
    parser.getEvent();
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
    if (node.getAnchor() != null) {
      anchors.put(node.getAnchor(), new Anchor(value, nodes - before + 1));
    }
    return value;
  }

  private Json alias(String name) {
    var anchor = anchors.get(name);
    if (anchor == null) {
      throw new DecodeException("yaml: unknown anchor '" + name + "' referenced");
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
    var members = new LinkedHashMap<String, Json>();
    JsonObject.Builder merged = null;
    for (var event = parser.getEvent(); !event.is(Event.ID.MappingEnd); event = parser.getEvent()) {
      int line = event.getStartMark() == null ? 0 : event.getStartMark().getLine() + 1;
      boolean isMerge =
          event instanceof ScalarEvent scalar && scalar.isPlain() && scalar.getValue().equals("<<");
      var key = isMerge ? JsonNull.NULL : node(event);
      var value = node(parser.getEvent());
      if (isMerge) {
        merged = merge(merged, value);
      } else if (members.put(key(key, value), value) != null) {
        repeated.add("line " + line + ": key " + quoted(key) + " already set in map");
      }
    }
    var object = JsonObject.builder();
    if (merged != null) {
      var fromMerge = merged.build();
      for (int i = 0; i < fromMerge.size(); i++) {
        if (!members.containsKey(fromMerge.key(i))) {
          object.append(fromMerge.key(i), fromMerge.value(i));
        }
      }
    }
    members.forEach(object::append);
    return object.build();
  }

  private static String quoted(Json key) {
    return key instanceof JsonString string ? GoText.quote(string.value()) : key.toString();
  }

  private static JsonObject.Builder merge(JsonObject.@Nullable Builder before, Json value) {
    var merged = before == null ? JsonObject.builder() : before;
    var sources = value instanceof JsonArray array ? array.asList() : List.of(value);
    for (var source : sources) {
      if (!(source instanceof JsonObject object)) {
        throw new DecodeException("yaml: map merge requires map or sequence of maps as the value");
      }
      for (int i = 0; i < object.size(); i++) {
        if (!merged.has(object.key(i))) {
          merged.append(object.key(i), object.value(i));
        }
      }
    }
    return merged;
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
      // Told below, as padding that is missing is.
    }
    throw new DecodeException("yaml: !!binary value contains invalid base64 data");
  }
}
