package dev.muster.server.proxy;

import dev.muster.model.FileProblems;
import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.options.NodeOptions;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for connections to backends. Thread-safe; it reads files. Kubelets receive the server's
 * client certificate, and are verified if their CA is configured. Pods and Services are not
 * verified, because their certificates have no known CA, and receive no client certificate. Changed
 * files are reloaded at the next connection. Without files, nothing is created before the first
 * connection.
 */
final class BackendTls {
  private static final Logger LOG = LoggerFactory.getLogger(BackendTls.class);

  /** The contexts for kubelets, and the times of their files. */
  private record Kubelets(SslContext verified, SslContext unverified, List<FileTime> changed) {}

  private final NodeOptions options;
  private @Nullable SslContext workloads;
  private @Nullable Kubelets kubelets;

  /**
   * @throws IllegalArgumentException or UncheckedIOException when a file cannot be used
   */
  BackendTls(NodeOptions options) {
    this.options = options;
    if (!changed().isEmpty()) {
      this.kubelets = read();
    }
    if (options.kubeletAuthorityFile() == null) {
      LOG.info("kubelets are not verified, for want of --kubelet-certificate-authority");
    }
  }

  synchronized SslContext of(Backend backend) {
    return switch (backend) {
      case WORKLOAD -> workloads();
      case KUBELET -> newest().verified();
      case UNVERIFIED_KUBELET -> newest().unverified();
    };
  }

  private SslContext workloads() {
    var known = workloads == null ? build(trustingAnybody()) : workloads;
    workloads = known;
    return known;
  }

  private Kubelets newest() {
    var known = kubelets;
    if (known == null) {
      kubelets = read();
      return kubelets;
    }
    try {
      if (!changed().equals(known.changed())) {
        kubelets = read();
        LOG.info("the files for connections to kubelets were read again");
        return kubelets;
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "the files for connections to kubelets cannot be read again, what they held stays: {}",
          e.getMessage());
    }
    return known;
  }

  private Kubelets read() {
    var changed = changed();
    var unverified = build(known(trustingAnybody()));
    var file = options.kubeletAuthorityFile();
    if (file == null) {
      return new Kubelets(unverified, unverified, changed);
    }
    var authorities = Pem.certificates(Pem.read(file));
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException(
          "--kubelet-certificate-authority: " + file + " holds no certificate");
    }
    var verified =
        build(
            known(
                SslContextBuilder.forClient()
                    .trustManager(authorities.toArray(X509Certificate[]::new))
                    .endpointIdentificationAlgorithm("HTTPS")));
    return new Kubelets(verified, unverified, changed);
  }

  private static SslContextBuilder trustingAnybody() {
    return SslContextBuilder.forClient()
        .trustManager(InsecureTrustManagerFactory.INSTANCE)
        .endpointIdentificationAlgorithm(null);
  }

  /** Adds the client certificate for kubelets, if there is one. */
  private SslContextBuilder known(SslContextBuilder builder) {
    var certificate = options.kubeletCertificateFile();
    var key = options.kubeletKeyFile();
    if (certificate == null || key == null) {
      return builder;
    }
    var chain = Pem.certificates(Pem.read(certificate));
    if (chain.isEmpty()) {
      throw new IllegalArgumentException(
          "--kubelet-client-certificate: " + certificate + " holds no certificate");
    }
    return builder.keyManager(Pem.privateKey(Pem.read(key)), chain.toArray(X509Certificate[]::new));
  }

  private static SslContext build(SslContextBuilder builder) {
    try {
      return builder
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .ciphers(TlsSuites.USUAL, SupportedCipherSuiteFilter.INSTANCE)
          .build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(
          "the files for connections to kubelets cannot be used: " + e.getMessage(), e);
    }
  }

  private List<FileTime> changed() {
    return Stream.<@Nullable Path>of(
            options.kubeletAuthorityFile(),
            options.kubeletCertificateFile(),
            options.kubeletKeyFile())
        .filter(Objects::nonNull)
        .map(file -> time(Objects.requireNonNull(file)))
        .toList();
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }
}
