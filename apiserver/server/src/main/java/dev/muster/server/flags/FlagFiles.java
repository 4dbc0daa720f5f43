package dev.muster.server.flags;

import dev.muster.pki.PemFiles;
import dev.muster.server.options.tls.SniCertKey;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the files that flags name before the server starts: each must exist and have the required
 * content. An error is one line with the flag, the file and the reason.
 */
public final class FlagFiles {
  private final Instant now;
  private final List<String> remarks = new ArrayList<>();
  private final Map<String, Path> certificates = new HashMap<>();

  private FlagFiles(Instant now) {
    this.now = now;
  }

  /**
   * @param options records whose components carry flags
   * @return log lines about certificates that are not valid now; kube-apiserver starts with them,
   *     too, because they may be replaced while it runs
   * @throws FlagException naming the first flag whose file cannot be used
   */
  public static List<String> check(Instant now, Record... options) {
    var look = new FlagFiles(now);
    var all = new ArrayList<RecordFlags.Given>();
    for (var record : options) {
      all.addAll(RecordFlags.values(record));
    }
    for (var given : all) {
      if (given.value() instanceof Path file) {
        look.certificates.put(given.flag().name(), file);
      }
    }
    all.forEach(look::check);
    return List.copyOf(look.remarks);
  }

  private void check(RecordFlags.Given given) {
    var values = given.value() instanceof List<?> list ? list : listOf(given.value());
    for (var value : values) {
      try {
        check(given, value);
      } catch (IllegalArgumentException e) {
        throw new FlagException("--" + given.flag().name() + ": " + e.getMessage(), e);
      }
    }
  }

  private static List<Object> listOf(@Nullable Object value) {
    return value == null ? List.of() : List.of(value);
  }

  private void check(RecordFlags.Given given, Object value) {
    var flag = given.flag();
    switch (flag.file()) {
      case CERTIFICATES -> remark(flag.name(), (Path) value, PemFiles.certificates((Path) value));
      case PRIVATE_KEY -> {
        var certificate = certificates.get(flag.keyOf());
        if (certificate == null) {
          PemFiles.keyPair((Path) value);
        } else {
          PemFiles.identity(certificate, (Path) value);
        }
      }
      case PUBLIC_KEYS -> PemFiles.publicKeys((Path) value);
      case CERTIFICATE_AND_KEY -> {
        var files = (SniCertKey) value;
        var identity = PemFiles.identity(files.certificateFile(), files.keyFile());
        remark(flag.name(), files.certificateFile(), identity.chain());
      }
      case TEXT -> PemFiles.content((Path) value);
      case NONE, KUBECONFIG, FOLDER, OUTPUT -> {}
    }
  }

  /** A bundle often contains expired CAs; it is worth a line only if all are invalid. */
  private void remark(String flag, Path file, List<X509Certificate> chain) {
    if (chain.stream().anyMatch(certificate -> isValid(certificate))) {
      return;
    }
    var first = chain.getFirst();
    var end = first.getNotAfter().toInstant();
    remarks.add(
        "--%s: the certificate in %s %s"
            .formatted(
                flag,
                file,
                now.isAfter(end)
                    ? "expired at " + end
                    : "is not valid before " + first.getNotBefore().toInstant()));
  }

  private boolean isValid(X509Certificate certificate) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }
}
