package dev.muster.cli.command;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.controllers.client.RequestLimit;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates API clients for commands. */
public final class Connections {
  private Connections() {}

  /**
   * A client for the current context of a file, or for the environment's configuration.
   *
   * @throws CommandFailure with the problem of the file
   */
  public static KubernetesClient of(@Nullable Path file) {
    return of("kubeconfig", file);
  }

  /** A client whose control loops share a request limit. */
  public static KubernetesClient of(@Nullable Path file, RequestLimit limit) {
    return checked("kubeconfig", file, () -> Clients.of(file, limit));
  }

  /**
   * A client for the file that a flag names.
   *
   * @throws CommandFailure naming the flag
   */
  public static KubernetesClient of(String flag, @Nullable Path file) {
    return checked(flag, file, () -> Clients.of(file));
  }

  /**
   * Checks a kubeconfig that another component reads.
   *
   * @param context null for the current one
   * @throws CommandFailure naming the flag and the problem of the file
   */
  public static void check(String flag, Path file, @Nullable String context) {
    try {
      var kubeconfig = Kubeconfig.read(file);
      kubeconfig.check(context == null ? kubeconfig.currentContext() : context);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure("--" + flag + ": " + e.getMessage(), e);
    }
  }

  private static KubernetesClient checked(
      String flag, @Nullable Path file, Supplier<KubernetesClient> connect) {
    if (file != null) {
      check(flag, file, null);
    }
    try {
      return connect.get();
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new CommandFailure("--" + flag + ": " + e.getMessage(), e);
    }
  }
}
