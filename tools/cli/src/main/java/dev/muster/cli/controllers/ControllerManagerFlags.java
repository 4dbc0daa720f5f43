package dev.muster.cli.controllers;

import dev.muster.cli.command.CommandFailure;
import dev.muster.controllers.Controller;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.servers.LeaseCollector;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.model.address.Ip;
import dev.muster.multicluster.identity.ClusterIdentityController;
import dev.muster.multicluster.identity.webhook.IdentityWebhookController;
import dev.muster.multicluster.membership.MembershipController;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.rules.PropertyRules;
import dev.muster.server.options.LoggingOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The flags of the controller manager. */
public record ControllerManagerFlags(
    Connection connection,
    Election election,
    Selection selection,
    ControllerWorkFlags work,
    Collection collection,
    Identity identity,
    Serving serving,
    LoggingOptions log) {

  /** The API server. */
  @FlagGroup("Connection")
  record Connection(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the API server's address and the credentials. Unset: what KUBECONFIG"
                      + " names, the home folder's, or the pod's own service account.")
          @Nullable Path kubeconfig,
      @Flag(
              name = "kube-api-qps",
              help =
                  "How many requests the controllers send each second at the most. 0 or less: as"
                      + " many as the API server takes.")
          int requestsPerSecond,
      @Flag(
              name = "kube-api-burst",
              help = "How many of those they may send at once after a quiet time.")
          int burst) {
    Connection {
      if (burst < 1) {
        throw new IllegalArgumentException("--kube-api-burst: must be at least 1");
      }
    }
  }

  /** Leader election. */
  @FlagGroup("Leader election")
  public record Election(
      @Flag(
              name = "leader-elect",
              help = "Run controllers only while holding a Lease, so that one of several does.")
          boolean enabled,
      @Flag(
              name = "leader-elect-lease-duration",
              help = "How long others wait after a leader's last renewal before they take over.")
          Duration leaseDuration,
      @Flag(
              name = "leader-elect-renew-deadline",
              help = "How long a leader tries to renew before it stops leading.")
          Duration renewDeadline,
      @Flag(name = "leader-elect-retry-period", help = "Time between two attempts.")
          Duration retryPeriod,
      @Flag(name = "leader-elect-resource-namespace", help = "Namespace of the Lease.")
          String namespace,
      @Flag(name = "leader-elect-resource-name", help = "Name of the Lease.") String name) {

    public LeaderElection read() {
      return new LeaderElection(
          enabled, leaseDuration, renewDeadline, retryPeriod, namespace, name);
    }
  }

  /** The controllers to run. */
  @FlagGroup("Controllers")
  record Selection(
      @Flag(
              name = "controllers",
              help =
                  "Which controllers run: '*' is all of them, 'name' is that one, '-name' is not"
                      + " that one.")
          List<String> controllers) {
    Selection {
      controllers = List.copyOf(controllers);
    }

    static Selection defaults() {
      return new Selection(List.of("*"));
    }
  }

  /** The collection of expired identity Leases. */
  @FlagGroup("API servers")
  public record Collection(
      @Flag(
              name = "apiserver-lease-resync-period",
              help =
                  "How often all identity Leases of API servers are looked at. A Lease that was"
                      + " seen unchanged for its whole duration is deleted.")
          Duration resyncPeriod,
      @Flag(
              name = "identity-lease-namespace",
              help = "Namespace of the identity Leases: what the API servers' flag says.")
          String identityNamespace) {
    public Collection {
      if (resyncPeriod.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "--apiserver-lease-resync-period: must be at least one second");
      }
      if (identityNamespace == null) {
        throw new IllegalArgumentException("--identity-lease-namespace: must not be empty");
      }
    }

    public static Collection defaults() {
      return new Collection(Duration.ofHours(1), IdentityOptions.defaults().namespace());
    }

    public LeaseCollector collector() {
      return new LeaseCollector(identityNamespace, resyncPeriod);
    }
  }

  /** The cluster's identity. */
  @FlagGroup("Cluster identity")
  public record Identity(
      @Flag(
              name = "cluster-id",
              help =
                  "ID for the cluster, if it has none yet. Unset: the UID of the namespace"
                      + " kube-system.")
          @Nullable String clusterId,
      @Flag(
              name = "allow-long-cluster-id",
              help =
                  "Take cluster IDs of 128 characters and more, as long as DNS names with them can"
                      + " be composed.")
          boolean allowLong,
      @Flag(
              name = "cluster-identity-webhook-url",
              help =
                  "Serve the rules for cluster properties as an admission webhook, which API"
                      + " servers reach under this URL, such as https://10.0.0.5:9443 or"
                      + " https://muster.kube-system.svc:443. Unset: no webhook; Muster's API"
                      + " servers need none.")
          @Nullable String webhookUrl,
      @Flag(
              name = "cluster-identity-webhook-port",
              help = "Port on which the admission webhook listens, on all addresses.")
          int webhookPort) {
    public Identity {
      var _ = controllers(clusterId, allowLong, webhookUrl, webhookPort);
    }

    static Identity defaults() {
      return new Identity(null, false, null, 9443);
    }

    List<Controller> controllers() {
      return controllers(clusterId, allowLong, webhookUrl, webhookPort);
    }

    private static List<Controller> controllers(
        @Nullable String clusterId, boolean allowLong, @Nullable String url, int port) {
      var ids = new ClusterIdRules(allowLong);
      var controllers = new ArrayList<Controller>();
      controllers.add(new ClusterIdentityController(Optional.ofNullable(clusterId), ids));
      controllers.add(new MembershipController(ids, Clock.systemUTC()));
      if (port < 1 || port > 65535) {
        throw new IllegalArgumentException(
            "--cluster-identity-webhook-port: must be between 1 and 65535");
      }
      if (url != null) {
        controllers.add(
            new IdentityWebhookController(
                parsed(url),
                new InetSocketAddress(port),
                new PropertyRules(ids),
                Clock.systemUTC()));
      }
      return controllers;
    }

    private static URI parsed(String url) {
      try {
        return URI.create(url);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "--cluster-identity-webhook-url: \"" + url + "\" is not a URL", e);
      }
    }
  }

  /** The port for health checks and metrics. */
  @FlagGroup("Serving")
  record Serving(
      @Flag(
              name = "secure-port",
              help =
                  "Port for HTTPS: /healthz, and /metrics for those whom the API server lets get"
                      + " that path. 0: none. Unset: the usual one, if it is free.")
          int port,
      @Flag(name = "bind-address", help = "Address on which that port is.") String address,
      @Flag(
              name = "tls-cert-file",
              file = FileKind.CERTIFICATES,
              help = "Certificate for that port. Unset: one of its own for each start.")
          @Nullable Path certificate,
      @Flag(
              name = "tls-private-key-file",
              file = FileKind.PRIVATE_KEY,
              keyOf = "tls-cert-file",
              help = "Key of the certificate.")
          @Nullable Path key) {
    Serving {
      if (port < 0 || port > 65535) {
        throw new IllegalArgumentException("--secure-port: must be between 0 and 65535");
      }
      if ((certificate == null) != (key == null)) {
        throw new IllegalArgumentException(
            "--tls-cert-file and --tls-private-key-file: both or neither must be given");
      }
    }

    InetSocketAddress listenAddress() {
      try {
        return new InetSocketAddress(Ip.parse(address).toInetAddress(), port);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure("--bind-address: \"" + address + "\" is not an IP address", e);
      }
    }

    ManagerCertificate identity() {
      try {
        return new ManagerCertificate(certificate, key, Clock.systemUTC());
      } catch (IllegalArgumentException e) {
        throw new CommandFailure("--tls-cert-file, --tls-private-key-file: " + e.getMessage(), e);
      }
    }
  }

  static ControllerManagerFlags defaults() {
    var election = LeaderElection.defaults();
    return new ControllerManagerFlags(
        new Connection(null, 0, 30),
        new Election(
            election.enabled(),
            election.leaseDuration(),
            election.renewDeadline(),
            election.retryPeriod(),
            election.namespace(),
            election.name()),
        Selection.defaults(),
        ControllerWorkFlags.defaults(),
        Collection.defaults(),
        Identity.defaults(),
        new Serving(10257, "0.0.0.0", null, null),
        LoggingOptions.defaults());
  }
}
