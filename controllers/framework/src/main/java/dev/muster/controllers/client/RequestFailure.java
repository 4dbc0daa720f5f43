package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Describes request failures in one line: the API server, the request and the reason. */
public final class RequestFailure {
  private static final int DEEPEST = 20;

  private RequestFailure() {}

  /**
   * Runs requests and adds the server's name to their failures.
   *
   * @param role such as {@code the hub}
   */
  public static <T> T naming(String role, KubernetesClient server, Supplier<T> requests) {
    try {
      return requests.get();
    } catch (KubernetesClientException e) {
      throw named(role + " " + server.getMasterUrl(), e);
    }
  }

  /** The same failure with a message that begins with the server's name. */
  private static KubernetesClientException named(String name, KubernetesClientException failure) {
    var message = String.valueOf(failure.getMessage());
    if (message.startsWith(name)) {
      return failure;
    }
    if (failure.getCode() <= 0) {
      return new KubernetesClientException(name + " does not answer: " + cause(failure), failure);
    }
    var status = failure.getStatus();
    var words = status == null ? cause(failure) : status.getMessage();
    var named = new KubernetesClientException(name + ": " + words, failure.getCode(), status);
    named.addSuppressed(failure);
    return named;
  }

  /** Whether an API server was unreachable or timed out, so that a stack trace explains nothing. */
  public static boolean isExpected(Throwable failure) {
    return failure instanceof KubernetesClientException;
  }

  /** The request and the reason of its failure. */
  public static String describe(Throwable failure) {
    var message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    var cause = cause(failure);
    return message.contains(cause) ? message : message + ": " + cause;
  }

  /** The innermost message in the chain of causes. */
  public static String cause(Throwable failure) {
    var words = "";
    var cause = failure;
    for (int i = 0; cause != null && i < DEEPEST; i++) {
      if (cause instanceof TimeoutException) {
        return "no answer in time";
      }
      var message = cause.getMessage();
      if (message != null && !message.isBlank()) {
        words = message.lines().findFirst().orElse("");
      }
      cause = cause.getCause();
    }
    return words.isEmpty() ? failure.getClass().getSimpleName() : words;
  }
}
