package dev.muster.server.webhook;

import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;

/** TLS contexts for webhooks, with the CAs of their configuration. Thread-safe. */
final class WebhookTls {
  /** Contexts are costly to create, and few are in use. */
  private static final int MOST_KEPT = 256;

  private static final ApplicationProtocolConfig PROTOCOLS =
      new ApplicationProtocolConfig(
          Protocol.ALPN,
          SelectorFailureBehavior.NO_ADVERTISE,
          SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  private final Map<Origin.Trust, SslContext> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Origin.Trust, SslContext> eldest) {
          return size() > MOST_KEPT;
        }
      };

  /**
   * @throws ExchangeException when CAs or credentials cannot be parsed
   */
  synchronized SslContext of(Origin.Trust trust) throws ExchangeException {
    var context = kept.get(trust);
    if (context == null) {
      context = make(trust);
      kept.put(trust, context);
    }
    return context;
  }

  private static SslContext make(Origin.Trust trust) throws ExchangeException {
    var authorities = trust.authorities();
    var credentials = trust.credentials();
    var builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(TlsSuites.USUAL, SupportedCipherSuiteFilter.INSTANCE)
            .endpointIdentificationAlgorithm(credentials.trusting() ? null : "HTTPS")
            .applicationProtocolConfig(PROTOCOLS);
    try {
      if (!credentials.certificate().isEmpty()) {
        builder.keyManager(
            Pem.privateKey(credentials.key()),
            Pem.certificates(credentials.certificate()).toArray(X509Certificate[]::new));
      }
      if (credentials.trusting()) {
        builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      } else if (!authorities.isEmpty()) {
        var certificates = Pem.certificates(authorities);
        if (certificates.isEmpty()) {
          throw unusable();
        }
        builder.trustManager(certificates.toArray(X509Certificate[]::new));
      }
      return builder.build();
    } catch (IllegalArgumentException | SSLException e) {
      throw unusable();
    }
  }

  private static ExchangeException unusable() {
    return new ExchangeException(
        "unable to load root certificates: unable to parse bytes as PEM block", false);
  }
}
