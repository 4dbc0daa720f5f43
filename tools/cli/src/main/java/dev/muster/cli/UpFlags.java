package dev.muster.cli;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The flags of {@code muster up}, besides the flags of its servers. */
@FlagGroup("Control plane")
record UpFlags(
    @Flag(name = "servers", help = "How many API servers to run.") int servers,
    @Flag(
            name = "port",
            help =
                "Port of the first server; the others take the ports that follow. 0 takes free"
                    + " ones.")
        int port,
    @Flag(
            name = "data",
            file = FileKind.FOLDER,
            help = "Folder for certificates, credentials and the embedded store.")
        Path data,
    @Flag(
            name = "store",
            help =
                "Where the cluster is kept: embedded (in the data folder), memory (gone at the"
                    + " end), or etcd=URL,… for an etcd that runs already.")
        String store,
    @Flag(
            name = "cluster-id",
            help =
                "ID for the cluster, if it has none yet. Unset: the UID of the namespace"
                    + " kube-system.")
        @Nullable String clusterId,
    @Flag(
            name = "controllers",
            help =
                "Which controllers run: '*' is all of them, 'name' is that one, '-name' is not"
                    + " that one.")
        List<String> controllers) {

  private static final int MOST_SERVERS = 99;
  private static final String ETCD = "etcd=";

  UpFlags {
    if (servers < 1 || servers > MOST_SERVERS) {
      throw new IllegalArgumentException("--servers: must be between 1 and " + MOST_SERVERS);
    }
    if (port < 0 || port + servers - 1 > 65535) {
      throw new IllegalArgumentException(
          "--port: must be between 0 and " + (65536 - servers) + " for " + servers + " servers");
    }
    controllers = List.copyOf(controllers);
    if (data == null) {
      throw new IllegalArgumentException("--data: must not be empty");
    }
    if (store == null
        || !(store.equals("embedded") || store.equals("memory") || store.startsWith(ETCD))) {
      throw new IllegalArgumentException(
          "--store: \"" + store + "\" is not one of embedded, memory, etcd=URL,…");
    }
    if (store.startsWith(ETCD)
        && List.of(store.substring(ETCD.length()).split(",", -1)).contains("")) {
      throw new IllegalArgumentException(
          "--store: \"" + store + "\" lacks a URL, as in etcd=https://127.0.0.1:2379");
    }
  }

  /** The URLs of an existing etcd. */
  List<String> etcdServers() {
    return List.of(store.substring(ETCD.length()).split(","));
  }

  static UpFlags defaults() {
    return new UpFlags(3, 6443, Path.of(".muster"), "embedded", null, List.of("*"));
  }
}
