package dev.muster.authorization.modes;

import dev.muster.model.Spelled;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of authorizers. */
public enum AuthorizerType implements Spelled {
  ALWAYS_ALLOW("AlwaysAllow"),
  ALWAYS_DENY("AlwaysDeny"),
  ABAC("ABAC"),
  WEBHOOK("Webhook"),
  RBAC("RBAC"),
  NODE("Node");

  private final String spelling;

  AuthorizerType(String spelling) {
    this.spelling = spelling;
  }

  @Override
  public String spelling() {
    return spelling;
  }

  /** The name of an authorizer of this type; webhooks have configured names. */
  public String usualName() {
    return this == WEBHOOK ? "default" : spelling.toLowerCase(Locale.ROOT);
  }

  static @Nullable AuthorizerType of(String spelling) {
    for (var type : values()) {
      if (type.spelling.equals(spelling)) {
        return type;
      }
    }
    return null;
  }

  /** All type names, sorted. */
  static List<String> spellings() {
    return Arrays.stream(values()).map(AuthorizerType::spelling).sorted().toList();
  }
}
