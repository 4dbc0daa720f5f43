package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.model.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status as people read it. */
public final class StatusText {
  private static final int SHORT_HASH = 12;
  private static final String NONE = "-";
  private static final Duration NOTABLE = Duration.ofMinutes(1);

  private final FleetStatus status;

  public StatusText(FleetStatus status) {
    this.status = status;
  }

  /** Several lines, without a final line end. */
  public String text() {
    var lines = new ArrayList<String>();
    int count = status.servers().size();
    lines.add(
        "%d API server%s, as %s (%s) sees them"
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
    var findings = EndpointFindings.text(status);
    if (!findings.isEmpty()) {
      lines.add("Endpoints           " + findings);
    }
    lines.add("Controller manager  " + leader());
    lines.add("Store               " + store());
    clocks().forEach(line -> lines.add("Clock               " + line));
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

  /** Who says nothing disagrees with nobody: it may hang, or be of a version that does not tell. */
  private static String hash(Server server) {
    if (server.hash().isEmpty()) {
      return "not reported";
    }
    return shortened(server.hash()) + (server.agrees() ? "" : " disagrees");
  }

  private static String shortened(String hash) {
    return hash.substring(0, Math.min(SHORT_HASH, hash.length()));
  }

  private String discovery() {
    if (status.consistent().isEmpty()) {
      return "not coordinated";
    }
    if (status.consistent().get()) {
      return "consistent";
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
    return leader == null
        ? "none"
        : leader.holder()
            + ", since "
            + ago(leader.acquired())
            + ", renewed "
            + ago(leader.renewed())
            + " ago";
  }

  private String store() {
    var health = status.health();
    return (health.store() ? "ok" : "NOT IN CONTACT")
        + (health.failing().isEmpty()
            ? ""
            : ", failing checks: " + String.join(", ", health.failing()));
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

  /** Servers whose clock is far from ours: harmless to the fleet, and worth knowing. */
  private List<String> clocks() {
    var lines = new ArrayList<String>();
    for (var server : status.servers()) {
      var offset = server.clockOffset(status.now());
      if (offset != null && offset.abs().compareTo(NOTABLE) > 0) {
        lines.add(
            server.id()
                + " is "
                + HumanDuration.format(offset.abs())
                + (offset.isNegative() ? " behind" : " ahead"));
      }
    }
    return lines;
  }

  private static String orNone(List<String> texts) {
    return texts.isEmpty() ? NONE : String.join(", ", texts);
  }
}
