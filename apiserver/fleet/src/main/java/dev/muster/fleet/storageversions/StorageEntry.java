package dev.muster.fleet.storageversions;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The storage version of one resource on a server.
 *
 * @param name of its StorageVersion
 * @param storage its prefix in the store
 * @param encoding the version in which objects are written
 * @param decodable all versions in which they can be read
 * @param served the versions that clients can request
 */
record StorageEntry(
    String name, String storage, String encoding, Set<String> decodable, Set<String> served) {

  /** The entries of all stored resources; resources with the same prefix share one. */
  static List<StorageEntry> of(Types types) {
    var places = new TreeMap<String, List<ServedType>>();
    for (var type : types.all()) {
      if (type.isStored()) {
        places.computeIfAbsent(type.storage(), place -> new ArrayList<>()).add(type);
      }
    }
    return places.values().stream()
        .filter(place -> place.stream().anyMatch(ServedType::isServed))
        .map(StorageEntry::ofPlace)
        .toList();
  }

  private static StorageEntry ofPlace(List<ServedType> place) {
    var first = place.getFirst();
    for (var type : place) {
      if (type.groupResource().group().compareTo(first.groupResource().group()) < 0) {
        first = type;
      }
    }
    var resource = first.groupResource();
    var group = resource.group().isEmpty() ? "core" : resource.group();
    var decodable = new LinkedHashSet<String>();
    var served = new LinkedHashSet<String>();
    for (var type : place) {
      decodable.add(type.groupVersion().toString());
      if (type.isServed()) {
        served.add(type.groupVersion().toString());
      }
    }
    var encoding = first.stored().apiVersion();
    decodable.add(encoding);
    return new StorageEntry(
        group + "." + resource.resource(), first.storage(), encoding, decodable, served);
  }

  JsonObject json(String server) {
    return JsonObject.of(
        "apiServerID",
        server,
        "encodingVersion",
        encoding,
        "decodableVersions",
        JsonArray.ofStrings(List.copyOf(decodable)),
        "servedVersions",
        JsonArray.ofStrings(List.copyOf(served)));
  }
}
