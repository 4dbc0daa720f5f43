package dev.muster.server;

import dev.muster.access.pki.Names;
import dev.muster.access.pki.Pem;
import dev.muster.access.pki.PkiFolder;
import dev.muster.server.http.TlsMaterial;
import dev.muster.server.options.TlsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that clients see: read from files and read again when they change, or made by the
 * server itself. Asked by event loops, so that files are looked at in the background only.
 */
public final class ServingCertificate {
  private static final Logger LOG = LoggerFactory.getLogger(ServingCertificate.class);

  private final List<Path> files;
  private volatile TlsMaterial material;
  private List<FileTime> seen = List.of();

  private ServingCertificate(List<Path> files, TlsMaterial material) {
    this.files = files;
    this.material = material;
  }

  /** From the given files, or a self-made one that holds all those names. */
  static ServingCertificate of(TlsOptions options, Names names, Clock clock) {
    var certificate = options.certificateFile();
    var key = options.privateKeyFile();
    if (certificate != null && key != null) {
      var files = List.of(certificate, key);
      var serving = new ServingCertificate(files, read(files));
      serving.seen = times(files);
      return serving;
    }
    var identity = PkiFolder.open(options.certificateFolder(), clock).server("apiserver", names);
    return new ServingCertificate(List.of(), new TlsMaterial(identity.chain(), identity.key()));
  }

  TlsMaterial material() {
    return material;
  }

  /** Reads the files again when they have changed; what cannot be used is left alone. */
  synchronized void refresh() {
    if (files.isEmpty()) {
      return;
    }
    try {
      var now = times(files);
      if (!now.equals(seen)) {
        material = read(files);
        seen = now;
        LOG.info("serving certificate was read again");
      }
    } catch (RuntimeException e) {
      LOG.warn("serving certificate cannot be read again, the old one stays: {}", e.getMessage());
    }
  }

  private static TlsMaterial read(List<Path> files) {
    return new TlsMaterial(
        Pem.certificates(Pem.read(files.get(0))), Pem.privateKey(Pem.read(files.get(1))));
  }

  private static List<FileTime> times(List<Path> files) {
    return files.stream()
        .map(
            file -> {
              try {
                return Files.getLastModifiedTime(file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .toList();
  }
}
