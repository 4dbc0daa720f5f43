package dev.muster.store.etcd;

import dev.muster.store.OutageLog;
import dev.muster.store.StoreException;
import io.grpc.netty.GrpcSslContexts;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS connections to etcd. It checks the files for changes at every new connection, so certificates
 * and CAs can be renewed; it ignores unusable files. Thread-safe.
 */
final class RenewedTls extends SslContext {
  private static final Logger log = LoggerFactory.getLogger(RenewedTls.class);

  private final OutageLog outage = new OutageLog(log);
  private final EtcdTls files;
  private List<FileTime> seen;
  private SslContext context;

  /**
   * @throws StoreException.Unusable when the files are unusable
   */
  RenewedTls(EtcdTls files) {
    this.files = files;
    try {
      this.seen = times();
      this.context = read();
    } catch (IOException | IllegalArgumentException e) {
      throw new StoreException.Unusable("the TLS files for etcd cannot be used: " + files, e);
    }
  }

  private SslContext read() throws SSLException {
    var builder = GrpcSslContexts.forClient();
    var ca = files.caFile();
    if (ca != null) {
      builder.trustManager(ca.toFile());
    }
    var cert = files.certFile();
    var key = files.keyFile();
    if (cert != null && key != null) {
      builder.keyManager(cert.toFile(), key.toFile());
    }
    return builder.build();
  }

  private List<FileTime> times() throws IOException {
    var times = Stream.<FileTime>builder();
    for (var file :
        Stream.<@Nullable Path>of(files.caFile(), files.certFile(), files.keyFile())
            .filter(Objects::nonNull)
            .toList()) {
      times.add(Files.getLastModifiedTime(Objects.requireNonNull(file)));
    }
    return times.build().toList();
  }

  private synchronized SslContext newest() {
    try {
      var now = times();
      if (!now.equals(seen)) {
        context = read();
        seen = now;
        log.info("the TLS files for etcd were read again");
      }
      outage.ended("the TLS files for etcd can be read again");
    } catch (IOException | IllegalArgumentException e) {
      outage.failed("the TLS files for etcd cannot be read again, what they held stays: " + e);
    }
    return context;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return newest().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return newest().newEngine(allocator, host, port);
  }

  @Override
  public boolean isClient() {
    return true;
  }

  @Override
  public List<String> cipherSuites() {
    return newest().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Whoever makes a context has to have one.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return newest().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return newest().sessionContext();
  }
}
