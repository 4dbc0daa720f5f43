package dev.muster.model.json;

import java.util.Objects;

/** A JSON string. */
public record JsonString(String value) implements Json {
  public JsonString {
    Objects.requireNonNull(value);
  }

  @Override
  public String toString() {
    return JsonText.quote(value);
  }
}
