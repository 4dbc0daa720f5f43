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
 * A cluster in this process, until it is closed, with clients and users for tests. Thread-safe,
 * guarded by its own lock, which does not block clients.
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

  /** The administrator's client for the first server, closed with the cluster. */
  public KubernetesClient client() {
    return client(0);
  }

  /** The administrator's client for one of several servers, counted from 0. */
  public synchronized KubernetesClient client(int server) {
    var url = urls().get(server);
    return clients.computeIfAbsent(server, _ -> client(credentials.kubeconfig(url)));
  }

  /**
   * The client of another user, closed with the cluster. The user has only the rights that roles
   * grant: see {@link #user}. A service account is named {@code
   * system:serviceaccount:NAMESPACE:NAME} and must exist.
   */
  public synchronized KubernetesClient as(String user, String... groups) {
    var key = new ArrayList<String>();
    key.add(user);
    key.addAll(List.of(groups));
    // The tokens of a deleted service account do not work for a new one of the same name.
    ServiceAccountIdentity.of(user).ifPresent(account -> key.add(account.uid(client())));
    var known = others.get(key);
    if (known == null) {
      known = client(kubeconfigAs(user, groups));
      others.put(key, known);
    }
    return known;
  }

  /** A user to whom you can grant roles. */
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

  /** The administrator's kubeconfig for the first server. */
  public String kubeconfig() {
    return credentials.kubeconfig(urls().getFirst());
  }

  /** A kubeconfig for another user: see {@link #as}. */
  public String kubeconfigAs(String user, String... groups) {
    var url = urls().getFirst();
    return ServiceAccountIdentity.of(user)
        .map(account -> credentials.kubeconfig(url, account.token(client())))
        .orElseGet(() -> credentials.kubeconfig(url, user, List.of(groups)));
  }

  /** A file with the administrator's kubeconfig, deleted with the cluster. */
  public synchronized Path kubeconfigFile() {
    return credentials.write("kubeconfig", kubeconfig());
  }

  /** The URL of each server, such as {@code https://127.0.0.1:34567}. */
  public List<String> urls() {
    return plane.urls();
  }

  /** Loads files, or else class path resources, definitions first. */
  public void load(String... manifests) {
    new Manifests(client()).load(List.of(manifests));
  }

  /** A pod in the namespace {@code default}, whose status the test sets. */
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
   * Advances the cluster's time. When this returns, Events, tokens and endpoint records that expire
   * by then have expired, and controllers have restarted at the new time. The watch history covers
   * five minutes; older parts are removed a moment later.
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

  /** The current objects of the cluster, for a later reset. */
  public synchronized Checkpoint checkpoint() {
    last = plane.checkpoint();
    return last;
  }

  /** Resets the cluster to its state after the start. */
  public void reset() {
    reset(first);
  }

  /**
   * Resets the cluster to an earlier state: new objects are deleted, changed or deleted ones are
   * restored with their old UID. No finalizers, hooks or rules run; watches see ordinary changes.
   * When this returns, all servers show the state. Writes that are under way take effect
   * afterwards, so stop other writers first.
   */
  public synchronized void reset(Checkpoint checkpoint) {
    boolean revives = checkpoint.hasLostIn(plane.checkpoint());
    plane.restore(checkpoint);
    last = checkpoint;
    if (revives && controllers != null) {
      // Controllers may remember by UID that an object is gone for ever.
      controllers.restart();
    }
  }

  /** The Events and objects that are new since the last reset or checkpoint, as text. */
  public synchronized String report() {
    return new ChangeReport(last.changedIn(plane.checkpoint())).text();
  }

  /** Takes the JDK's interface, because fabric8 may not be on the class path. */
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
