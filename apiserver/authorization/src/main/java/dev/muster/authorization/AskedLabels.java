package dev.muster.authorization;

import dev.muster.model.select.LabelSelector;
import org.jspecify.annotations.Nullable;

/**
 * The label selector of a request, parsed on first use, because webhooks need it and RBAC does not.
 * Thread-safe.
 */
public final class AskedLabels {
  /** Selects all objects. */
  public static final AskedLabels EVERYTHING = new AskedLabels("", LabelSelector.EVERYTHING);

  private final String text;

  /** Concurrent readers may both parse it, to the same result. */
  private @Nullable LabelSelector read;

  private AskedLabels(String text, @Nullable LabelSelector read) {
    this.text = text;
    this.read = read;
  }

  public static AskedLabels of(LabelSelector selector) {
    return new AskedLabels("", selector);
  }

  /**
   * The label selector of a query. One that cannot be parsed selects everything, so that
   * authorization checks more than the request asks for, never less.
   */
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
