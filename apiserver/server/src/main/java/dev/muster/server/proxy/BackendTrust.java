package dev.muster.server.proxy;

import dev.muster.model.FileProblems;
import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import dev.muster.server.options.AggregatorOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for connections to other API servers: their CAs, and this server's client certificate.
 * Thread-safe; it reads files. Changed files are reloaded at the next connection.
 */
final class BackendTrust {
  private static final Logger LOG = LoggerFactory.getLogger(BackendTrust.class);

  /** Contexts are costly to create, and few are in use. */
  private static final int MOST_KEPT = 256;

  private record Shown(PrivateKey key, List<X509Certificate> chain, List<FileTime> changed) {}

  private record TrustSettings(String authorities, boolean unverified) {}

  private final AggregatorOptions options;
  private @Nullable Shown shown;
  private final Map<TrustSettings, SslContext> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TrustSettings, SslContext> eldest) {
          return size() > MOST_KEPT;
        }
      };

  /**
   * @throws IllegalArgumentException or UncheckedIOException when a file cannot be used
   */
  BackendTrust(AggregatorOptions options) {
    this.options = options;
    this.shown = read();
  }

  /**
   * @param authorities in PEM; "" for those of the system
   * @param unverified whether any certificate is accepted
   * @throws BackendException when the CAs cannot be parsed
   */
  synchronized SslContext of(String authorities, boolean unverified) throws BackendException {
    lookAtFiles();
    var wanted = new TrustSettings(authorities, unverified);
    var context = kept.get(wanted);
    if (context == null) {
      context = make(wanted);
      kept.put(wanted, context);
    }
    return context;
  }

  private void lookAtFiles() {
    var before = shown;
    if (before == null) {
      return;
    }
    try {
      if (!changed().equals(before.changed())) {
        shown = read();
        kept.clear();
        LOG.info("the certificate for API servers behind this one was read again");
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "the certificate for API servers behind this one cannot be read again, the old one"
              + " stays: {}",
          e.getMessage());
    }
  }

  private @Nullable Shown read() {
    var certificate = options.clientCertificateFile();
    var key = options.clientKeyFile();
    if (certificate == null || key == null) {
      return null;
    }
    var changed = changed();
    var chain = Pem.certificates(Pem.read(certificate));
    if (chain.isEmpty()) {
      throw new IllegalArgumentException(
          "--proxy-client-cert-file: " + certificate + " holds no certificate");
    }
    var read = new Shown(Pem.privateKey(Pem.read(key)), chain, changed);
    try {
      builder(read).build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--proxy-client-cert-file and --proxy-client-key-file cannot be used: " + e.getMessage(),
          e);
    }
    return read;
  }

  private List<FileTime> changed() {
    var certificate = options.clientCertificateFile();
    var key = options.clientKeyFile();
    return certificate == null || key == null ? List.of() : List.of(time(certificate), time(key));
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }

  private static SslContextBuilder builder(@Nullable Shown shown) {
    var builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(TlsSuites.USUAL, SupportedCipherSuiteFilter.INSTANCE);
    return shown == null
        ? builder
        : builder.keyManager(shown.key(), shown.chain().toArray(X509Certificate[]::new));
  }

  private SslContext make(TrustSettings wanted) throws BackendException {
    var builder = builder(shown);
    try {
      if (wanted.unverified()) {
        builder
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm(null);
      } else {
        builder.endpointIdentificationAlgorithm("HTTPS");
        if (!wanted.authorities().isEmpty()) {
          var authorities = Pem.certificates(wanted.authorities());
          if (authorities.isEmpty()) {
            throw unusable();
          }
          builder.trustManager(authorities.toArray(X509Certificate[]::new));
        }
      }
      return builder.build();
    } catch (IllegalArgumentException | SSLException e) {
      throw unusable();
    }
  }

  private static BackendException unusable() {
    return new BackendException(
        "unable to load root certificates: unable to parse bytes as PEM block");
  }
}
