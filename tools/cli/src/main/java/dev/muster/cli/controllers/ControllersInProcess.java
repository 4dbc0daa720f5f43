package dev.muster.cli.controllers;

import dev.muster.cli.command.CommandFailure;
import dev.muster.controllers.Controller;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.RequestLimit;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.manager.ControllerSelection;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A controller manager in the same process as API servers. It takes the flags of {@code muster
 * controller-manager} except those for its port, its connection and its signing keys, which the
 * process sets.
 */
public record ControllersInProcess(ControllerManagerFlags flags) {
  /** Not available, because the process has no second port. */
  private static final Set<String> OF_ITS_PORT =
      Set.of("secure-port", "bind-address", "tls-cert-file", "tls-private-key-file");

  /** Flags that the process sets, with the reason. */
  private static final Map<String, String> OWN =
      Map.of(
          "kubeconfig", "to its own servers",
          "cluster-id", "by --cluster-id",
          "cluster-signing-cert-file", "to its own authority",
          "cluster-signing-key-file", "to its own authority",
          "service-account-private-key-file", "to its own key",
          "cluster-identity-webhook-url", "to none, because its API servers have the rules",
          "cluster-identity-webhook-port", "to none, because its API servers have the rules");

  /** The flags that a user can set. */
  public static List<FlagDefinition> definitions() {
    return RecordFlags.of(ControllerManagerFlags.defaults()).definitions().stream()
        .filter(flag -> !OF_ITS_PORT.contains(flag.name()))
        .toList();
  }

  /**
   * @param given flags of the controller manager
   * @param controllers which ones run, as {@code --controllers} says
   * @throws FlagException naming the first flag with a bad value
   */
  public static ControllersInProcess read(
      Map<String, List<String>> given, List<String> controllers, @Nullable String clusterId) {
    OWN.forEach(
        (flag, what) -> {
          if (given.containsKey(flag)) {
            throw new FlagException("--" + flag + ": muster up sets it " + what);
          }
        });
    var all = new HashMap<>(given);
    if (given.containsKey("controllers")) {
      if (!controllers.equals(List.of("*"))) {
        throw new FlagException("--controllers: give it once, before -- or after it");
      }
    } else {
      all.put("controllers", controllers);
    }
    if (clusterId != null) {
      all.put("cluster-id", List.of(clusterId));
    }
    return new ControllersInProcess(RecordFlags.of(ControllerManagerFlags.defaults()).read(all));
  }

  /**
   * Checks the names of controllers before anything starts.
   *
   * @throws FlagException naming the first unknown one
   */
  public void checkNames(Path authority, Path authorityKey, Path tokenKey) {
    if (flags.selection().controllers().equals(List.of("*"))) {
      return;
    }
    var nowhere = Config.empty();
    nowhere.setMasterUrl("https://127.0.0.1:1");
    try (var client = Clients.builder(nowhere).build()) {
      var _ = controllers(client, authority, authorityKey, tokenKey);
    } catch (IllegalArgumentException e) {
      throw new FlagException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * @throws CommandFailure when the durations contradict each other
   */
  public LeaderElection election() {
    try {
      return flags.election().read();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }

  public KubernetesClient connect(Path kubeconfig) {
    int limit = flags.connection().requestsPerSecond();
    return limit <= 0
        ? Clients.of(kubeconfig)
        : Clients.of(kubeconfig, new RequestLimit(limit, flags.connection().burst()));
  }

  /** The selected controllers. */
  public List<Controller> controllers(
      KubernetesClient client, Path authority, Path authorityKey, Path tokenKey) {
    var all =
        AllControllers.of(
            client,
            flags.work().signingWith(authority, authorityKey, tokenKey),
            flags.collection().collector(),
            flags.identity());
    return new ControllerSelection(flags.selection().controllers()).of(all);
  }
}
