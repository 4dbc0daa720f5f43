package dev.muster.types;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Something that is made of a type, or of several, when it is first asked for, and kept inside of
 * what it was made of: it goes away with it. Kept in static constants, as {@link ClassValue} is.
 * Safe for any thread; when several ask at once it may be made more than once, and all get one.
 */
public final class Derivation<S extends Derivation.Source, T> {
  /** What holds the values that were derived of it. */
  public abstract static class Source {
    private final Map<Derivation<?, ?>, Object> derived = new ConcurrentHashMap<>();

    Source() {}
  }

  private final Function<? super S, ? extends T> maker;

  /**
   * @param maker asks its argument alone, and keeps nothing that lives shorter than that
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
