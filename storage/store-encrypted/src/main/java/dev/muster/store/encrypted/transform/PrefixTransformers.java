package dev.muster.store.encrypted.transform;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects a transformer by the prefix of the stored value. The first transformer encrypts. All of
 * them decrypt, in order; when one fails, the next one with the same prefix tries.
 */
public final class PrefixTransformers implements Transformer {
  /** Receives the results of the transformers. */
  @FunctionalInterface
  public interface Observer {
    Observer NONE = (_, _, _, _) -> {};

    /**
     * @param prefix the prefix of the transformer; "identity" or "unknown" for values without one
     * @param status OK, or the reason of the failure
     */
    void transformed(boolean toStorage, String prefix, String status, long nanos);
  }

  /**
   * @param prefix the prefix of the transformer's values; "" for unencrypted values
   */
  public record Prefixed(String prefix, Transformer transformer) {}

  private record Known(String prefix, byte[] bytes, Transformer transformer) {}

  private final String otherwise;
  private final List<Known> transformers;
  private final Observer observer;

  /**
   * @param otherwise the error for a value whose prefix belongs to no transformer
   */
  public PrefixTransformers(String otherwise, List<Prefixed> transformers, Observer observer) {
    this.otherwise = otherwise;
    this.observer = observer;
    this.transformers =
        transformers.stream()
            .map(
                each ->
                    new Known(
                        each.prefix(),
                        each.prefix().getBytes(StandardCharsets.UTF_8),
                        each.transformer()))
            .toList();
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) throws TransformException {
    long start = System.nanoTime();
    var first = transformers.getFirst();
    try {
      var result = first.transformer.toStorage(value, path);
      observer.transformed(true, first.prefix, "OK", System.nanoTime() - start);
      return joined(first.bytes, result);
    } catch (TransformException e) {
      observer.transformed(true, first.prefix, e.status(), System.nanoTime() - start);
      throw e;
    }
  }

  private static byte[] joined(byte[] prefix, byte[] rest) {
    if (prefix.length == 0) {
      return rest;
    }
    var joined = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, joined, prefix.length, rest.length);
    return joined;
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    long start = System.nanoTime();
    var failures = new ArrayList<TransformException>(1);
    for (var each : transformers) {
      if (!startsWith(stored, offset, each.bytes)) {
        continue;
      }
      boolean clear = each.bytes.length == 0;
      var shown = clear ? "identity" : each.prefix;
      try {
        var opened = each.transformer.fromStorage(stored, offset + each.bytes.length, path);
        observer.transformed(false, shown, "OK", System.nanoTime() - start);
        return clear ? opened : opened.within(each.prefix);
      } catch (TransformException e) {
        // The identity transformer refuses encrypted values, which a later transformer may decrypt.
        if (!clear) {
          observer.transformed(false, shown, e.status(), System.nanoTime() - start);
          failures.add(e);
        }
      }
    }
    if (failures.isEmpty()) {
      observer.transformed(false, "unknown", TransformException.LOCAL, System.nanoTime() - start);
      throw new TransformException(otherwise);
    }
    throw failures.size() == 1 ? failures.getFirst() : all(failures);
  }

  private static TransformException all(List<TransformException> failures) {
    var texts = new LinkedHashSet<String>();
    failures.forEach(failure -> texts.add(failure.text()));
    var text = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
    return new TransformException(text, failures.getFirst().status(), failures.getFirst());
  }

  @Override
  public @Nullable String writer() {
    var first = transformers.getFirst();
    var writer = first.transformer.writer();
    return writer == null ? null : first.prefix + writer;
  }

  static boolean startsWith(byte[] value, int offset, byte[] prefix) {
    return value.length - offset >= prefix.length
        && Arrays.equals(value, offset, offset + prefix.length, prefix, 0, prefix.length);
  }
}
