package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses JSON. It refuses the input that Go's decoder refuses, with Go's messages. Time and memory
 * are proportional to the length of the input: nesting is bounded, numbers stay digits until their
 * value is needed, and colliding keys do not slow it down.
 */
public final class JsonReader {
  /** The maximum nesting; kube-apiserver stops at 10 000. */
  public static final int MAX_DEPTH = 1_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private JsonReader() {}

  /** Parses a text. Of equal keys in an object, the last one counts. */
  public static Json read(byte[] text) {
    return document(text).value();
  }

  /** Parses a text and reports its repeated keys. */
  public static Document document(byte[] text) {
    return document(text, 0, text.length);
  }

  public static Document document(byte[] text, int offset, int length) {
    if (isForeign(text, offset, length)) {
      return refuse(text, offset, length);
    }
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text, offset, length)) {
      return new TreeBuilder().build(parser, JsonReader::number);
    } catch (JacksonException | DecodeException unreadable) {
      return refuse(text, offset, length);
    }
  }

  /** Whether the first bytes would make the parser guess an encoding other than UTF-8. */
  private static boolean isForeign(byte[] text, int offset, int length) {
    return length == 0 || text[offset] <= 0 || (length > 1 && text[offset + 1] == 0);
  }

  private static Document refuse(byte[] text, int offset, int length) {
    var complaint = JsonSyntax.complaint(text, offset, length, MAX_DEPTH);
    if (!complaint.isEmpty()) {
      throw new DecodeException(complaint);
    }
    // Only the encoding is wrong: like Go, replace each invalid sequence by U+FFFD.
    var repaired = new String(text, offset, length, StandardCharsets.UTF_8);
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), repaired)) {
      return new TreeBuilder().build(parser, JsonReader::number);
    } catch (JacksonException unreadable) {
      throw new DecodeException(unreadable.getOriginalMessage());
    }
  }

  private static Json number(JsonParser parser, boolean integer) {
    if (integer && parser.getStringLength() < 19) {
      return new JsonInteger(parser.getLongValue());
    }
    var digits = parser.getString();
    if (integer && digits.length() <= 20) {
      try {
        return new JsonInteger(Long.parseLong(digits));
      } catch (NumberFormatException tooLarge) {
        return new JsonDecimal(digits);
      }
    }
    return new JsonDecimal(digits);
  }
}
