package dev.muster.server.authentication;

import dev.muster.authentication.jwt.ProviderClient;
import dev.muster.http.Header;
import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import dev.muster.server.egress.EgressSelector;
import dev.muster.server.egress.EgressType;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.EgressClient;
import dev.muster.server.proxy.Network;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;

/**
 * Creates HTTPS clients for token issuers behind an egress selection. Thread-safe. A call blocks
 * its thread for up to 30 seconds, and accepts at most 1 MiB.
 */
public final class ProviderEgress implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 1 << 20;
  private static final int MOST_REDIRECTS = 10;
  private static final String GATE = "StructuredAuthenticationConfigurationEgressSelector";

  private final EgressSelector selector;
  private final Network network;
  private final boolean enabled;
  private final Map<EgressType, EgressClient> clients = new EnumMap<>(EgressType.class);

  /**
   * @param enabled whether the feature gate is enabled
   */
  private ProviderEgress(EgressSelector selector, Network network, boolean enabled) {
    this.selector = selector;
    this.network = network;
    this.enabled = enabled;
  }

  /**
   * @param gate whether the feature gate of that name is enabled
   */
  public static ProviderEgress of(
      EgressSelector selector, Network network, Predicate<String> gate) {
    return new ProviderEgress(selector, network, gate.test(GATE));
  }

  /** Connects to every issuer directly. */
  public static ProviderEgress none() {
    return new ProviderEgress(EgressSelector.DIRECT, Network.SYSTEM, true);
  }

  /**
   * @param selection {@code controlplane} or {@code cluster}
   * @throws IllegalArgumentException when the egress configuration does not contain the selection
   */
  ProviderClient client(String authorities, String selection) {
    if (!enabled) {
      throw new IllegalArgumentException(
          "issuer.egressSelectorType: Invalid value: \"%s\": egress selector is not supported when %s feature gate is disabled"
              .formatted(selection, GATE));
    }
    var type = selection.equals("cluster") ? EgressType.CLUSTER : EgressType.CONTROLPLANE;
    if (!selector.isConfigured(type)) {
      throw new IllegalArgumentException(
          "oidc: egress lookup for \"" + selection + "\" is not configured");
    }
    var tls = tls(authorities);
    var client = client(type);
    return (url, accessToken) -> get(client, tls, url, accessToken);
  }

  private synchronized EgressClient client(EgressType type) {
    return clients.computeIfAbsent(
        type, each -> new EgressClient("issuers", network, selector.of(each)));
  }

  private static SslContext tls(String authorities) {
    var builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(TlsSuites.USUAL, SupportedCipherSuiteFilter.INSTANCE)
            .endpointIdentificationAlgorithm("HTTPS");
    if (!authorities.isEmpty()) {
      builder.trustManager(Pem.certificates(authorities).toArray(X509Certificate[]::new));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new IllegalArgumentException("these authorities cannot be used: " + e.getMessage(), e);
    }
  }

  private static ProviderClient.Response get(
      EgressClient client, SslContext tls, String url, String accessToken) throws IOException {
    var shown =
        accessToken.isEmpty()
            ? List.<Header>of()
            : List.of(new Header("authorization", "Bearer " + accessToken));
    try {
      var next = URI.create(url);
      for (int redirects = 0; ; redirects++) {
        var answer = client.get(next, shown, tls, MOST_BYTES, TIMEOUT);
        var location = answer.header("location");
        boolean follows =
            answer.status() / 100 == 3 && !location.isEmpty() && accessToken.isEmpty();
        if (!follows) {
          return new ProviderClient.Response(
              answer.status(), answer.header("content-type"), answer.body());
        }
        next = next.resolve(location);
        if (redirects == MOST_REDIRECTS || !"https".equals(next.getScheme())) {
          throw new IOException("Get \"" + url + "\": it leads to " + next);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("Get \"" + url + "\": " + e.getMessage(), e);
    } catch (BackendException e) {
      throw new IOException("Get \"" + url + "\": " + e.text(), e);
    }
  }

  /** Closes all connections. */
  @Override
  public synchronized void close() {
    clients.values().forEach(EgressClient::close);
  }
}
