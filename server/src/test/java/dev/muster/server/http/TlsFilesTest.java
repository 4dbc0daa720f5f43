package dev.muster.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
  private static final TestAuthority AUTHORITY = new TestAuthority("files-ca");

  @TempDir private Path directory = Path.of("");
  private long time = 1_000_000;

  private Path certificate() {
    return directory.resolve("tls.crt");
  }

  private Path key() {
    return directory.resolve("tls.key");
  }

  private void write(Path file, Object... objects) throws IOException {
    var text = new StringWriter();
    try (var pem = new JcaPEMWriter(text)) {
      for (var object : objects) {
        pem.writeObject(object);
      }
    }
    Files.writeString(file, text.toString());
    time += 1000;
    Files.setLastModifiedTime(file, FileTime.fromMillis(time));
  }

  private void writeCertificate(TlsMaterial material) throws IOException {
    write(certificate(), material.chain().toArray());
  }

  private void writeKey(TlsMaterial material) throws IOException {
    write(key(), new PemObject("PRIVATE KEY", material.key().getEncoded()));
  }

  @Test
  void usesNewFilesOnceBothAreThere() throws Exception {
    var first = AUTHORITY.issue("first");
    writeCertificate(first);
    writeKey(first);
    var files = new TlsFiles(certificate(), key(), Duration.ZERO);
    assertThat(files.get().chain()).isEqualTo(first.chain());
    assertThat(files.get()).isSameAs(files.get());

    var second = AUTHORITY.issue("second");
    writeCertificate(second);
    assertThat(files.get().chain()).isEqualTo(first.chain());
    writeKey(second);
    assertThat(files.get().chain()).isEqualTo(second.chain());

    Files.writeString(certificate(), "-----BEGIN CERT");
    assertThat(files.get().chain()).isEqualTo(second.chain());
    Files.delete(key());
    assertThat(files.get().chain()).isEqualTo(second.chain());
  }

  @Test
  void saysWhichFileCannotBeUsed() throws Exception {
    assertThatThrownBy(() -> new TlsFiles(certificate(), key())).hasMessageContaining("tls.crt");
    var material = AUTHORITY.issue("a");
    writeCertificate(material);
    Files.writeString(key(), "nothing");
    assertThatThrownBy(() -> new TlsFiles(certificate(), key()))
        .hasMessage(key() + " holds no private key in PEM form");
    writeKey(AUTHORITY.issue("b"));
    assertThatThrownBy(() -> new TlsFiles(certificate(), key()))
        .hasMessage(key() + " is not the key of " + certificate());
    Files.writeString(certificate(), "nothing");
    assertThatThrownBy(() -> new TlsFiles(certificate(), key()))
        .hasMessage(certificate() + " holds no certificate in PEM form");
  }

  @Test
  @Tag("slow")
  void readsAllUsualFormsOfKeys() throws Exception {
    for (var algorithm :
        new String[] {"rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-384", "ed25519"}) {
      openssl(
          "req -x509 -nodes -subj /CN=x -days 1 -newkey %s -keyout %s -out %s"
              .formatted(algorithm, key(), certificate()));
      assertThat(new TlsFiles(certificate(), key()).get().chain()).hasSize(1);
      if (!algorithm.equals("ed25519")) {
        var old = directory.resolve("old.key");
        openssl("pkey -traditional -in %s -out %s".formatted(key(), old));
        assertThat(Files.readString(old)).containsAnyOf("BEGIN RSA PRIV", "BEGIN EC PRIV");
        assertThat(new TlsFiles(certificate(), old).get().chain()).hasSize(1);
      }
    }
  }

  private static void openssl(String arguments) throws Exception {
    var process =
        new ProcessBuilder(("openssl " + arguments).split(" ")).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
