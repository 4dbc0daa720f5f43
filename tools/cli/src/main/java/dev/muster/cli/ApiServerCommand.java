package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.StopSignal;
import dev.muster.cli.command.Version;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.store.StoreException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code muster apiserver}: one API server on etcd, with kube-apiserver's flags. */
final class ApiServerCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(ApiServerCommand.class);

  @Override
  public String name() {
    return "apiserver";
  }

  @Override
  public String summary() {
    return "Run one API server on etcd, with kube-apiserver's flags.";
  }

  @Override
  public String description() {
    return "Takes the place of kube-apiserver, or works beside it on the same etcd.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return ApiServerFlags.definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var flags = ApiServerFlags.read(call.flags(), ApiServerOptions.defaults());
    if (flags.etcd().servers().isEmpty()) {
      throw new FlagException("--etcd-servers: must be given");
    }
    for (var needed : List.of("service-account-issuer", "service-account-signing-key-file")) {
      if (!call.flags().containsKey(needed)) {
        throw new FlagException("--" + needed + ": must be given");
      }
    }
    var certificates = InputFiles.check(flags, Clock.systemUTC());
    Logs.configure(flags.server().log());
    flags.remarks().forEach(log::info);
    certificates.forEach(log::warn);
    StopSignal.listen();
    while (serve(flags)) {
      // The next run shares only the flags with the one before.
    }
    return 0;
  }

  /** Serves until the process is told to stop; returns whether to start again instead. */
  private static boolean serve(ApiServerFlags flags) throws InterruptedException {
    try (var store =
            flags
                .etcd()
                .open(
                    flags.server().storage().compactionInterval(),
                    EtcdEgress.of(flags.server().nodes().egressFile()));
        var server =
            Servers.start(
                flags.server(), flags.fleet(), flags.identity(), store, Clock.systemUTC());
        var _ = HeapSizing.start()) {
      log.info("{} listens on {}", Version.text(), Servers.text(server.addresses()));
      Servers.awaitReady(List.of(server), flags.server().storage().initializationTimeout());
      if (Servers.awaitReplacement(List.of(server))) {
        return true;
      }
      log.info("stopping");
      return false;
    } catch (StoreException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
  }
}
