package dev.muster.authorization;

import dev.muster.model.select.LabelSelector;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread. Which objects a request asks for by their labels, read when somebody looks:
 * a webhook may, while roles decide without.
 */
public final class AskedLabels {
  /** All objects. */
  public static final AskedLabels EVERYTHING = new AskedLabels("", LabelSelector.EVERYTHING);

  private final String text;

  /** Whoever reads it twice at a time reads the same. */
  private @Nullable LabelSelector read;

  private AskedLabels(String text, @Nullable LabelSelector read) {
    this.text = text;
    this.read = read;
  }

  public static AskedLabels of(LabelSelector selector) {
    return new AskedLabels("", selector);
  }

  /** Of a query; what cannot be read asks for everything, which is more and never less. */
  public static AskedLabels of(String text) {
    return text.isEmpty() ? EVERYTHING : new AskedLabels(text, null);
  }

  public LabelSelector selector() {
    var known = read;
    if (known == null) {
      known = LabelSelector.readable(text);
      read = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return text;
  }
}
