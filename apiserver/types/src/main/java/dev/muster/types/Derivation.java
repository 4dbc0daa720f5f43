package dev.muster.types;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A value computed from a type, or from several types, on first use. The source holds the value, so
 * both are garbage-collected together. Like a {@link ClassValue}, a derivation is a static
 * constant. Thread-safe: concurrent first uses may compute the value more than once, but all
 * receive the same one.
 */
public final class Derivation<S extends Derivation.Source, T> {
  /** An object that holds the values derived from it. */
  public abstract static class Source {
    private final Map<Derivation<?, ?>, Object> derived = new ConcurrentHashMap<>();

    Source() {}
  }

  private final Function<? super S, ? extends T> maker;

  /**
   * @param maker computes the value from its argument alone, and retains no object with a shorter
   *     life
   */
  public Derivation(Function<? super S, ? extends T> maker) {
    this.maker = maker;
  }

  @SuppressWarnings("unchecked")
  public T of(S source) {
    var derived = ((Source) source).derived;
    var known = derived.get(this);
    if (known == null) {
      Object made = maker.apply(source);
      var other = derived.putIfAbsent(this, made);
      known = other == null ? made : other;
    }
    return (T) known;
  }
}
