package dev.muster.model.validation;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The errors of an object, limited in total text. An error may print the whole list that it is
 * about, once per item, so a body of some hundred kilobytes could otherwise cause a response of
 * gigabytes. Only one thread uses it.
 */
public final class FieldErrors extends AbstractList<FieldError> {
  /** Validation stops after this number of characters. */
  private static final int MOST_TEXT = 1 << 20;

  private final List<FieldError> errors = new ArrayList<>();
  private int text;

  /** Ends the validation because there are too many errors. */
  private static final class Full extends RuntimeException {
    private final FieldErrors errors;

    private Full(FieldErrors errors) {
      super("too many errors", null, false, false);
      this.errors = errors;
    }
  }

  /** Runs a validation and returns its errors, or the first part of them. */
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

  /**
   * Adds an error; ends the validation when there are enough. Only for validations that {@link #of}
   * runs.
   */
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
