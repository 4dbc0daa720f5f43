package dev.muster.cel.value;

import org.jspecify.annotations.Nullable;

/** What expressions ask about rights: who, what he wants to do, and the answer. */
public final class Authorization {
  private static final String PREFIX = "kubernetes.authorization.";

  private Authorization() {}

  /** Answers questions about rights. */
  @FunctionalInterface
  public interface Reviewer {
    Decision review(Question question);
  }

  /**
   * May somebody do something?
   *
   * @param account the service account that is meant; null for who sends the request
   * @param path of a request that is not about a resource, or ""
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

  /** The names of a service account. */
  public record ServiceAccount(String namespace, String name) {}

  /** The variable {@code authorizer}, and what it is for a service account. */
  public record Authorizer(Reviewer reviewer, @Nullable ServiceAccount account)
      implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "Authorizer";
    }
  }

  /** A path of which the method is not named yet. */
  public record PathCheck(Authorizer authorizer, String path) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "PathCheck";
    }
  }

  /** A group of which the resource is not named yet. */
  public record GroupCheck(Authorizer authorizer, String group) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "GroupCheck";
    }
  }

  /** A resource of which the verb is not named yet. */
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
   * An answer.
   *
   * @param error what went wrong on the way to it, or ""
   */
  public record Decision(boolean allowed, String reason, String error) implements OpaqueValue {
    @Override
    public String typeName() {
      return PREFIX + "Decision";
    }
  }
}
