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
 * The encoded discovery documents, each encoded once per set of types. All are encoded again when
 * aggregated API servers change, or when the servers of the fleet begin or cease to serve the same.
 * Thread-safe.
 */
public final class DiscoveryRoutes {
  /**
   * An encoded document.
   *
   * @param etag under which clients may cache it
   * @param consistent whether all servers of the fleet serve the same; empty when unknown
   */
  public record Document(
      JsonObject object, byte[] json, String etag, Optional<Boolean> consistent) {}

  /** The documents of one set of types, with the address of this server. */
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
   * @param types the current types
   * @param remote the APIs of aggregated API servers; the same instance while they are unchanged
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
   * Makes every document say whether all servers of the fleet serve the same.
   *
   * @param consistency called for every request; empty when unknown
   */
  public void tellConsistency(Supplier<Optional<Boolean>> consistency) {
    this.consistency = consistency;
  }

  /**
   * Makes aggregated discovery include the resources of peers.
   *
   * @param peers called for every request; the same instance while they are unchanged
   */
  public void include(Supplier<PeerGroups> peers) {
    this.peers = peers;
  }

  /** The document at that path without trailing slash; null when there is none. */
  public @Nullable Document plain(String path) {
    return cached(path, now -> make(now.objects(), path), true);
  }

  /** Like {@link #plain}, for a client that rejects unknown fields. */
  public @Nullable Document strict(String path) {
    return cached("strict:" + path, now -> make(now.objects(), path), false);
  }

  /**
   * Aggregated discovery at {@code /api} or {@code /apis}; null for other paths.
   *
   * @param alone without resources that only peers serve
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

  /** All paths with a document. */
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
