package dev.muster.validation;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A list of distinct warnings about an object, limited in size: without a limit, warnings about
 * pairs of items in a long list could fill the memory. Not thread-safe.
 */
final class WarningTexts extends AbstractList<String> {
  /**
   * A response contains at most 4096 characters of warnings, each cut to 256 when there are many.
   */
  private static final int MOST_TEXT = 4 * 4096;

  private static final int MOST_TEXT_EACH = 256;

  private final List<String> texts = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private int length;

  /** The limit is reached, and the search ends. */
  private static final class Full extends RuntimeException {
    private Full() {
      super("too many warnings", null, false, false);
    }
  }

  private WarningTexts() {}

  /** The warnings that the finder adds, up to the limit. */
  static List<String> of(Consumer<List<String>> finder) {
    var found = new WarningTexts();
    try {
      finder.accept(found);
    } catch (Full enough) {
      // the warnings up to the limit are complete
    }
    return found;
  }

  /** Adds a warning, and ends the search at the limit; only for finders that {@link #of} runs. */
  @Override
  public boolean add(String text) {
    if (!known.add(text)) {
      return false;
    }
    texts.add(text);
    length += Math.min(text.length(), MOST_TEXT_EACH);
    if (length > MOST_TEXT) {
      throw new Full();
    }
    return true;
  }

  @Override
  public String get(int index) {
    return texts.get(index);
  }

  @Override
  public int size() {
    return texts.size();
  }
}
