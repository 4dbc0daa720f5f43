package dev.muster.server.options;

import dev.muster.model.Spelled;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import dev.muster.server.options.tls.CipherSuites;
import dev.muster.server.options.tls.CurvePreferences;
import dev.muster.server.options.tls.SniCertKey;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The serving certificate and the TLS versions. */
@FlagGroup("TLS")
public record ServingOptions(
    @Flag(
            name = "tls-cert-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM file with the serving certificate, followed by intermediate ones if there are"
                    + " any. Unset: a self-signed certificate is made and kept in --cert-dir.")
        @Nullable Path certificateFile,
    @Flag(
            name = "tls-private-key-file",
            file = FileKind.PRIVATE_KEY,
            keyOf = "tls-cert-file",
            help = "PEM file with the key of --tls-cert-file.")
        @Nullable Path privateKeyFile,
    @Flag(
            name = "cert-dir",
            file = FileKind.FOLDER,
            help = "Folder for the certificate that the server makes when it is given none.")
        Path certificateFolder,
    @Flag(
            name = "tls-min-version",
            forms = Flag.Form.EMPTY_IS_DEFAULT,
            help = "Oldest TLS version: VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13.")
        Version minimumVersion,
    @Flag(
            name = "tls-cipher-suites",
            help =
                "TLS 1.2 cipher suites by their IANA names, separated by commas. Unset: the secure"
                    + " ones of the TLS library.")
        List<String> cipherSuites,
    @Flag(
            name = "tls-curve-preferences",
            help =
                "Key exchanges by their numbers, separated by commas: 23 (P-256), 24 (P-384), 25"
                    + " (P-521), 29 (X25519), 4588 (X25519MLKEM768). Their order says nothing."
                    + " Unset: all of them.")
        List<Integer> curvePreferences,
    @Flag(
            name = "tls-sni-cert-key",
            file = FileKind.CERTIFICATE_AND_KEY,
            forms = Flag.Form.ELEMENT_PER_USE,
            help =
                "Files of a certificate and its key for clients that ask for certain names, such"
                    + " as foo.crt,foo.key:*.foo.com,foo.com; without names, for those in the"
                    + " certificate. Names given here win over those in certificates, and whole"
                    + " names over wildcards. An IP address as a name is for clients that send no"
                    + " name and connect to it. May be given several times.")
        List<SniCertKey> sniCertKeys)
    implements OptionGroup {

  /** A TLS version under its name in Go. */
  public enum Version implements Spelled {
    TLS_1_0("VersionTLS10", "TLSv1"),
    TLS_1_1("VersionTLS11", "TLSv1.1"),
    TLS_1_2("VersionTLS12", "TLSv1.2"),
    TLS_1_3("VersionTLS13", "TLSv1.3");

    private final String spelling;
    private final String protocol;

    Version(String spelling, String protocol) {
      this.spelling = spelling;
      this.protocol = protocol;
    }

    @Override
    public String spelling() {
      return spelling;
    }

    /** This version and all later ones, as Java and OpenSSL name them, the newest first. */
    public List<String> protocolsFromHere() {
      return Arrays.stream(values())
          .filter(version -> version.compareTo(this) >= 0)
          .sorted(Comparator.reverseOrder())
          .map(Version::protocol)
          .toList();
    }

    /** The name that Java and OpenSSL use. */
    public String protocol() {
      return protocol;
    }
  }

  public ServingOptions {
    FlagChecks.together("tls-cert-file", certificateFile, "tls-private-key-file", privateKeyFile);
    cipherSuites = CipherSuites.known(cipherSuites);
    curvePreferences = CurvePreferences.known(curvePreferences);
    sniCertKeys = List.copyOf(sniCertKeys);
  }

  /** One certificate for all clients, and any key exchange. */
  public ServingOptions(
      @Nullable Path certificateFile,
      @Nullable Path privateKeyFile,
      Path certificateFolder,
      Version minimumVersion,
      List<String> cipherSuites) {
    this(
        certificateFile,
        privateKeyFile,
        certificateFolder,
        minimumVersion,
        cipherSuites,
        List.of(),
        List.of());
  }

  /** The allowed key exchanges as TLS names them, the best first; empty for all. */
  public List<String> groups() {
    return CurvePreferences.groups(curvePreferences);
  }

  public static ServingOptions defaults() {
    return new ServingOptions(
        null, null, Path.of("/var/run/kubernetes"), Version.TLS_1_2, List.of());
  }
}
