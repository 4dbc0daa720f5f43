package dev.muster.server.start;

import dev.muster.http.tls.TlsMaterial;
import dev.muster.model.FileProblems;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.pki.PkiFolder;
import dev.muster.server.options.ServingOptions;
import dev.muster.store.OutageLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that clients see: read from files and read again when they change, or made by the
 * server itself. Asked by event loops, so that files are looked at in the background only.
 */
public final class ServingCertificate {
  private static final Logger LOG = LoggerFactory.getLogger(ServingCertificate.class);

  private static final Duration RENEWAL_CHECK = Duration.ofHours(1);

  private final OutageLog outage = new OutageLog(LOG);
  private final List<Path> files;
  private final Supplier<TlsMaterial> source;
  private final InstantSource clock;
  private volatile TlsMaterial material;
  private List<FileTime> seen = List.of();
  private Instant checked;

  private ServingCertificate(List<Path> files, Supplier<TlsMaterial> source, InstantSource clock) {
    this.files = files;
    this.source = source;
    this.clock = clock;
    this.material = source.get();
    this.checked = clock.instant();
  }

  /** From the given files, or a self-made one that holds all those names. */
  public static ServingCertificate of(
      ServingOptions options, CertificateNames names, InstantSource clock) {
    var certificate = options.certificateFile();
    var key = options.privateKeyFile();
    if (certificate != null && key != null) {
      return of(certificate, key, clock);
    }
    return new ServingCertificate(List.of(), () -> made(options, names, clock), clock);
  }

  /** From those files. */
  static ServingCertificate of(Path certificate, Path key, InstantSource clock) {
    var files = List.of(certificate, key);
    var seen = times(files);
    var serving = new ServingCertificate(files, () -> read(files), clock);
    serving.seen = seen;
    return serving;
  }

  /** The one in the folder, or a new one when that lacks a name or nears its end. */
  private static TlsMaterial made(
      ServingOptions options, CertificateNames names, InstantSource clock) {
    var identity = PkiFolder.open(options.certificateFolder(), clock).server("apiserver", names);
    return new TlsMaterial(identity.chain(), identity.key());
  }

  public TlsMaterial material() {
    return material;
  }

  /**
   * Reads the files again when they have changed, and makes a new certificate before its own one
   * ends; what cannot be used is left alone.
   */
  public synchronized void refresh() {
    try {
      if (files.isEmpty()) {
        renew();
        return;
      }
      var now = times(files);
      if (!now.equals(seen)) {
        material = source.get();
        seen = now;
        LOG.info("serving certificate was read again");
      }
      outage.ended("serving certificate can be read again");
    } catch (RuntimeException | Error e) {
      outage.failed(
          "serving certificate cannot be read again, the old one stays: " + e.getMessage());
    }
  }

  private void renew() {
    var now = clock.instant();
    if (now.isBefore(checked.plus(RENEWAL_CHECK)) && !now.isBefore(checked)) {
      return;
    }
    checked = now;
    var fresh = source.get();
    if (!fresh.chain().equals(material.chain())) {
      material = fresh;
      LOG.info("serving certificate was renewed");
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
                throw FileProblems.unchecked(file, e);
              }
            })
        .toList();
  }
}
