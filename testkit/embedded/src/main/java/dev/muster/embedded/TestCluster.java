package dev.muster.embedded;

import dev.muster.runtime.ClusterControllers;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Used by any thread, guarded by its own lock; clients may be used meanwhile. A cluster that lives
 * in this process until it is closed, and whoever tests with it.
 */
public final class TestCluster implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TestCluster.class);

  private final ClusterCredentials credentials;
  private final ControlPlane plane;
  private final Map<Integer, KubernetesClient> clients = new HashMap<>();
  private final Map<List<String>, KubernetesClient> others = new HashMap<>();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private @Nullable ClusterControllers controllers;
  private Checkpoint first = new Checkpoint(Map.of());
  private Checkpoint last = first;
  private boolean closed;

  private TestCluster(ClusterCredentials credentials, ControlPlane plane) {
    this.credentials = credentials;
    this.plane = plane;
  }

  static TestCluster start(MusterOptions options) {
    var credentials = ClusterCredentials.create();
    var cluster = new TestCluster(credentials, ControlPlane.start(credentials, options));
    try {
      cluster.complete(options);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void complete(MusterOptions options) {
    // While the servers become ready.
    var names = Set.<String>of();
    if (!options.controllers().isEmpty()) {
      controllers =
          new ClusterControllers(
              options.controllers(), credentials.cluster(urls().getFirst()), plane.clock());
      names = controllers.names();
    }
    plane.awaitReady();
    plane.complete(names);
    if (!options.manifests().isEmpty() || !options.definitions().isEmpty()) {
      var manifests = new Manifests(client());
      manifests.define(options.definitions());
      manifests.load(options.manifests());
      plane.complete(names);
    }
    first = plane.checkpoint();
    last = first;
    plane.admit();
    if (controllers != null) {
      controllers.startAfter(plane.nextChange());
    }
  }

  /** The administrator's client of the first server, closed with the cluster. */
  public KubernetesClient client() {
    return client(0);
  }

  /** The administrator's client of one of several servers, the first of which is 0. */
  public synchronized KubernetesClient client(int server) {
    var url = urls().get(server);
    return clients.computeIfAbsent(server, _ -> client(credentials.kubeconfig(url)));
  }

  /**
   * The client of somebody else, closed with the cluster. Nobody may do anything but what roles
   * allow: see {@link #user}. A service account is named {@code
   * system:serviceaccount:NAMESPACE:NAME} and must exist.
   */
  public synchronized KubernetesClient as(String user, String... groups) {
    var key = new ArrayList<String>();
    key.add(user);
    key.addAll(List.of(groups));
    // Its tokens are worth nothing to another one of that name.
    ServiceAccountIdentity.of(user).ifPresent(account -> key.add(account.uid(client())));
    var known = others.get(key);
    if (known == null) {
      known = client(kubeconfigAs(user, groups));
      others.put(key, known);
    }
    return known;
  }

  /** Somebody to whom roles can be given. */
  public TestUser user(String name) {
    return new TestUser(this, name);
  }

  private KubernetesClient client(String kubeconfig) {
    var config = Config.fromKubeconfig(kubeconfig);
    config.setNamespace("default");
    var client = new KubernetesClientBuilder().withConfig(config).build();
    opened.add(client);
    return client;
  }

  /** A kubeconfig of the administrator, for the first server. */
  public String kubeconfig() {
    return credentials.kubeconfig(urls().getFirst());
  }

  /** A kubeconfig for somebody else: see {@link #as}. */
  public String kubeconfigAs(String user, String... groups) {
    var url = urls().getFirst();
    return ServiceAccountIdentity.of(user)
        .map(account -> credentials.kubeconfig(url, account.token(client())))
        .orElseGet(() -> credentials.kubeconfig(url, user, List.of(groups)));
  }

  /** A file with the administrator's kubeconfig, which is there as long as the cluster is. */
  public synchronized Path kubeconfigFile() {
    return credentials.write("kubeconfig", kubeconfig());
  }

  /** Of each server, such as {@code https://127.0.0.1:34567}. */
  public List<String> urls() {
    return plane.urls();
  }

  /** Loads files, or else resources on the class path: definitions first, then the others. */
  public void load(String... manifests) {
    new Manifests(client()).load(List.of(manifests));
  }

  /** A pod of the namespace {@code default}, to be set to a state. */
  public PodHandle pod(String name) {
    return pod("default", name);
  }

  public PodHandle pod(String namespace, String name) {
    return new PodHandle(client(), clock(), namespace, name);
  }

  /** The cluster's time. */
  public Clock clock() {
    return plane.clock();
  }

  /**
   * Moves the cluster's time on. Events, tokens and records that end by then have ended when this
   * returns; controllers are started anew and look at everything by the new time. The history from
   * which watches resume is that of five minutes, and older parts go a moment later.
   */
  public synchronized void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + time);
    }
    plane.advance(time);
    if (controllers != null) {
      controllers.restart();
    }
  }

  /** What the cluster holds now, to come back to. */
  public synchronized Checkpoint checkpoint() {
    last = plane.checkpoint();
    return last;
  }

  /** Back to the state in which the cluster was when it had started. */
  public void reset() {
    reset(first);
  }

  /**
   * Back to an earlier state: what was made since is deleted, what was changed or deleted is as it
   * was, with its old uid. It takes no finalizers, hooks or rules; whoever watches sees ordinary
   * changes. All servers show it when this returns. Writes that are under way take effect
   * afterwards, so stop what else writes first.
   */
  public synchronized void reset(Checkpoint checkpoint) {
    boolean revives = checkpoint.hasLostIn(plane.checkpoint());
    plane.restore(checkpoint);
    last = checkpoint;
    if (revives && controllers != null) {
      // They may remember by its uid that something is gone for ever.
      controllers.restart();
    }
  }

  /** For people: the events and the objects that are new since the last reset or checkpoint. */
  public synchronized String report() {
    return new ChangeReport(last.changedIn(plane.checkpoint())).text();
  }

  /** By the interface that everybody has: not everybody has fabric8's. */
  private static void close(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception e) {
      log.error("a client did not close cleanly", e);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (controllers != null) {
      controllers.close();
    }
    opened.forEach(TestCluster::close);
    plane.close();
  }
}
