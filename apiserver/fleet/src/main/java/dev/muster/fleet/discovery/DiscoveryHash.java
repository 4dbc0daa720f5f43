package dev.muster.fleet.discovery;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.wire.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/**
 * Hashes everything that clients see of the built-in discovery documents, including the aggregated
 * ones. The hash does not depend on the machine: it omits the server's address and sorts the
 * members of objects. The order of lists matters, because clients prefer the first element.
 */
final class DiscoveryHash {
  private DiscoveryHash() {}

  /** The hash in hexadecimal digits. */
  static String of(DiscoveryDocuments documents) {
    var all = new ArrayList<Json>();
    all.add(documents.apiVersions("").without("serverAddressByClientCIDRs"));
    var groups = documents.groupList();
    all.add(groups);
    for (var version : documents.apiVersions("").array("versions").strings()) {
      add(all, documents, "", version);
    }
    for (var group : groups.array("groups").objects()) {
      for (var version : group.array("versions").objects()) {
        add(all, documents, group.string("name"), version.string("version"));
      }
    }
    all.add(documents.aggregated(true));
    all.add(documents.aggregated(false));
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var document : all) {
        digest.update(JsonWriter.bytes((JsonObject) canonical(document)));
        digest.update((byte) '\n');
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(
      List<Json> all, DiscoveryDocuments documents, String group, String version) {
    var list = documents.resourceList(group, version);
    if (list != null) {
      all.add(list);
    }
  }

  private static Json canonical(Json value) {
    return switch (value) {
      case JsonObject object -> {
        var sorted = new TreeMap<String, Json>();
        for (int i = 0; i < object.size(); i++) {
          sorted.put(object.key(i), canonical(object.value(i)));
        }
        var builder = JsonObject.builder();
        sorted.forEach(builder::append);
        yield builder.build();
      }
      case JsonArray array -> array.map(DiscoveryHash::canonical);
      default -> value;
    };
  }
}
