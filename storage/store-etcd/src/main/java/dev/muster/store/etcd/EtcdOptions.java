package dev.muster.store.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of etcd and how to use them.
 *
 * @param endpoints URLs of the members, such as {@code https://10.0.0.1:2379}; all {@code http} or
 *     all {@code https}
 * @param prefix precedes every key, like kube-apiserver's {@code --etcd-prefix}
 * @param tls the certificates for {@code https} endpoints
 * @param login user and password; null when etcd requires none
 * @param attemptTimeout the time after which one request counts as lost and another member is used
 * @param totalTimeout the time limit of a call, including all its attempts and their resolution
 * @param connector creates connections in place of direct ones; null for direct connections
 * @param compactionInterval how often one of the API servers on this etcd compacts older history;
 *     zero disables compaction by this server
 */
public record EtcdOptions(
    List<URI> endpoints,
    String prefix,
    EtcdTls tls,
    @Nullable Login login,
    Duration attemptTimeout,
    Duration totalTimeout,
    @Nullable EtcdConnector connector,
    Duration compactionInterval) {

  /** Name and password of an etcd user. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  public EtcdOptions {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("at least one etcd endpoint is needed");
    }
    for (var endpoint : endpoints) {
      if (!List.of("http", "https").contains(endpoint.getScheme()) || endpoint.getHost() == null) {
        throw new IllegalArgumentException(
            "the etcd endpoint " + endpoint + " is not an http or https URL");
      }
    }
    if (endpoints.stream().map(URI::getScheme).distinct().count() > 1) {
      throw new IllegalArgumentException("etcd endpoints must be all http or all https");
    }
    if (!prefix.startsWith("/") || prefix.endsWith("/")) {
      throw new IllegalArgumentException("the prefix " + prefix + " must be like /registry");
    }
  }

  /**
   * The defaults for those endpoints: prefix {@code /registry}, no login, 5 s per attempt and 20 s
   * per call, compaction every 5 minutes.
   */
  public static EtcdOptions at(String... endpoints) {
    return new EtcdOptions(
        List.of(endpoints).stream().map(URI::create).toList(),
        "/registry",
        EtcdTls.DEFAULT,
        null,
        Duration.ofSeconds(5),
        Duration.ofSeconds(20),
        null,
        Duration.ofMinutes(5));
  }

  public EtcdOptions withPrefix(String prefix) {
    return new EtcdOptions(
        endpoints, prefix, tls, login, attemptTimeout, totalTimeout, connector, compactionInterval);
  }

  public EtcdOptions withTls(EtcdTls tls) {
    return new EtcdOptions(
        endpoints, prefix, tls, login, attemptTimeout, totalTimeout, connector, compactionInterval);
  }

  public EtcdOptions withLogin(String user, String password) {
    return new EtcdOptions(
        endpoints,
        prefix,
        tls,
        new Login(user, password),
        attemptTimeout,
        totalTimeout,
        connector,
        compactionInterval);
  }

  public EtcdOptions withTimeouts(Duration attempt, Duration total) {
    return new EtcdOptions(
        endpoints, prefix, tls, login, attempt, total, connector, compactionInterval);
  }

  public EtcdOptions withCompactionInterval(Duration interval) {
    return new EtcdOptions(
        endpoints, prefix, tls, login, attemptTimeout, totalTimeout, connector, interval);
  }

  public EtcdOptions withConnector(EtcdConnector other) {
    return new EtcdOptions(
        endpoints, prefix, tls, login, attemptTimeout, totalTimeout, other, compactionInterval);
  }
}
