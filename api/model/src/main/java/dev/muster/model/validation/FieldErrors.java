package dev.muster.model.validation;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is wrong with an object, up to so much text as somebody may still read. Errors may show the
 * whole list that they are about, once for every member; so a body of some hundred kilobytes would
 * otherwise be answered with gigabytes. Not for several threads.
 */
public final class FieldErrors extends AbstractList<FieldError> {
  /** Past so many characters, nothing more is looked for. */
  private static final int MOST_TEXT = 1 << 20;

  private final List<FieldError> errors = new ArrayList<>();
  private int text;

  /** There are so many errors that the search for more ends. */
  private static final class Full extends RuntimeException {
    private final FieldErrors errors;

    private Full(FieldErrors errors) {
      super("too many errors", null, false, false);
      this.errors = errors;
    }
  }

  /** What the finder finds, or the beginning of it. */
  public static List<FieldError> of(Consumer<List<FieldError>> finder) {
    var found = new FieldErrors();
    try {
      finder.accept(found);
    } catch (Full full) {
      if (full.errors != found) {
        found.errors.addAll(full.errors.errors);
      }
    }
    return found;
  }

  /** Ends the search when there is enough; only for finders that {@link #of} runs. */
  @Override
  public boolean add(FieldError error) {
    errors.add(error);
    text += error.path().length() + error.body().length();
    if (text > MOST_TEXT) {
      throw new Full(this);
    }
    return true;
  }

  @Override
  public FieldError get(int index) {
    return errors.get(index);
  }

  @Override
  public int size() {
    return errors.size();
  }
}
