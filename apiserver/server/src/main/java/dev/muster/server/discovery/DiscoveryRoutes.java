package dev.muster.server.discovery;

import dev.muster.model.json.JsonObject;
import dev.muster.types.Derivation;
import dev.muster.types.Types;
import dev.muster.wire.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Discovery documents as bytes, each encoded once for the types of a moment. When the servers of
 * the fleet begin or cease to agree, or servers behind this one come or go, all are made anew. Safe
 * for any thread.
 */
public final class DiscoveryRoutes {
  /**
   * A document that can be sent.
   *
   * @param etag under which clients may keep it
   * @param consistent whether all servers of the fleet serve the same, when that is told
   */
  public record Document(
      JsonObject object, byte[] json, String etag, Optional<Boolean> consistent) {}

  /** The documents of the types of one moment, under the address of this server. */
  private static final class Edition {
    final Types types;
    volatile Encoded encoded;

    Edition(Types types) {
      this.types = types;
      this.encoded = Encoded.of(types, RemoteVersions.NONE, PeerGroups.NONE, Optional.empty());
    }

    Encoded now(RemoteVersions remote, PeerGroups peers, Optional<Boolean> consistent) {
      var current = encoded;
      if (current.remote() != remote
          || current.peers() != peers
          || !current.consistent().equals(consistent)) {
        current = Encoded.of(types, remote, peers, consistent);
        encoded = current;
      }
      return current;
    }
  }

  private record Encoded(
      RemoteVersions remote,
      PeerGroups peers,
      Optional<Boolean> consistent,
      DiscoveryDocuments objects,
      Map<String, Document> documents) {
    static Encoded of(
        Types types, RemoteVersions remote, PeerGroups peers, Optional<Boolean> consistent) {
      var objects = new DiscoveryDocuments(types, remote);
      return new Encoded(remote, peers, consistent, objects, new ConcurrentHashMap<>());
    }
  }

  private final Derivation<Types, Edition> editions = new Derivation<>(Edition::new);
  private final Supplier<Types> types;
  private final Supplier<RemoteVersions> remote;
  private final String serverAddress;
  private volatile Supplier<Optional<Boolean>> consistency = Optional::empty;
  private volatile Supplier<PeerGroups> peers = () -> PeerGroups.NONE;

  /**
   * @param types the types of the moment
   * @param remote what others answer for; the same instance while it is the same
   */
  public DiscoveryRoutes(
      Supplier<Types> types, Supplier<RemoteVersions> remote, String serverAddress) {
    this.types = types;
    this.remote = remote;
    this.serverAddress = serverAddress;
  }

  private DiscoveryDocuments documents() {
    return now().objects();
  }

  private Encoded now() {
    return editions.of(types.get()).now(remote.get(), peers.get(), consistency.get());
  }

  /**
   * From now on every document says whether all servers of the fleet serve the same.
   *
   * @param consistency asked at every request; empty when nobody knows
   */
  public void tellConsistency(Supplier<Optional<Boolean>> consistency) {
    this.consistency = consistency;
  }

  /**
   * From now on aggregated discovery includes what other servers of the fleet serve.
   *
   * @param peers asked at every request; the same instance while it is the same
   */
  public void include(Supplier<PeerGroups> peers) {
    this.peers = peers;
  }

  /** The document at that path without trailing slash; null when there is none. */
  public @Nullable Document plain(String path) {
    return cached(path, now -> make(now.objects(), path), true);
  }

  /** As {@link #plain}, for a client that refuses fields that it does not know. */
  public @Nullable Document strict(String path) {
    return cached("strict:" + path, now -> make(now.objects(), path), false);
  }

  /**
   * Aggregated discovery at {@code /api} or {@code /apis}; null elsewhere.
   *
   * @param alone without what only other servers of the fleet serve
   */
  public @Nullable Document aggregated(String path, boolean alone) {
    return switch (path) {
      case "/api" -> cached("aggregated:/api", now -> now.objects().aggregated(true), true);
      case "/apis" ->
          alone
              ? cached("alone:/apis", now -> now.objects().aggregated(false), true)
              : cached(
                  "aggregated:/apis",
                  now -> now.peers().added(now.objects().aggregated(false)),
                  true);
      default -> null;
    };
  }

  /** Every path at which there is a document. */
  public List<String> paths() {
    var documents = documents();
    var paths = new ArrayList<>(List.of("/api", "/apis", "/apis/"));
    for (var version : documents.apiVersions(serverAddress).array("versions").strings()) {
      paths.add("/api/" + version);
    }
    for (var group : documents.groupList().array("groups").objects()) {
      paths.add("/apis/" + group.string("name"));
      for (var version : group.array("versions").objects()) {
        paths.add("/apis/" + version.string("groupVersion"));
      }
    }
    return paths;
  }

  public boolean hasGroup(String group) {
    return documents().hasGroup(group);
  }

  private @Nullable Document cached(
      String key, Function<Encoded, @Nullable JsonObject> maker, boolean tellsConsistency) {
    var current = now();
    var known = current.documents().get(key);
    if (known == null) {
      var object = maker.apply(current);
      if (object != null) {
        known = document(object, current.consistent(), tellsConsistency);
        current.documents().put(key, known);
      }
    }
    return known;
  }

  private static Document document(
      JsonObject plain, Optional<Boolean> consistent, boolean inDocument) {
    var object =
        inDocument && consistent.isPresent() ? plain.with("consistent", consistent.get()) : plain;
    var json = JsonWriter.line(object);
    return new Document(object, json, etag(json), consistent);
  }

  private @Nullable JsonObject make(DiscoveryDocuments documents, String path) {
    var parts = path.split("/");
    return switch (parts.length) {
      case 2 ->
          switch (parts[1]) {
            case "api" -> documents.apiVersions(serverAddress);
            case "apis" -> documents.groupList();
            default -> null;
          };
      case 3 ->
          parts[1].equals("api")
              ? documents.resourceList("", parts[2])
              : parts[1].equals("apis") ? documents.group(parts[2]) : null;
      case 4 -> parts[1].equals("apis") ? documents.resourceList(parts[2], parts[3]) : null;
      default -> null;
    };
  }

  private static String etag(byte[] content) {
    try {
      var hash = MessageDigest.getInstance("SHA-512").digest(content);
      return "\"" + HexFormat.of().withUpperCase().formatHex(hash) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
