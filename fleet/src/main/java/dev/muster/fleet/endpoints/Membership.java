package dev.muster.fleet.endpoints;

import dev.muster.store.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Who belongs to the fleet: the union of all ways in which servers make themselves known, so that
 * servers with different reconcilers publish the same.
 *
 * @param members those with a living record
 * @param stale records that the store should have dropped and has not
 * @param expired entries of the ConfigMap whose server has not renewed them
 * @param malformed what could not be read, with what is wrong with it
 */
record Membership(
    List<Member> members, List<Entry> stale, List<String> expired, Map<String, String> malformed) {

  Membership {
    members = List.copyOf(members);
    stale = List.copyOf(stale);
    expired = List.copyOf(expired);
    malformed = Map.copyOf(malformed);
  }

  /**
   * @param unchanged for how long a key has been seen not to change
   * @param expiration of entries in the ConfigMap
   */
  static Membership of(View view, Function<String, Duration> unchanged, Duration expiration) {
    var members = new ArrayList<Member>();
    var stale = new ArrayList<Entry>();
    var expired = new ArrayList<String>();
    var malformed = new LinkedHashMap<String, String>();
    for (var entry : view.entries()) {
      try {
        if (unchanged.apply(entry.key()).compareTo(LeaseRecords.staleAfter(entry)) > 0) {
          stale.add(entry);
          continue;
        }
        var member = LeaseRecords.member(entry);
        if (member != null) {
          members.add(member);
        }
      } catch (RuntimeException e) {
        malformed.put(entry.key(), String.valueOf(e.getMessage()));
      }
    }
    var configMap = view.configMap();
    if (configMap != null) {
      configMap
          .object("data")
          .strings()
          .forEach(
              (key, value) -> {
                if (!ConfigMapRecords.isEntry(key)) {
                  return;
                }
                try {
                  var member = ConfigMapRecords.member(key, value);
                  if (unchanged.apply(key).compareTo(expiration) > 0) {
                    expired.add(key);
                  } else {
                    members.add(member);
                  }
                } catch (IllegalArgumentException e) {
                  malformed.put(key, String.valueOf(e.getMessage()));
                }
              });
    }
    return new Membership(members, stale, expired, malformed);
  }

  boolean has(String id) {
    return members.stream().anyMatch(member -> member.id().equals(id));
  }

  List<Member> without(String id) {
    return members.stream().filter(member -> !member.id().equals(id)).toList();
  }

  /** The keys of living entries in the ConfigMap. */
  List<String> entries() {
    return members.stream()
        .filter(member -> member.source() == Member.Source.CONFIGMAP)
        .map(Member::id)
        .toList();
  }

  long count(Member.Source source) {
    return members.stream().filter(member -> member.source() == source).count();
  }
}
