package dev.muster.server.definitions;

import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.snapshot.WatchEvent;
import dev.muster.validation.apis.GroupNames;
import dev.muster.validation.apis.GroupNames.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that each CustomResourceDefinition claims, without the definitions themselves. One
 * thread uses it. It follows the events of the collection, so the cost of a change does not depend
 * on the number of definitions.
 */
final class DefinitionClaims {
  private final Replica replica;
  private final Map<String, Claim> claims = new HashMap<>();
  private final Map<String, Map<String, Claim>> groups = new HashMap<>();
  private @Nullable WatchCursor cursor;

  DefinitionClaims(Replica replica) {
    this.replica = replica;
  }

  /**
   * Processes all events up to now.
   *
   * @return definitions that were created or changed, and those that may now get a name that they
   *     were refused before
   * @throws dev.muster.replica.snapshot.ReplicaException.Expired when too many events have occurred
   *     since the last call
   */
  Set<String> follow() {
    var snapshot = replica.current();
    var definitions = snapshot.collection(DefinitionController.DEFINITIONS);
    var news = new News();
    var known = cursor;
    if (known != null) {
      known.poll(Integer.MAX_VALUE, news::take);
      if (news.upTo > snapshot.revision() || claims.size() == definitions.size()) {
        return news.due();
      }
      // A definition that cannot be decoded any more disappears without an event.
      clear();
    }
    cursor = replica.watch(DefinitionController.DEFINITIONS, snapshot.revision());
    definitions.all().forEach(news::take);
    return news.due();
  }

  /** The changes of one call. */
  private final class News {
    private final Set<String> changed = new HashSet<>();

    /** The groups in which names were accepted or released. */
    private final Set<String> moved = new HashSet<>();

    private long upTo;

    void take(WatchEvent event) {
      upTo = event.revision();
      var object = event.object();
      if (object == null) {
        remove(Objects.requireNonNull(event.previous()).name().name());
      } else {
        take(object);
      }
    }

    void take(StoredObject definition) {
      var name = definition.name().name();
      var claim = Claim.of(definition);
      var known = forget(name);
      claims.put(name, claim);
      groups.computeIfAbsent(claim.group(), group -> new HashMap<>()).put(name, claim);
      changed.add(name);
      if (known == null || !known.accepted().equals(claim.accepted())) {
        moved.add(claim.group());
      }
    }

    private void remove(String name) {
      changed.remove(name);
      var known = forget(name);
      if (known != null) {
        moved.add(known.group());
      }
    }

    Set<String> due() {
      for (var group : moved) {
        for (var claim : groups.getOrDefault(group, Map.of()).values()) {
          if (claim.isPending()) {
            changed.add(claim.definition());
          }
        }
      }
      return changed;
    }
  }

  private @Nullable Claim forget(String name) {
    var known = claims.remove(name);
    if (known != null) {
      groups.computeIfPresent(
          known.group(),
          (group, members) -> {
            members.remove(name);
            return members.isEmpty() ? null : members;
          });
    }
    return known;
  }

  /** Whether no definition was processed yet. */
  boolean isEmpty() {
    return cursor == null;
  }

  /** The claim of the definition, if it was processed at that very revision; otherwise null. */
  @Nullable Claim at(StoredObject definition) {
    var claim = claims.get(definition.name().name());
    return claim != null && claim.revision() == definition.revision() ? claim : null;
  }

  /** The names that the definitions of a group get. */
  GroupNames namesOf(String group) {
    List<Claim> members = new ArrayList<>(groups.getOrDefault(group, Map.of()).values());
    return GroupNames.of(members);
  }

  /** Starts over with the current definitions. */
  void clear() {
    claims.clear();
    groups.clear();
    cursor = null;
  }
}
