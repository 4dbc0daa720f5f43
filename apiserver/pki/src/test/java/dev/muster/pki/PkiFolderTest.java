package dev.muster.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PkiFolderTest {
  private static final CertificateNames HOME =
      CertificateNames.ofServer("box", List.of(InetAddress.ofLiteral("10.0.0.1")));

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private PkiFolder open() {
    return PkiFolder.open(folder, () -> now);
  }

  /** Keys are equal to what is read of them only if it was written in the same form. */
  private static BigInteger secret(PrivateKey key) {
    return ((ECPrivateKey) key).getS();
  }

  @Test
  void keepsWhatIsStillGood() {
    var first = open();
    var server = first.server("server", HOME);
    var admin = first.client("admin", "admin", List.of("system:masters"));
    var key = first.tokenKey();
    now = now.plus(Duration.ofDays(100));
    var second = open();
    assertThat(second.authority().certificate()).isEqualTo(first.authority().certificate());
    assertThat(second.server("server", HOME).certificate()).isEqualTo(server.certificate());
    assertThat(secret(second.server("server", HOME).key())).isEqualTo(secret(server.key()));
    assertThat(second.client("admin", "admin", List.of()).certificate())
        .isEqualTo(admin.certificate());
    assertThat(secret(second.tokenKey().getPrivate())).isEqualTo(secret(key.getPrivate()));
    assertThat(second.tokenKey().getPublic()).isEqualTo(key.getPublic());
  }

  @Test
  void anAuthorityNearItsEndKeepsItsKeyAndWhatItSigned() throws Exception {
    var first = open();
    now = now.plus(Duration.ofDays(2400));
    var admin = open().client("admin", "admin", List.of());
    now = now.plus(Duration.ofDays(50));
    var second = open();
    var renewed = second.authority().certificate();
    assertThat(renewed.getNotAfter().toInstant()).isAfter(now.plus(Duration.ofDays(3600)));
    assertThat(renewed.getSubjectX500Principal())
        .isEqualTo(first.authority().certificate().getSubjectX500Principal());
    assertThat(second.client("admin", "admin", List.of()).certificate())
        .isEqualTo(admin.certificate());
    admin.certificate().verify(renewed.getPublicKey());
    second
        .server("server", HOME)
        .certificate()
        .verify(first.authority().certificate().getPublicKey());
    assertThat(open().authority().certificate()).isEqualTo(renewed);
  }

  @Test
  void namesAFileThatCannotBeUsed() throws IOException {
    open();
    Files.writeString(folder.resolve("ca.crt"), "");
    assertThatIllegalArgumentException()
        .isThrownBy(this::open)
        .withMessage(folder.resolve("ca.crt") + " is empty");
  }

  @Test
  void thoseThatStartTogetherUseWhatOneOfThemMakes() throws Exception {
    var authorities = ConcurrentHashMap.<X509Certificate>newKeySet();
    var keys = ConcurrentHashMap.<BigInteger>newKeySet();
    try (var together = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (int i = 0; i < 8; i++) {
        all.add(
            together.submit(
                () -> {
                  var pki = open();
                  authorities.add(pki.authority().certificate());
                  keys.add(secret(pki.tokenKey().getPrivate()));
                }));
      }
      for (var one : all) {
        one.get();
      }
    }
    assertThat(authorities).hasSize(1);
    assertThat(keys).hasSize(1);
  }

  @Test
  void renewsNearTheEndAndForNewNames() {
    var server = open().server("server", HOME);
    var more = CertificateNames.ofServer("box", List.of(InetAddress.ofLiteral("fd00::1")));
    var wider = open().server("server", more);
    assertThat(wider.certificate()).isNotEqualTo(server.certificate());
    assertThat(CertificateNames.in(wider.certificate()).holds(more)).isTrue();
    now = now.plus(Duration.ofDays(260));
    assertThat(open().server("server", more).certificate()).isNotEqualTo(wider.certificate());
  }

  @Test
  void doesNotServeTheCertificateOfAnotherAuthority() throws Exception {
    var server = open().server("server", HOME);
    Files.delete(folder.resolve("ca.key"));
    var other = open();
    assertThat(other.server("server", HOME).certificate()).isNotEqualTo(server.certificate());
  }

  @Test
  void holdsAddressesOfBothFamiliesAndClusterNames() {
    var names = CertificateNames.in(open().server("server", HOME).certificate());
    assertThat(names.dns()).contains("localhost", "box", "kubernetes.default.svc");
    assertThat(names.addresses())
        .contains(
            InetAddress.ofLiteral("::1"),
            InetAddress.ofLiteral("127.0.0.1"),
            InetAddress.ofLiteral("10.0.0.1"));
  }

  @Test
  void everythingIsForItsOwnerOnly() throws Exception {
    var inner = folder.resolve("made");
    var pki = PkiFolder.open(inner, () -> now);
    pki.client("admin", "admin", List.of());
    pki.tokenKey();
    assertThat(mode(inner)).isEqualTo("rwx------");
    try (var files = Files.list(inner)) {
      assertThat(files)
          .hasSize(7)
          .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
    }
  }

  @Test
  void keysThatOthersCanReadAreClosedBeforeTheyAreUsed() throws Exception {
    open().tokenKey();
    var stranger = Files.writeString(folder.resolve("of-somebody-else.key"), "x");
    for (var name : List.of("ca.key", "sa.key", "of-somebody-else.key")) {
      Files.setPosixFilePermissions(
          folder.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));
    }
    open().tokenKey();
    assertThat(mode(folder.resolve("ca.key"))).isEqualTo("rw-------");
    assertThat(mode(folder.resolve("sa.key"))).isEqualTo("rw-------");
    assertThat(mode(stranger)).isEqualTo("rw-r--r--");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void certificatesOutliveNoAuthority() {
    var authority = Authority.create("short", now, Duration.ofDays(10));
    var leaf = authority.server("x", HOME, now, Duration.ofDays(365));
    assertThat(leaf.certificate().getNotAfter()).isEqualTo(authority.certificate().getNotAfter());
  }

  @Test
  void writesAKubeconfigThatHoldsEverything() {
    var pki = open();
    var text =
        KubeconfigFile.of(
            "muster",
            "https://127.0.0.1:6443",
            List.of(pki.authority().certificate()),
            "admin",
            pki.client("admin", "admin", List.of("system:masters")));
    assertThat(text)
        .startsWith("apiVersion: v1\nkind: Config\nclusters:\n- name: muster\n  cluster:\n")
        .contains("    server: https://127.0.0.1:6443\n")
        .contains("users:\n- name: admin\n  user:\n    client-certificate-data: LS0t")
        .contains("\n    client-key-data: LS0t")
        .contains("\ncontexts:\n- name: muster\n  context:\n    cluster: muster\n    user: admin\n")
        .contains("\n    namespace: default\ncurrent-context: muster\n");
  }
}
