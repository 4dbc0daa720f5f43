package dev.muster.cli;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Connections;
import dev.muster.cli.command.Logs;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.LoggingOptions;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;

/**
 * {@code muster reencrypt}: rewrites objects, so that they are stored with the servers' current
 * encryption and version.
 */
final class ReencryptCommand implements Command {
  @Override
  public String name() {
    return "reencrypt";
  }

  @Override
  public String summary() {
    return "Write objects again, so that the store holds them as servers write now.";
  }

  @Override
  public String description() {
    return "Changes each object of the resources by nothing, which makes a server write those again"
        + " that are not encrypted with the first key of their first provider, or that are kept in"
        + " an older version. Names are those of an EncryptionConfiguration, such as secrets or"
        + " widgets.example.com; secrets when none is given. What was written already is left"
        + " alone: a run that was broken off is finished by another one. Works with any Kubernetes"
        + " API server.";
  }

  @Override
  public String operands() {
    return "[RESOURCE]...";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(ReencryptFlags.defaults()).definitions();
  }

  @Override
  public int run(Call call) throws InterruptedException {
    var flags = RecordFlags.of(ReencryptFlags.defaults()).read(call.flags());
    Logs.configureQuiet(LoggingOptions.defaults());
    var names = call.rest().isEmpty() ? List.of("secrets") : call.rest();
    try (var client = Connections.of(flags.connection().kubeconfig())) {
      boolean whole = true;
      for (var name : names) {
        var rewriting = new ObjectRewriting(client, name, flags.pace().chunkSize(), call.out());
        whole &= rewriting.run();
      }
      return whole ? 0 : 1;
    } catch (KubernetesClientException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given"), e);
    }
  }
}
