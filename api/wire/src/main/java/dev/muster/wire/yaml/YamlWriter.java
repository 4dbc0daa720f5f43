package dev.muster.wire.yaml;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
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
 * Writes YAML in kube-apiserver's style: block style, sorted keys, and quotes around texts that
 * YAML 1.1 would read as another type. Deep trees grow a lot in YAML, so it limits the output per
 * call. Only one thread at a time may use it.
 */
public final class YamlWriter {
  private static final ImplicitTuple IMPLICIT = new ImplicitTuple(true, true);

  /** An object or array that is partly written. */
  private sealed interface Open {
    /**
     * @param keys the remaining keys, in order
     */
    record Members(JsonObject object, Iterator<String> keys) implements Open {}

    record Items(Iterator<? extends Json> items) implements Open {}
  }

  private final StringWriter out = new StringWriter();
  private final Emitter emitter;
  private final ArrayDeque<Open> open = new ArrayDeque<>();
  private final String streamed;
  private final Iterator<? extends Json> items;
  private boolean ended;

  public YamlWriter(Json document) {
    this(document, "", Collections.emptyIterator());
  }

  /**
   * @param streamed the member of the document whose items are not in the tree; "" for none
   * @param items the items, which the writer reads while it writes
   */
  public YamlWriter(Json document, String streamed, Iterator<? extends Json> items) {
    this.streamed = streamed;
    this.items = items;
    var options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setIndent(2);
    options.setSplitLines(false);
    options.setWidth(Integer.MAX_VALUE);
    emitter = new Emitter(out, options);
    try {
      emitter.emit(new StreamStartEvent(null, null));
      emitter.emit(new DocumentStartEvent(null, null, false, null, Map.of()));
      begin(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Encodes a whole value. */
  public static byte[] bytes(Json value) {
    return new YamlWriter(value).next(Integer.MAX_VALUE);
  }

  public boolean hasNext() {
    return !ended;
  }

  /**
   * Writes until the end, or until the output is long enough.
   *
   * @param enough the number of characters
   */
  public byte[] next(int enough) {
    try {
      while (!ended && out.getBuffer().length() < enough) {
        writeOn();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var buffer = out.getBuffer();
    int end = buffer.length();
    if (!ended && end > 0 && Character.isHighSurrogate(buffer.charAt(end - 1))) {
      end--;
    }
    var bytes = buffer.substring(0, end).getBytes(StandardCharsets.UTF_8);
    buffer.delete(0, end);
    return bytes;
  }

  private void writeOn() throws IOException {
    switch (open.peek()) {
      case Open.Members members when members.keys().hasNext() -> member(members);
      case Open.Items list when list.items().hasNext() -> begin(list.items().next());
      case Open.Members ignored -> {
        emitter.emit(new MappingEndEvent(null, null));
        open.pop();
      }
      case Open.Items ignored -> {
        emitter.emit(new SequenceEndEvent(null, null));
        open.pop();
      }
      case null -> {
        emitter.emit(new DocumentEndEvent(null, null, false));
        emitter.emit(new StreamEndEvent(null, null));
        ended = true;
      }
    }
  }

  private void member(Open.Members members) throws IOException {
    var key = members.keys().next();
    text(key);
    if (open.size() == 1 && key.equals(streamed)) {
      sequence(items);
    } else {
      var value = members.object().get(key);
      begin(value == null ? JsonNull.NULL : value);
    }
  }

  private void begin(Json value) throws IOException {
    switch (value) {
      case JsonObject object -> {
        var style = object.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
        emitter.emit(new MappingStartEvent(null, null, true, null, null, style));
        var keys = new ArrayList<>(object.keys());
        keys.sort(YamlKeys.ORDER);
        open.push(new Open.Members(object, keys.iterator()));
      }
      case JsonArray array -> sequence(array.iterator());
      case JsonString string -> text(string.value());
      case JsonNumber number -> scalar(number.toString(), ScalarStyle.PLAIN);
      case JsonBool bool -> scalar(bool.toString(), ScalarStyle.PLAIN);
      case JsonNull ignored -> scalar("null", ScalarStyle.PLAIN);
    }
  }

  private void sequence(Iterator<? extends Json> values) throws IOException {
    var style = values.hasNext() ? FlowStyle.BLOCK : FlowStyle.FLOW;
    emitter.emit(new SequenceStartEvent(null, null, true, null, null, style));
    open.push(new Open.Items(values));
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
