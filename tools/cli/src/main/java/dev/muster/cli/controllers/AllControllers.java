package dev.muster.cli.controllers;

import dev.muster.authentication.token.LegacyTokens;
import dev.muster.authentication.token.TokenKeys;
import dev.muster.controllers.Controller;
import dev.muster.controllers.manager.Controllers;
import dev.muster.controllers.servers.LeaseCollector;
import dev.muster.controllers.tokens.TokenSecrets;
import dev.muster.pki.PemFiles;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists all controllers: those of Kubernetes, and Muster's for cluster identity and membership. */
public final class AllControllers {
  private AllControllers() {}

  /**
   * @throws IllegalArgumentException naming the flag whose file cannot be used
   */
  public static List<Controller> of(
      KubernetesClient client,
      ControllerWorkFlags work,
      LeaseCollector leases,
      ControllerManagerFlags.Identity identity) {
    var all = new ArrayList<>(Controllers.of(client, work.settings(leases)));
    var tokenKey = work.signing().tokenKey();
    if (tokenKey != null) {
      var keys = keys(tokenKey);
      all.add(
          new TokenSecrets(
              (account, secret) -> LegacyTokens.sign(keys, account, secret),
              Controllers.authorities(client)));
    }
    all.addAll(identity.controllers());
    return all;
  }

  private static TokenKeys keys(Path file) {
    try {
      return new TokenKeys(PemFiles.keyPair(file), List.of());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "--service-account-private-key-file: " + e.getMessage(), e);
    }
  }
}
