package dev.muster.cli;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster reencrypt}. */
record ReencryptFlags(Connection connection, Pace pace) {

  /** The server. */
  @FlagGroup("Server")
  record Connection(
      @Flag(
              name = "kubeconfig",
              file = FileKind.KUBECONFIG,
              help =
                  "File with the server's address and the credentials. Unset: what KUBECONFIG"
                      + " names, the home folder's, or the pod's own service account.")
          @Nullable Path kubeconfig) {}

  /** The speed. */
  @FlagGroup("Pace")
  record Pace(
      @Flag(name = "chunk-size", help = "How many objects are read at once.") int chunkSize) {
    Pace {
      if (chunkSize < 1) {
        throw new IllegalArgumentException("--chunk-size: must be at least 1");
      }
    }
  }

  static ReencryptFlags defaults() {
    return new ReencryptFlags(new Connection(null), new Pace(500));
  }
}
