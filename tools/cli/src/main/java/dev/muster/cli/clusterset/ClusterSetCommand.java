package dev.muster.cli.clusterset;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.cli.command.TextTable;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.controllers.client.RequestFailure;
import dev.muster.model.HumanDuration;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.MemberWatch;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.membership.RefusedByHub;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.LoggingOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code muster clusterset}: manages ClusterSets in a hub and the membership of clusters. */
public final class ClusterSetCommand implements Command {
  @Override
  public String name() {
    return "clusterset";
  }

  @Override
  public String summary() {
    return "Create ClusterSets in a hub, and let clusters join, leave and move.";
  }

  @Override
  public String description() {
    return "ACTION is one of: create SET, join SET, leave, move SET, list, status [SET]. The hub is"
        + " any API server; --hub-kubeconfig leads to it, and --kubeconfig to the cluster that"
        + " joins, leaves or moves. A command that was broken off is finished by the same command"
        + " again.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(ClusterSetFlags.defaults()).definitions();
  }

  @Override
  public String operands() {
    return "ACTION [SET]";
  }

  @Override
  public List<String> words() {
    return List.of("create", "join", "leave", "move", "list", "status");
  }

  @Override
  public int run(Call call) {
    var flags = RecordFlags.of(ClusterSetFlags.defaults()).read(call.flags());
    Logs.configureQuiet(LoggingOptions.defaults());
    var words = call.rest();
    var action = words.isEmpty() ? "" : words.getFirst();
    int wanted =
        switch (action) {
          case "create", "join", "move" -> 2;
          case "leave", "list" -> 1;
          case "status" -> Math.clamp(words.size(), 1, 2);
          default ->
              throw new FlagException(
                  "ACTION must be one of create, join, leave, move, list, status");
        };
    if (words.size() != wanted) {
      throw new FlagException(
          wanted == 2 ? action + " needs the name of one ClusterSet" : action + " takes no name");
    }
    try (var hub = connect("--hub-kubeconfig", flags.hubKubeconfig(), flags.timeout())) {
      var lines =
          switch (action) {
            case "create" -> atHub(hub, () -> create(hub, words.get(1), flags));
            case "list" -> atHub(hub, () -> list(hub));
            case "status" -> atHub(hub, () -> status(hub, words.subList(1, words.size())));
            default -> List.of(change(hub, action, words, flags));
          };
      lines.forEach(call.out()::println);
      return 0;
    } catch (RefusedByHub e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (KubernetesClientException e) {
      throw new CommandFailure(RequestFailure.describe(e), e);
    }
  }

  private static List<String> atHub(KubernetesClient hub, Supplier<List<String>> work) {
    return RequestFailure.naming("the hub", hub, work);
  }

  private static List<String> create(KubernetesClient hub, String name, ClusterSetFlags flags) {
    var created = new ClusterSets(hub).create(name, flags.description(), flags.ranges());
    var lines = new ArrayList<String>();
    lines.add("ClusterSet " + name + (created.made() ? " created" : " is there already"));
    created.lacking().ifPresent(lacking -> lines.add("Warning: " + lacking));
    return lines;
  }

  private static String change(
      KubernetesClient hub, String action, List<String> words, ClusterSetFlags flags) {
    try (var member = connect("--kubeconfig", flags.kubeconfig(), flags.timeout())) {
      var operator =
          new MembershipOperator(
              member,
              hub,
              new ClusterIdRules(flags.allowLongClusterId()),
              notice -> System.err.println("muster: " + notice));
      return inCluster(hub, member, () -> change(operator, action, words));
    }
  }

  private static String change(MembershipOperator operator, String action, List<String> words) {
    return switch (action) {
      case "join" -> "cluster " + operator.join(words.get(1)) + " is a member of " + words.get(1);
      case "move" ->
          "cluster " + operator.move(words.get(1)) + " is a member of " + words.get(1) + " now";
      default ->
          operator
              .leave()
              .map(set -> "the cluster has left " + set)
              .orElse("the cluster is in no ClusterSet");
    };
  }

  /** Adds the cluster's name to failures that do not name the hub. */
  private static String inCluster(
      KubernetesClient hub, KubernetesClient member, Supplier<String> work) {
    try {
      return work.get();
    } catch (KubernetesClientException e) {
      if (String.valueOf(e.getMessage()).startsWith("the hub " + hub.getMasterUrl())) {
        throw e;
      }
      return RequestFailure.naming(
          "the cluster",
          member,
          () -> {
            throw e;
          });
    }
  }

  private static List<String> list(KubernetesClient hub) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("CLUSTERSET", "MEMBERS", "VANISHED"));
    var sets = new ClusterSets(hub);
    watch(sets, sets.names())
        .forEach(
            (name, members) ->
                rows.add(
                    List.of(
                        name,
                        ""
                            + members.stream()
                                .filter(member -> member.phase() == Phase.JOINED)
                                .count(),
                        "" + members.stream().filter(ClusterSets.MemberView::vanished).count())));
    return TextTable.of(rows);
  }

  private static List<String> status(KubernetesClient hub, List<String> chosen) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("CLUSTERSET", "CLUSTER", "STATE", "LAST SEEN", "UID"));
    var sets = new ClusterSets(hub);
    var names = chosen.isEmpty() ? sets.names() : chosen;
    for (var name : names) {
      if (!sets.exists(name)) {
        throw new CommandFailure("the hub has no ClusterSet " + name);
      }
    }
    var views = watch(sets, names);
    var now = Instant.now();
    views.forEach(
        (name, members) ->
            members.forEach(
                member ->
                    rows.add(
                        List.of(
                            name,
                            member.id(),
                            member.vanished() ? "Vanished" : member.phase().text(),
                            member
                                .lastSeen()
                                .map(seen -> HumanDuration.format(since(seen, now)) + " ago")
                                .orElse("-"),
                            member.clusterUid()))));
    return TextTable.of(rows);
  }

  private static SortedMap<String, List<ClusterSets.MemberView>> watch(
      ClusterSets sets, List<String> names) {
    try {
      return new MemberWatch(sets::members, InstantSource.system(), Thread::sleep).check(names);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted while watching the members", e);
    }
  }

  /** A renewal during this command, or by a clock that is ahead, counts as just now. */
  private static Duration since(Instant seen, Instant now) {
    return seen.isAfter(now) ? Duration.ZERO : Duration.between(seen, now);
  }

  static KubernetesClient connect(String flag, @Nullable Path file, Duration timeout) {
    if (file == null) {
      throw new FlagException(flag + ": must be given");
    }
    try {
      var kubeconfig = Kubeconfig.read(file);
      kubeconfig.check(kubeconfig.currentContext());
      return Clients.of(file, kubeconfig.currentContext(), timeout);
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw new CommandFailure(flag + ": " + e.getMessage(), e);
    }
  }
}
