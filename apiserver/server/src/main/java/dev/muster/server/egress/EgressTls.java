package dev.muster.server.egress;

import dev.muster.model.FileProblems;
import dev.muster.pki.Pem;
import dev.muster.pki.TlsSuites;
import dev.muster.server.egress.EgressConnection.TlsFiles;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS for the connection to a proxy. Thread-safe. It reads files, and reloads them when they
 * change.
 */
final class EgressTls {
  private static final Logger log = LoggerFactory.getLogger(EgressTls.class);

  private final TlsFiles files;
  private List<FileTime> seen;
  private SslContext context;

  /**
   * @throws IllegalArgumentException when the files cannot be used
   */
  EgressTls(TlsFiles files) {
    this.files = files;
    try {
      this.seen = times();
      this.context = read();
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "--egress-selector-config-file: failed to read key pair %s & %s, got %s"
              .formatted(files.certificate(), files.key(), e.getMessage()),
          e);
    }
  }

  synchronized SslContext newest() {
    try {
      var now = times();
      if (!now.equals(seen)) {
        context = read();
        seen = now;
      }
    } catch (RuntimeException e) {
      log.warn("the files for an egress proxy cannot be read again: {}", e.getMessage());
    }
    return context;
  }

  private SslContext read() {
    var builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(TlsSuites.USUAL, SupportedCipherSuiteFilter.INSTANCE)
            .endpointIdentificationAlgorithm("HTTPS")
            .keyManager(
                Pem.privateKey(Pem.read(files.key())),
                Pem.certificates(Pem.read(files.certificate())).toArray(X509Certificate[]::new));
    var authorities = files.authorities();
    if (authorities != null) {
      builder.trustManager(Pem.certificates(Pem.read(authorities)).toArray(X509Certificate[]::new));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private List<FileTime> times() {
    var times = new ArrayList<FileTime>();
    var authorities = files.authorities();
    if (authorities != null) {
      times.add(time(authorities));
    }
    times.add(time(files.certificate()));
    times.add(time(files.key()));
    return times;
  }

  private static FileTime time(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }
}
