package dev.muster.cli.status;

import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.model.Spelled;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster status}. */
record StatusFlags(Connection connection, Output output) {

  /** The output format. */
  enum Format implements Spelled {
    TABLE,
    JSON;

    @Override
    public String spelling() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The servers to ask. */
  @FlagGroup("Server")
  record Connection(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the servers' addresses and the credentials. Unset: the files that"
                      + " KUBECONFIG names, or .muster/admin.kubeconfig.")
          @Nullable Path kubeconfig,
      @Flag(
              name = "context",
              help =
                  "The kubeconfig's context. Unset: the current one and, if its server does not"
                      + " answer, the others in turn.")
          @Nullable String context,
      @Flag(name = "request-timeout", help = "How long a server may take to answer.")
          Duration timeout,
      @Flag(
              name = "watch-timeout",
              help =
                  "How long to watch servers whose Lease looks old, when the server that is asked"
                      + " does not say how long it has seen them silent. A living server renews"
                      + " its Lease meanwhile, whatever its clock says. 0s goes by the clocks.")
          Duration watchTimeout,
      @Flag(
              name = "identity-lease-namespace",
              help = "Namespace of the identity Leases: what the API servers' flag says.")
          String identityNamespace) {
    Connection {
      if (watchTimeout.isNegative()) {
        throw new IllegalArgumentException("--watch-timeout: must not be negative");
      }
    }
  }

  /** The output. */
  @FlagGroup("Output")
  record Output(@Flag(name = "output", help = "table or json; short form -o.") Format format) {}

  static StatusFlags defaults() {
    return new StatusFlags(
        new Connection(
            null,
            null,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            IdentityOptions.defaults().namespace()),
        new Output(Format.TABLE));
  }
}
