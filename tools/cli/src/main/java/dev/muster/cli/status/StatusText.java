package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Agreement;
import dev.muster.cli.status.FleetStatus.FailingCheck;
import dev.muster.cli.status.FleetStatus.Leadership;
import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.model.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats the status as text for users. */
public final class StatusText {
  private static final int SHORT_HASH = 12;
  private static final String NONE = "-";

  private final FleetStatus status;

  public StatusText(FleetStatus status) {
    this.status = status;
  }

  /** Several lines, without a final line end. */
  public String text() {
    var lines = new ArrayList<String>();
    int count = status.servers().size();
    lines.add(
        count == 0
            ? "The API server %s (%s) answers; no API server has an identity Lease"
                .formatted(status.askedUrl(), status.version())
            : "%d API server%s, as %s (%s) sees them"
                .formatted(count, count == 1 ? "" : "s", status.askedUrl(), status.version()));
    if (count > 0) {
      lines.add("");
      lines.addAll(table());
    }
    lines.add("");
    if (!status.cluster().id().isEmpty()) {
      lines.add("Cluster             " + cluster());
    }
    lines.add("Discovery           " + discovery());
    lines.add("Service             kubernetes " + orNone(status.serviceAddresses()));
    status
        .endpoints()
        .forEach(
            (family, addresses) ->
                lines.add("Endpoints %-10s%s".formatted(family, orNone(addresses))));
    lines.add("Controller manager  " + leader());
    lines.add("Store               " + store());
    var problems = status.problems();
    if (!problems.isEmpty()) {
      lines.add("");
      lines.add("Wrong");
      for (int i = 0; i < problems.size(); i++) {
        lines.add("%3d. %s".formatted(i + 1, problems.get(i).problem()));
      }
      lines.add("");
      lines.add("To do");
      for (int i = 0; i < problems.size(); i++) {
        lines.add("%3d. %s".formatted(i + 1, problems.get(i).action()));
      }
    }
    return String.join("\n", lines);
  }

  private String cluster() {
    var set = status.cluster().clusterSet();
    return status.cluster().id() + (set.isEmpty() ? ", in no ClusterSet" : ", member of " + set);
  }

  private List<String> table() {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("ID", "STATE", "AGE", "HEARTBEAT", "ADDRESSES", "HASH"));
    for (var server : status.servers()) {
      rows.add(
          List.of(
              server.id(),
              server.state().text(),
              ago(server.started()),
              heartbeat(server),
              orNone(server.addresses()),
              hash(server)));
    }
    int columns = rows.getFirst().size();
    var widths = new int[columns];
    for (var row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 3);
    }
    return line.toString().stripTrailing();
  }

  /**
   * A server without a hash disagrees with none: it may hang, or be a version that reports no hash.
   */
  private static String hash(Server server) {
    if (server.hash().isEmpty()) {
      return "not reported";
    }
    return shortened(server.hash()) + (server.agrees() == Agreement.OF_FEWER ? " disagrees" : "");
  }

  static String shortened(String hash) {
    return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
  }

  private String discovery() {
    if (status.consistent().isEmpty()) {
      return "not coordinated";
    }
    if (status.consistent().get()) {
      return "consistent";
    }
    if (status.byHash().isEmpty() && status.silent().isEmpty()) {
      return "not known: no server reports what it serves";
    }
    var parts = new ArrayList<String>();
    status
        .byHash()
        .forEach((hash, ids) -> parts.add(shortened(hash) + " by " + String.join(", ", ids)));
    if (!status.silent().isEmpty()) {
      parts.add("no hash by " + String.join(", ", status.silent()));
    }
    return "INCONSISTENT" + (parts.isEmpty() ? "" : ": " + String.join("; ", parts));
  }

  private String leader() {
    var leader = status.leader();
    if (leader == null) {
      return "none";
    }
    var silence = leader.silence();
    var text = new StringBuilder(leader.holder());
    var offset = leader.clockOffset() == null ? Duration.ZERO : leader.clockOffset();
    if (leader.acquired() != null && leader.state() == Leadership.LIVE) {
      text.append(", since ").append(ago(leader.acquired().minus(offset)));
    }
    switch (leader.state()) {
      case LIVE ->
          text.append(", renewed ")
              .append(silence == null ? ago(leader.renewed()) : HumanDuration.format(silence))
              .append(" ago");
      case DOUBTFUL ->
          text.append(", not seen to renew; its Lease says ").append(said(leader.renewed()));
      case SILENT -> text.append(", SILENT; its Lease says ").append(said(leader.renewed()));
    }
    return text.toString();
  }

  /** A time of another clock, with its distance from now. */
  private String said(@Nullable Instant time) {
    if (time == null) {
      return "no time";
    }
    var ahead = Duration.between(status.now(), time);
    return ahead.isNegative()
        ? HumanDuration.format(ahead.negated()) + " ago"
        : "in " + HumanDuration.format(ahead);
  }

  /** A duration as readable text. */
  static String length(Duration time) {
    return HumanDuration.format(time);
  }

  private String store() {
    var health = status.health();
    var text =
        switch (health.store()) {
          case OK -> "ok";
          case READ_ONLY -> "reached, TAKES NO WRITES";
          case UNREACHED -> "NOT IN CONTACT";
          case UNKNOWN -> "not known";
        };
    var failing = health.failing().stream().map(FailingCheck::name).toList();
    return text + (failing.isEmpty() ? "" : ", failing checks: " + String.join(", ", failing));
  }

  private String ago(@Nullable Instant time) {
    if (time == null) {
      return NONE;
    }
    return HumanDuration.since(time.isAfter(status.now()) ? status.now() : time, status.now());
  }

  private String heartbeat(Server server) {
    var silence = server.silence();
    return silence == null ? ago(server.heartbeat()) : HumanDuration.format(silence);
  }

  private static String orNone(List<String> texts) {
    return texts.isEmpty() ? NONE : String.join(", ", texts);
  }
}
