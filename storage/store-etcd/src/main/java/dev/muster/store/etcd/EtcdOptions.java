package dev.muster.store.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which etcd to use and how.
 *
 * @param endpoints URLs of the members, such as {@code https://10.0.0.1:2379}; all {@code http} or
 *     all {@code https}
 * @param prefix comes before every key, as kube-apiserver's {@code --etcd-prefix}
 * @param tls used with {@code https} endpoints
 * @param login user and password; null when etcd does not ask for them
 * @param attemptTimeout after how long one request counts as lost and another member is asked
 * @param totalTimeout after how long a call gives up, attempts and their resolution together
 * @param connector makes connections in another way than directly; null for those
 * @param compactionInterval how often history older than that is compacted, by one of all API
 *     servers on this etcd; zero leaves compaction to others
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
   * in all, compaction every 5 minutes.
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
