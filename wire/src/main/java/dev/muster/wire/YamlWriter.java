package dev.muster.wire;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonBool;
import dev.muster.model.JsonNull;
import dev.muster.model.JsonNumber;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * Writes YAML in the style of kube-apiserver: blocks, sorted keys, texts quoted where a reader of
 * YAML 1.1 would take them for something else.
 */
public final class YamlWriter {
  private static final ImplicitTuple IMPLICIT = new ImplicitTuple(true, true);

  private final Emitter emitter;

  private YamlWriter(Emitter emitter) {
    this.emitter = emitter;
  }

  public static byte[] bytes(Json value) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setIndent(2);
    options.setSplitLines(false);
    options.setWidth(Integer.MAX_VALUE);
    var out = new StringWriter();
    try {
      new YamlWriter(new Emitter(out, options)).document(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void document(Json value) throws IOException {
    emitter.emit(new StreamStartEvent(null, null));
    emitter.emit(new DocumentStartEvent(null, null, false, null, Map.of()));
    write(value);
    emitter.emit(new DocumentEndEvent(null, null, false));
    emitter.emit(new StreamEndEvent(null, null));
  }

  private void write(Json value) throws IOException {
    switch (value) {
      case JsonObject object -> {
        var style = object.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
        emitter.emit(new MappingStartEvent(null, null, true, null, null, style));
        var keys = new ArrayList<>(object.keys());
        keys.sort(YamlKeys.ORDER);
        for (var key : keys) {
          text(key);
          var member = object.get(key);
          write(member == null ? JsonNull.NULL : member);
        }
        emitter.emit(new MappingEndEvent(null, null));
      }
      case JsonArray array -> {
        var style = array.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
        emitter.emit(new SequenceStartEvent(null, null, true, null, null, style));
        for (var item : array) {
          write(item);
        }
        emitter.emit(new SequenceEndEvent(null, null));
      }
      case JsonString string -> text(string.value());
      case JsonNumber number -> scalar(number.toString(), ScalarStyle.PLAIN);
      case JsonBool bool -> scalar(bool.toString(), ScalarStyle.PLAIN);
      case JsonNull ignored -> scalar("null", ScalarStyle.PLAIN);
    }
  }

  private void text(String text) throws IOException {
    scalar(
        text,
        text.indexOf('\n') >= 0
            ? ScalarStyle.LITERAL
            : YamlScalars.needsQuotes(text) ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN);
  }

  private void scalar(String text, ScalarStyle style) throws IOException {
    emitter.emit(new ScalarEvent(null, null, IMPLICIT, text, null, null, style));
  }
}
