package dev.muster.fleet.peers;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.server.discovery.PeerGroups;
import dev.muster.server.peers.FleetPeer;
import dev.muster.server.peers.PeerDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The resources that each peer serves, and the peers whose documents must be fetched. One thread
 * checks and adds documents; any thread may read.
 */
final class PeerCatalogue implements PeerDirectory {
  private static final Duration FIRST_RETRY = Duration.ofMillis(250);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  /**
   * A living peer.
   *
   * @param edition changes when the peer may serve other resources than before
   */
  record Living(FleetPeer peer, String edition) {}

  /** The last fetch from a peer and its result. */
  private record Entry(
      Living living, @Nullable PeerDocument document, boolean asked, int failures, Duration next) {}

  /** The published state of one moment. */
  private record Moment(
      Map<FleetPeer, PeerDocument> documents, Set<String> responding, PeerGroups groups) {
    static final Moment NONE = new Moment(Map.of(), Set.of(), PeerGroups.NONE);
  }

  private final Supplier<String> authorities;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private Set<GroupVersion> excluded = Set.of();
  private Set<String> responding = Set.of();
  private volatile Moment moment = Moment.NONE;

  PeerCatalogue(Supplier<String> authorities) {
    this.authorities = authorities;
  }

  /** Peers without a recent sign of life are returned only if there are no others. */
  @Override
  public List<FleetPeer> serving(GroupVersionResource resource) {
    var now = moment;
    var found = new ArrayList<FleetPeer>();
    now.documents()
        .forEach(
            (peer, document) -> {
              if (document.resources().contains(resource)) {
                found.add(peer);
              }
            });
    var responding = found.stream().filter(peer -> now.responding().contains(peer.id())).toList();
    return responding.isEmpty() ? found : responding;
  }

  @Override
  public String authorities() {
    return authorities.get();
  }

  /** The resources of peers, for the discovery documents of this server. */
  PeerGroups groups() {
    return moment.groups();
  }

  /**
   * Updates the living peers. Returns those whose documents must be fetched now; each fetch ends
   * with {@link #received} or {@link #failed}.
   *
   * @param living in a fixed order
   * @param responds the IDs of peers with a recent sign of life
   * @param defined versions that are never requested from peers
   */
  List<Living> check(
      List<Living> living, Set<String> responds, Set<GroupVersion> defined, Duration now) {
    var wanted = new ArrayList<Living>();
    var before = new HashMap<>(entries);
    entries.clear();
    for (var server : living) {
      var id = server.peer().id();
      var known = before.get(id);
      if (known == null || !known.living().equals(server)) {
        var document = known == null ? null : known.document();
        known = new Entry(server, document, false, 0, Duration.ZERO);
      }
      if (!known.asked() && known.next().compareTo(now) <= 0 && !server.peer().host().isEmpty()) {
        wanted.add(server);
        known = new Entry(server, known.document(), true, known.failures(), known.next());
      }
      entries.put(id, known);
    }
    excluded = defined;
    responding = Set.copyOf(responds);
    publish();
    return wanted;
  }

  /** Stores the document of a peer. A document of an earlier edition is ignored. */
  void received(Living server, PeerDocument document) {
    var known = entries.get(server.peer().id());
    if (known != null && known.living().equals(server)) {
      entries.put(server.peer().id(), new Entry(server, document, true, 0, Duration.ZERO));
      publish();
    }
  }

  /**
   * Records a failed fetch, which is retried with growing pauses. The previous document stays
   * valid.
   */
  void failed(Living server, Duration now) {
    var known = entries.get(server.peer().id());
    if (known != null && known.living().equals(server)) {
      int failures = known.failures() + 1;
      var pause = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
      var next = now.plus(pause.compareTo(LAST_RETRY) < 0 ? pause : LAST_RETRY);
      entries.put(server.peer().id(), new Entry(server, known.document(), false, failures, next));
    }
  }

  private void publish() {
    var documents = new LinkedHashMap<FleetPeer, PeerDocument>();
    for (var entry : entries.values()) {
      var document = entry.document();
      if (document != null) {
        documents.put(entry.living().peer(), document.without(excluded));
      }
    }
    var before = moment;
    var groups = before.groups();
    if (!documents.equals(before.documents())) {
      groups =
          new PeerGroups(documents.values().stream().map(PeerDocument::groups).distinct().toList());
    }
    moment = new Moment(Map.copyOf(documents), responding, groups);
  }
}
