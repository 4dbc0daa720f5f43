package dev.muster.server.options;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How requests are forwarded to aggregated API servers. */
@FlagGroup("API servers behind this one")
public record AggregatorOptions(
    @Flag(
            name = "proxy-client-cert-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM file with the certificate by which API servers behind this one know it; read"
                    + " again when it changes. Unset: they are shown none, and believe nothing"
                    + " about the user.")
        @Nullable Path clientCertificateFile,
    @Flag(
            name = "proxy-client-key-file",
            file = FileKind.PRIVATE_KEY,
            keyOf = "proxy-client-cert-file",
            help = "PEM file with the key of that certificate.")
        @Nullable Path clientKeyFile,
    @Flag(
            name = "enable-aggregator-routing",
            help =
                "Reach headless services, too, and no external names. Requests go to endpoints"
                    + " either way, never to the address of a service.")
        boolean endpointsOnly,
    @Flag(
            name = "aggregator-reject-forwarding-redirect",
            help = "Answer 502 in place of a redirect by an API server behind this one.")
        boolean rejectsRedirects) {

  public AggregatorOptions {
    FlagChecks.together(
        "proxy-client-cert-file", clientCertificateFile, "proxy-client-key-file", clientKeyFile);
  }

  public static AggregatorOptions defaults() {
    return new AggregatorOptions(null, null, false, true);
  }

  /** These options with a client certificate. */
  public AggregatorOptions showing(Path certificate, Path key) {
    return new AggregatorOptions(certificate, key, endpointsOnly, rejectsRedirects);
  }
}
