package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.cli.command.StopSignal;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code muster up}: several API servers and the controller manager in one process. */
final class UpCommand implements Command {
  /** Flags of the servers that this command sets by its own. */
  private static final Map<String, String> OWN =
      Map.of(
          "secure-port", "--port",
          "cert-dir", "--data",
          "etcd-servers", "--store=etcd=URL,…");

  @Override
  public String name() {
    return "up";
  }

  @Override
  public String summary() {
    return "Run a whole control plane here: API servers and the controller manager.";
  }

  @Override
  public String description() {
    return "Makes its own certificates and an admin.kubeconfig in the data folder, and listens on"
        + " all interfaces, so that the endpoints of the cluster can be reached; -- "
        + "--bind-address=127.0.0.1 keeps it to this machine. RBAC decides who may do what, and"
        + " privileged pods are allowed. What follows -- goes to every API"
        + " server as its flags (muster apiserver --help lists them). Ctrl-C stops it; the next"
        + " start finds all data again.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(UpFlags.defaults()).definitions();
  }

  @Override
  public String rest() {
    return "API SERVER FLAGS";
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var up = RecordFlags.of(UpFlags.defaults()).read(call.flags());
    var given = CommandTree.read(new ApiServerCommand(), call.rest());
    OWN.forEach(
        (flag, instead) -> {
          if (given.containsKey(flag)) {
            throw new FlagException("--" + flag + ": set by " + instead + " of muster up");
          }
        });
    StopSignal.listen();
    try (var plane = LocalControlPlane.start(up, given);
        var _ = HeapSizing.start()) {
      if (!StopSignal.requested()) {
        welcome(call.out(), plane);
      }
      StopSignal.await();
      call.out().println("\nmuster: stopping");
    }
    call.out().println("muster: stopped");
    return 0;
  }

  private static void welcome(PrintStream out, LocalControlPlane plane) {
    int servers = plane.urls().size();
    var trouble = plane.trouble();
    out.println(
        (trouble.isEmpty() ? "Muster is up" : "Muster runs, but is not ready: " + trouble)
            + """
            : %d API server%s and the controller manager, %s

            %s

              export KUBECONFIG=%s

            Try:
              kubectl get namespaces
              kubectl create configmap hello --from-literal=who=world
              kubectl %sget configmap hello -o yaml
              kubectl get --raw '/readyz?verbose'
              ./muster status

            Ctrl-C stops it.\
            """
                .formatted(
                    servers,
                    servers == 1 ? "" : "s",
                    plane.storeText(),
                    plane.urls().stream().map(url -> "  " + url).collect(Collectors.joining("\n")),
                    plane.kubeconfig(),
                    servers == 1 ? "" : "--context muster-2 "));
    out.flush();
  }
}
