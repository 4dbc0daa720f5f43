package dev.muster.server.options;

import dev.muster.server.options.flag.Spelled;

/** One way to decide who may what. */
public enum AuthorizationMode implements Spelled {
  ALWAYS_ALLOW("AlwaysAllow"),
  ALWAYS_DENY("AlwaysDeny"),
  ABAC("ABAC"),
  WEBHOOK("Webhook"),
  RBAC("RBAC"),
  NODE("Node");

  private final String spelling;

  AuthorizationMode(String spelling) {
    this.spelling = spelling;
  }

  @Override
  public String spelling() {
    return spelling;
  }
}
