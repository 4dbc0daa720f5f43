package dev.muster.server.http;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe from any thread: a certificate and a key in PEM files that are replaced from time to time.
 * Looks at the files when asked, but not more often than every few seconds; what cannot be read, or
 * was written only in part, leaves the last good material in use.
 */
public final class TlsFiles implements Supplier<TlsMaterial> {
  private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);
  private final Path certificate;
  private final Path key;
  private final long interval;
  private long checked = System.nanoTime();
  private List<FileTime> stamps;
  private TlsMaterial material;

  /**
   * Reads the files for the first time.
   *
   * @throws IOException if they cannot be used, naming the file
   */
  public TlsFiles(Path certificate, Path key) throws IOException {
    this(certificate, key, Duration.ofSeconds(5));
  }

  TlsFiles(Path certificate, Path key, Duration interval) throws IOException {
    this.certificate = certificate;
    this.key = key;
    this.interval = interval.toNanos();
    stamps = stamps();
    material = read();
  }

  @Override
  public synchronized TlsMaterial get() {
    long now = System.nanoTime();
    if (now - checked >= interval) {
      checked = now;
      refresh();
    }
    return material;
  }

  private void refresh() {
    try {
      var newest = stamps();
      if (!newest.equals(stamps)) {
        material = read();
        stamps = newest;
      }
    } catch (IOException e) {
      log.warn("keeping the last serving certificate: {}", e.getMessage());
    }
  }

  private List<FileTime> stamps() throws IOException {
    return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
  }

  private TlsMaterial read() throws IOException {
    var read = new TlsMaterial(chain(certificate), privateKey(key));
    try {
      read.requireMatch();
    } catch (GeneralSecurityException e) {
      throw new IOException(key + " is not the key of " + certificate, e);
    }
    return read;
  }

  private static List<X509Certificate> chain(Path file) throws IOException {
    var chain = new ArrayList<X509Certificate>();
    try (var in = Files.newInputStream(file)) {
      for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        chain.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " holds no certificate in PEM form", e);
    }
    if (chain.isEmpty()) {
      throw new IOException(file + " holds no certificate in PEM form");
    }
    return chain;
  }

  /** PKCS#8, and the older forms of RSA and EC keys. */
  private static PrivateKey privateKey(Path file) throws IOException {
    var text = Files.readString(file, StandardCharsets.ISO_8859_1);
    try (var parser = new PEMParser(new StringReader(text))) {
      var converter = new JcaPEMKeyConverter();
      for (var each = parser.readObject(); each != null; each = parser.readObject()) {
        if (each instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        } else if (each instanceof PrivateKeyInfo info) {
          return converter.getPrivateKey(info);
        }
      }
    } catch (IOException e) {
      throw new IOException(file + " holds no private key in PEM form", e);
    }
    throw new IOException(file + " holds no private key in PEM form");
  }
}
