package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.Identity;
import dev.muster.pki.KubeconfigFile;
import dev.muster.pki.Pem;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.options.flag.FileKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every flag of every command that names a file is given files that it cannot use. */
class WrongFilesTest {
  private static final Set<FileKind> LOOKED_AT =
      Set.of(
          FileKind.CERTIFICATES,
          FileKind.PRIVATE_KEY,
          FileKind.PUBLIC_KEYS,
          FileKind.CERTIFICATE_AND_KEY,
          FileKind.TEXT);

  @TempDir static Path folder;

  /** Files that nothing can use, by what is wrong with them and what is said of it. */
  private static final Map<Path, String> UNUSABLE = new LinkedHashMap<>();

  private static Path certificate;
  private static Path key;
  private static Path hub;

  private static Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @BeforeAll
  static void makeFiles() throws IOException {
    var identity = identity("right");
    certificate = file("right.crt", Pem.of(identity.chain()));
    key = file("right.key", Pem.of(identity.key()));
    hub =
        file(
            "hub.kubeconfig",
            KubeconfigFile.of("c", "https://127.0.0.1:1", identity.chain(), "user", identity));
    UNUSABLE.put(folder.resolve("missing"), " does not exist");
    UNUSABLE.put(file("empty", ""), " is empty");
    UNUSABLE.put(file("blank", " \n\t\n"), " is empty");
    UNUSABLE.put(Files.createDirectory(folder.resolve("directory")), " is a folder");
    UNUSABLE.put(certificate.resolve("below"), "");
    // A file that everybody may open and nobody can read.
    if (Files.exists(Path.of("/proc/self/mem"))) {
      UNUSABLE.put(Path.of("/proc/self/mem"), ": input/output error");
    }
  }

  private static Identity identity(String name) {
    var now = Instant.now();
    return Authority.create(name, now, Duration.ofDays(1))
        .client(name, List.of(), now, Duration.ofDays(1));
  }

  private static String run(Command command, List<String> arguments) {
    var err = new ByteArrayOutputStream();
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    var tree =
        new CommandTree(
            List.of(command), nowhere, new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(tree.run(arguments.toArray(String[]::new))).as("%s", arguments).isEqualTo(1);
    return err.toString(StandardCharsets.UTF_8);
  }

  /** What a command needs to come to the file. The store of this one would never answer. */
  private static List<String> needed(Command command, String flag) {
    return switch (command.name()) {
      case "apiserver" ->
          List.of(
              "--etcd-servers=https://127.0.0.1:1",
              "--service-account-issuer=https://issuer.example",
              "--service-account-signing-key-file=" + key);
      case "conformance" -> List.of("about");
      case "clusterset" ->
          flag.equals("kubeconfig") ? List.of("leave", "--hub-kubeconfig=" + hub) : List.of("list");
      case "services" -> flag.equals("kubeconfig") ? List.of("--hub-kubeconfig=" + hub) : List.of();
      default -> List.of();
    };
  }

  /** Flags that have to come with that one. */
  private static List<String> companions(String flag) {
    return switch (flag) {
      case "etcd-password-file" -> List.of("--etcd-username=u");
      case "oidc-ca-file" ->
          List.of("--oidc-issuer-url=https://issuer.example", "--oidc-client-id=c");
      case "peer-ca-file" ->
          List.of("--proxy-client-cert-file=" + certificate, "--proxy-client-key-file=" + key);
      case "authorization-policy-file" -> List.of("--authorization-mode=ABAC");
      case "authorization-webhook-config-file" -> List.of("--authorization-mode=Webhook");
      case "etcd-certfile" -> List.of("--etcd-keyfile=" + key);
      case "etcd-keyfile" -> List.of("--etcd-certfile=" + certificate);
      case "tls-cert-file" -> List.of("--tls-private-key-file=" + key);
      case "tls-private-key-file" -> List.of("--tls-cert-file=" + certificate);
      case "proxy-client-cert-file" -> List.of("--proxy-client-key-file=" + key);
      case "proxy-client-key-file" -> List.of("--proxy-client-cert-file=" + certificate);
      case "kubelet-client-certificate" -> List.of("--kubelet-client-key=" + key);
      case "kubelet-client-key" -> List.of("--kubelet-client-certificate=" + certificate);
      case "cluster-signing-cert-file" -> List.of("--cluster-signing-key-file=" + key);
      case "cluster-signing-key-file" -> List.of("--cluster-signing-cert-file=" + certificate);
      default -> List.of();
    };
  }

  private static void assertRefused(Command command, FlagDefinition flag, Path wrong, String said) {
    var values =
        flag.file() == FileKind.CERTIFICATE_AND_KEY
            ? List.of(wrong + "," + key, certificate + "," + wrong)
            : List.of(wrong.toString());
    for (var value : values) {
      var arguments = new ArrayList<String>();
      arguments.add(command.name());
      arguments.addAll(needed(command, flag.name()));
      arguments.addAll(companions(flag.name()));
      arguments.add("--" + flag.name() + "=" + value);
      assertThat(run(command, arguments))
          .as("%s", arguments)
          .startsWith("muster " + command.name() + ": " + prefix(command, flag))
          .contains(wrong.toString())
          .contains(said)
          .doesNotContain("Exception")
          .doesNotContain("java.")
          .satisfies(text -> assertThat(text.lines()).hasSize(1));
    }
  }

  /** Of several contexts, status takes the first that works, so that it names the context. */
  private static String prefix(Command command, FlagDefinition flag) {
    return command.name().equals("status") ? "" : "--" + flag.name() + ": ";
  }

  private interface Try {
    void with(Command command, FlagDefinition flag) throws IOException;
  }

  private static void forEachFlag(Set<FileKind> kinds, Try each) throws IOException {
    int tried = 0;
    for (var command : Main.commands()) {
      for (var flag : command.flags()) {
        if (kinds.contains(flag.file())) {
          each.with(command, flag);
          tried++;
        }
      }
    }
    assertThat(tried).isPositive();
  }

  @Test
  void everyFlagThatTakesAFileSaysOfWhichKind() {
    for (var command : Main.commands()) {
      assertThat(command.flags())
          .filteredOn(flag -> flag.placeholder().matches(".*\\b(file|cert,key)\\b.*"))
          .allSatisfy(flag -> assertThat(flag.file()).isNotEqualTo(FileKind.NONE));
    }
  }

  @Test
  void namesFlagFileAndReason() throws IOException {
    forEachFlag(
        LOOKED_AT,
        (command, flag) -> UNUSABLE.forEach((f, said) -> assertRefused(command, flag, f, said)));
  }

  @Test
  void namesKubeconfigsThatCannotBeUsed() throws IOException {
    var identity = identity("user");
    var other = identity("other");
    var right = KubeconfigFile.of("c", "https://127.0.0.1:1", identity.chain(), "user", identity);
    var wrong = new LinkedHashMap<>(UNUSABLE);
    wrong.put(file("garbage.kubeconfig", "\u0000\u0001{{{"), "is not a kubeconfig");
    wrong.put(
        file(
            "mismatch.kubeconfig",
            KubeconfigFile.of(
                "c",
                "https://127.0.0.1:1",
                identity.chain(),
                "user",
                new Identity(other.key(), identity.chain()))),
        "is not the key of the certificate");
    wrong.put(
        file("data.kubeconfig", right.replaceFirst("client-key-data: .{20}", "client-key-data: ")),
        "client-key-data");
    wrong.put(
        file(
            "authority.kubeconfig",
            right.replaceFirst(
                "certificate-authority-data: .*", "certificate-authority-data: aGVsbG8=")),
        "certificate-authority-data: ");
    forEachFlag(
        Set.of(FileKind.KUBECONFIG),
        (command, flag) -> wrong.forEach((f, said) -> assertRefused(command, flag, f, said)));
  }

  @Test
  void tellsWhatIsInAFileInPlaceOfACertificate() throws IOException {
    var only = file("only.key", Pem.of(GeneratedKeys.p256()));
    var der =
        Files.write(
            folder.resolve("der.crt"), identity("der").certificate().getPublicKey().getEncoded());
    var garbage =
        Files.write(folder.resolve("garbage"), new byte[] {(byte) 0xff, 0, (byte) 0xfe, 7});
    var damaged = file("damaged.crt", Files.readString(certificate).replaceFirst("\nM", "\n!"));
    forEachFlag(
        Set.of(FileKind.CERTIFICATES),
        (command, flag) -> {
          assertRefused(command, flag, only, "holds no certificate, only EC PRIVATE KEY");
          assertRefused(command, flag, der, "holds no certificate: it is DER, not PEM");
          assertRefused(command, flag, garbage, "holds no certificate: it is not PEM");
          assertRefused(command, flag, damaged, "a CERTIFICATE block that cannot be read");
        });
  }

  @Test
  void tellsWhatIsWrongWithAKey() throws IOException {
    var encrypted =
        file(
            "encrypted.key",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    var damaged =
        file("damaged.key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    var der =
        Files.write(folder.resolve("der.key"), GeneratedKeys.p256().getPrivate().getEncoded());
    forEachFlag(
        Set.of(FileKind.PRIVATE_KEY),
        (command, flag) -> {
          assertRefused(command, flag, certificate, "holds no private key, only CERTIFICATE");
          assertRefused(command, flag, encrypted, "the private key is encrypted");
          assertRefused(command, flag, damaged, "not a private key");
          assertRefused(command, flag, der, "holds no private key: it is DER, not PEM");
        });
  }

  @Test
  void refusesAKeyOfAnotherCertificate() throws IOException {
    var other = file("other.key", Pem.of(GeneratedKeys.p256()));
    forEachFlag(
        Set.of(FileKind.PRIVATE_KEY),
        (command, flag) -> {
          if (!companions(flag.name()).isEmpty()) {
            assertRefused(
                command, flag, other, "is not the key of the certificate in " + certificate);
          }
        });
  }

  @Test
  void refusesConfigurationsThatAreNone() throws IOException {
    var garbage = file("garbage.yaml", "\u0001: [not, a\n configuration");
    forEachFlag(
        Set.of(FileKind.TEXT),
        (command, flag) -> {
          // Any text is a password.
          if (!flag.name().equals("etcd-password-file")) {
            assertRefused(command, flag, garbage, "");
          }
        });
  }

  /** A client whose clock is wrong would not start otherwise; kube-apiserver starts as well. */
  @Test
  void expiredCertificatesAreOnlyTold() throws IOException {
    var then = Instant.now().minus(Duration.ofDays(9));
    var expired =
        Authority.create("expired", then, Duration.ofDays(1))
            .server(
                "expired", CertificateNames.of(List.of("a"), List.of()), then, Duration.ofDays(1));
    var file = file("expired.crt", Pem.of(expired.chain()));
    var keyFile = file("expired.key", Pem.of(expired.key()));
    var flags =
        FlagReading.accepted("--tls-cert-file=" + file, "--tls-private-key-file=" + keyFile);
    assertThat(InputFiles.check(flags, Clock.systemUTC()))
        .singleElement()
        .asString()
        .startsWith("--tls-cert-file: the certificate in " + file + " expired at ");
  }
}
