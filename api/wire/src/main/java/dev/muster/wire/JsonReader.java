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
 * Reads JSON text. Time and memory stay proportional to the length of the text, whatever is in it:
 * nesting is bounded, numbers are kept as digits until somebody wants their value, and keys that
 * were chosen to collide do not slow it down. Refuses what Go's decoder refuses, in its words.
 */
public final class JsonReader {
  /** The deepest nesting that is read; kube-apiserver stops at 10 000. */
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

  /** Reads a text; of equal keys in an object the last one counts. */
  public static Json read(byte[] text) {
    return document(text).value();
  }

  /** Reads a text and says which keys stood in it twice. */
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

  /** Whether the first bytes would make the parser guess another encoding than UTF-8. */
  private static boolean isForeign(byte[] text, int offset, int length) {
    return length == 0 || text[offset] <= 0 || (length > 1 && text[offset + 1] == 0);
  }

  private static Document refuse(byte[] text, int offset, int length) {
    var complaint = JsonSyntax.complaint(text, offset, length, MAX_DEPTH);
    if (!complaint.isEmpty()) {
      throw new DecodeException(complaint);
    }
    // Only the encoding was bad: like Go, take each broken sequence for U+FFFD.
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
