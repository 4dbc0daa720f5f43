package dev.muster.replica;

/** Stands where code arrives next. */
final class Pending {
  private Pending() {}

  @SuppressWarnings({"TypeParameterUnusedInFormals", "DoNotCallSuggester"})
  static <T> T body() {
    throw new UnsupportedOperationException();
  }
}
