package dev.muster.validation;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Warnings about an object, each once, until there are more than any answer tells: pairs of members
 * of a long list could otherwise fill the memory. Not for several threads.
 */
final class WarningTexts extends AbstractList<String> {
  /** An answer has 4096 characters of warnings, which are cut to 256 when there are many. */
  private static final int MOST_TEXT = 4 * 4096;

  private static final int MOST_TEXT_EACH = 256;

  private final List<String> texts = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private int length;

  /** There are so many warnings that the search for more ends. */
  private static final class Full extends RuntimeException {
    private Full() {
      super("too many warnings", null, false, false);
    }
  }

  private WarningTexts() {}

  /** What the finder finds, or the beginning of it. */
  static List<String> of(Consumer<List<String>> finder) {
    var found = new WarningTexts();
    try {
      finder.accept(found);
    } catch (Full enough) {
      // what is there is all that will be told
    }
    return found;
  }

  /** Ends the search when there is enough; only for finders that {@link #of} runs. */
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
