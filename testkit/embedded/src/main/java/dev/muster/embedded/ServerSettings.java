package dev.muster.embedded;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.ServerFlags;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServiceAccountOptions;
import dev.muster.server.options.ServingOptions;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings of a test cluster's API servers: the cluster's own first, then the user's flags. */
final class ServerSettings {
  private static final Logger log = LoggerFactory.getLogger(ServerSettings.class);
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final String ACCOUNTS = "ServiceAccount";

  /** Flags that would break the test cluster or have no effect in it. */
  private static final Set<String> OF_THE_CLUSTER =
      Set.of(
          "advertise-address",
          "bind-address",
          "cert-dir",
          "client-ca-file",
          "encryption-provider-config",
          "encryption-provider-config-automatic-reload",
          "etcd-compaction-interval",
          "logging-format",
          "secure-port",
          "service-account-key-file",
          "service-account-signing-key-file",
          "storage-media-type",
          "tls-cert-file",
          "tls-private-key-file",
          "token-auth-file",
          "v");

  private ServerSettings() {}

  /**
   * @throws IllegalArgumentException naming the first unsupported flag
   */
  static ApiServerOptions of(ClusterCredentials credentials, MusterOptions options) {
    var settings = byCluster(credentials);
    if (!options.flags().isEmpty()) {
      settings = withFlags(settings, options.flags());
    }
    return runsAccounts(options.controllers()) ? settings : withoutAccounts(settings);
  }

  private static ApiServerOptions withFlags(ApiServerOptions settings, List<String> arguments) {
    try {
      var given = ServerFlags.parse(arguments);
      for (var name : given.keySet()) {
        if (OF_THE_CLUSTER.contains(name)) {
          throw new FlagException("--" + name + ": a cluster inside a test sees to it by itself");
        }
      }
      var read = ServerFlags.read(given, settings);
      read.remarks().forEach(log::warn);
      return read.options();
    } catch (FlagException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Whether a running controller creates the service account that pods need. */
  private static boolean runsAccounts(List<String> controllers) {
    boolean named =
        controllers.contains("serviceaccount-controller") || controllers.contains("serviceaccount");
    return named
        || (controllers.contains("*")
            && !controllers.contains("-serviceaccount-controller")
            && !controllers.contains("-serviceaccount"));
  }

  /** Lets pods run without a service account, unless a flag enables that plugin. */
  private static ApiServerOptions withoutAccounts(ApiServerOptions settings) {
    var admission = settings.admission();
    if (admission.enabled().contains(ACCOUNTS) || admission.disabled().contains(ACCOUNTS)) {
      return settings;
    }
    var disabled = new ArrayList<>(admission.disabled());
    disabled.add(ACCOUNTS);
    return settings.withAdmission(
        new AdmissionOptions(
            admission.enabled(),
            disabled,
            admission.configurationFile(),
            admission.notReadySeconds(),
            admission.unreachableSeconds()));
  }

  private static ApiServerOptions byCluster(ClusterCredentials credentials) {
    var defaults = ApiServerOptions.defaults();
    return defaults.with(
        new ListenOptions(List.of(LOOPBACK), 0, List.of(), null, 0),
        new ServingOptions(
            credentials.certificate(),
            credentials.certificateKey(),
            credentials.folder(),
            defaults.tls().minimumVersion(),
            List.of()),
        new AuthenticationOptions(
            credentials.pki().authorityFile(), credentials.tokens(), true, List.of()),
        new ServiceAccountOptions(
            defaults.serviceAccounts().issuers(),
            List.of(),
            credentials.tokenKey(),
            true,
            Duration.ZERO,
            true,
            null),
        new AuthorizationOptions(List.of(AuthorizerType.RBAC)),
        defaults.nodes().withPrivileged(true));
  }
}
