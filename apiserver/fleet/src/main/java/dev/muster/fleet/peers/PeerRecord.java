package dev.muster.fleet.peers;

import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.Operation;
import java.net.InetAddress;
import java.time.Duration;

/** The record in the store by which kube-apiserver finds its peers. */
final class PeerRecord {
  private static final String KEY = "/peerserverleases/";
  private static final String IDENTITY = "apiserverIdentity";

  /** The lifetime of kube-apiserver's own records. */
  private static final Duration LIFETIME = Duration.ofSeconds(15);

  static final Duration RENEWAL = Duration.ofSeconds(10);

  private PeerRecord() {}

  /**
   * @param generation counts up, so that each record differs from the previous one
   */
  static Operation put(String id, InetAddress address, int port, long generation) {
    var record =
        JsonObject.of(
            "kind",
            "Endpoints",
            "apiVersion",
            "v1",
            "metadata",
            JsonObject.of("generation", generation, "labels", JsonObject.of(IDENTITY, id)),
            "subsets",
            JsonArray.of(
                JsonObject.of(
                    "addresses",
                    JsonArray.of(JsonObject.of("ip", Ip.of(address).toString())),
                    "ports",
                    JsonArray.of(
                        JsonObject.of("name", "https", "port", port, "protocol", "TCP")))));
    return new Operation.Put(KEY + id, ProtobufCodec.encode(record), Operation.ANY, LIFETIME);
  }

  static Operation delete(String id) {
    return new Operation.Delete(KEY + id, Operation.ANY);
  }
}
