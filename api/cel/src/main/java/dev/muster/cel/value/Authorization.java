package dev.muster.cel.value;

import org.jspecify.annotations.Nullable;

/** The values of authorization checks in expressions: authorizer, checks and decisions. */
public final class Authorization {
  private static final String PREFIX = "kubernetes.authorization.";

  private Authorization() {}

  /** Decides authorization checks. */
  @FunctionalInterface
  public interface Reviewer {
    Decision review(Question question);
  }

  /**
   * An authorization check.
   *
   * @param account the service account to check; null for the user of the request
   * @param path the path of a non-resource request, or ""
   */
  public record Question(
      @Nullable ServiceAccount account,
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      String path) {}

  /** The namespace and name of a service account. */
  public record ServiceAccount(String namespace, String name) {}

  /** The variable {@code authorizer}, for the user of the request or for a service account. */
  public record Authorizer(Reviewer reviewer, @Nullable ServiceAccount account)
      implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "Authorizer";
    }
  }

  /** A check of a path, before its method is chosen. */
  public record PathCheck(Authorizer authorizer, String path) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "PathCheck";
    }
  }

  /** A check of a group, before its resource is chosen. */
  public record GroupCheck(Authorizer authorizer, String group) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "GroupCheck";
    }
  }

  /** A check of a resource, before its verb is chosen. */
  public record ResourceCheck(
      Authorizer authorizer,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name)
      implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "ResourceCheck";
    }
  }

  /**
   * A decision.
   *
   * @param error the error of the authorizer, or ""
   */
  public record Decision(boolean allowed, String reason, String error) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "Decision";
    }
  }
}
