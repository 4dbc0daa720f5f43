package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandName;
import dev.muster.cli.command.PassedFlags;
import dev.muster.cli.command.StopSignal;
import dev.muster.cli.controllers.ControllersInProcess;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.ApiServerOptions;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** {@code muster up}: several API servers and the controller manager in one process. */
final class UpCommand implements Command {
  private static final String SERVERS = "the API servers";
  private static final String CONTROLLERS = "the controller manager";

  private static final PassedFlags PASSED =
      new PassedFlags(
          List.of(
              new PassedFlags.Component(
                  SERVERS, "muster help apiserver", ApiServerFlags.definitions()),
              new PassedFlags.Component(
                  CONTROLLERS,
                  "muster help controller-manager",
                  ControllersInProcess.definitions())));

  /** Server flags that this command sets itself. */
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
        + " privileged pods are allowed. After -- stand flags of the API servers (muster help"
        + " apiserver) and of the controller manager (muster help controller-manager): each goes"
        + " to what knows it, to both if both do. Ctrl-C stops it; the next start finds all data"
        + " again.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(UpFlags.defaults()).definitions();
  }

  @Override
  public String rest() {
    return "FLAGS OF SERVERS AND CONTROLLERS";
  }

  @Override
  public Optional<PassedFlags> passed() {
    return Optional.of(PASSED);
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var up = RecordFlags.of(UpFlags.defaults()).read(call.flags());
    var passed = PASSED.split(call.rest());
    var servers = passed.getOrDefault(SERVERS, Map.of());
    OWN.forEach(
        (flag, instead) -> {
          if (servers.containsKey(flag)) {
            throw new FlagException("--" + flag + ": set by " + instead + " of muster up");
          }
        });
    // Reports invalid flags before it creates anything.
    PASSED.naming(given -> ApiServerFlags.read(given, ApiServerOptions.defaults()), servers);
    var controllers =
        PASSED.naming(
            given -> ControllersInProcess.read(given, up.controllers(), up.clusterId()),
            passed.getOrDefault(CONTROLLERS, Map.of()));
    StopSignal.listen();
    try (var plane = LocalControlPlane.start(up, servers, controllers);
        var _ = HeapSizing.start()) {
      if (!StopSignal.requested()) {
        welcome(call.out(), plane);
      }
      while (plane.awaitReplacement()) {
        call.out().println("muster: the store's history was replaced, starting anew");
        plane.startAnew();
      }
      call.out().println("\nmuster: stopping");
    }
    call.out().println("muster: stopped");
    return 0;
  }

  private static void welcome(PrintStream out, LocalControlPlane plane) {
    int servers = plane.urls().size();
    var trouble = plane.degradedReason();
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
              %s status%s

            Ctrl-C stops it.\
            """
                .formatted(
                    servers,
                    servers == 1 ? "" : "s",
                    plane.storeText(),
                    plane.urls().stream().map(url -> "  " + url).collect(Collectors.joining("\n")),
                    plane.kubeconfig(),
                    servers == 1 ? "" : "--context muster-2 ",
                    CommandName.text(),
                    plane.isUsual() ? "" : " --kubeconfig " + plane.kubeconfig()));
    out.flush();
  }
}
