package dev.muster.schema.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.FilledObjects;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufCodecTest {
  private static final Map<String, String> FILES =
      Map.ofEntries(
          Map.entry("", "V1"),
          Map.entry("admission.k8s.io", "V1Admission"),
          Map.entry("admissionregistration.k8s.io", "V1Admissionregistration"),
          Map.entry("apiextensions.k8s.io", "V1Apiextensions"),
          Map.entry("apps", "V1Apps"),
          Map.entry("authentication.k8s.io", "V1Authentication"),
          Map.entry("authorization.k8s.io", "V1Authorization"),
          Map.entry("autoscaling", "V1Autoscaling"),
          Map.entry("batch", "V1Batch"),
          Map.entry("certificates.k8s.io", "V1Certificates"),
          Map.entry("coordination.k8s.io", "V1Coordination"),
          Map.entry("discovery.k8s.io", "V1Discovery"),
          Map.entry("events.k8s.io", "V1Events"),
          Map.entry("flowcontrol.apiserver.k8s.io", "V1Flowcontrol"),
          Map.entry("networking.k8s.io", "V1Networking"),
          Map.entry("node.k8s.io", "V1Node"),
          Map.entry("policy", "V1Policy"),
          Map.entry("rbac.authorization.k8s.io", "V1Rbac"),
          Map.entry("resource.k8s.io", "V1Resource"),
          Map.entry("scheduling.k8s.io", "V1Scheduling"),
          Map.entry("storage.k8s.io", "V1Storage"));

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject normal(GroupVersionKind kind, long seed) {
    var shape = Objects.requireNonNull(Schemas.of(kind));
    return TypedReader.normal(shape, new FilledObjects(seed).of(kind, shape));
  }

  @Test
  void everyKindComesBackWithEveryField() {
    for (var kind : Schemas.kinds()) {
      var object = normal(kind, 7);
      var decoded = ProtobufCodec.decode(ProtobufCodec.encode(object));
      assertThat(new String(JsonWriter.bytes(decoded), StandardCharsets.UTF_8))
          .as(kind.toString())
          .isEqualTo(new String(JsonWriter.bytes(object), StandardCharsets.UTF_8));
      var empty = TypedReader.normal(Objects.requireNonNull(Schemas.of(kind)), JsonObject.EMPTY);
      var named = named(empty, kind);
      assertThat(ProtobufCodec.decode(ProtobufCodec.encode(named)))
          .as(kind.toString())
          .isEqualTo(named);
    }
  }

  private static JsonObject named(JsonObject object, GroupVersionKind kind) {
    return object.with("kind", kind.kind()).with("apiVersion", kind.apiVersion());
  }

  /** The official client must know every byte, and write the same bytes again. */
  @Test
  void theOfficialClientReadsEveryByteOfEveryKind() throws Exception {
    int compared = 0;
    for (var kind : Schemas.kinds()) {
      var file = FILES.get(kind.group());
      if (file == null || !kind.version().equals("v1") || isMeta(kind)) {
        continue;
      }
      var encoded = ProtobufCodec.encode(normal(kind, 11));
      var envelope = Runtime.Unknown.parseFrom(Arrays.copyOfRange(encoded, 4, encoded.length));
      assertThat(envelope.getTypeMeta().getKind()).isEqualTo(kind.kind());
      var type = Class.forName("io.kubernetes.client.proto." + file + "$" + kind.kind());
      var message =
          (Message) type.getMethod("parseFrom", ByteString.class).invoke(null, envelope.getRaw());
      assertThat(message.toByteString()).as(kind.toString()).isEqualTo(envelope.getRaw());
      assertThat(unknownBytes(message)).as(kind.toString()).isZero();
      compared++;
    }
    assertThat(compared).isGreaterThan(120);
  }

  private static boolean isMeta(GroupVersionKind kind) {
    return Objects.requireNonNull(Schemas.of(kind)).name().startsWith(Schemas.META);
  }

  private static int unknownBytes(Message message) {
    int bytes = message.getUnknownFields().getSerializedSize();
    for (var entry : message.getAllFields().entrySet()) {
      if (entry.getKey().getJavaType() == Descriptors.FieldDescriptor.JavaType.MESSAGE) {
        if (entry.getKey().isRepeated()) {
          for (var item : (Iterable<?>) entry.getValue()) {
            bytes += unknownBytes((Message) item);
          }
        } else {
          bytes += unknownBytes((Message) entry.getValue());
        }
      }
    }
    return bytes;
  }

  @Test
  void readsWhatTheOfficialClientWrites() {
    var pod =
        V1.Pod.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("a")
                    .putLabels("z", "1")
                    .putLabels("b", "2")
                    .setCreationTimestamp(Meta.Time.newBuilder().setSeconds(1).setNanos(7)))
            .setSpec(
                V1.PodSpec.newBuilder()
                    .addContainers(V1.Container.newBuilder().setName("c").setImage("i"))
                    .setHostNetwork(false)
                    .setTerminationGracePeriodSeconds(0))
            .build();
    var envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("Pod"))
            .setRaw(pod.toByteString())
            .build();
    var bytes = new byte[4 + envelope.getSerializedSize()];
    System.arraycopy(new byte[] {'k', '8', 's', 0}, 0, bytes, 0, 4);
    System.arraycopy(envelope.toByteArray(), 0, bytes, 4, bytes.length - 4);
    assertThat(ProtobufCodec.decode(bytes))
        .hasToString(
            json("""
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a",
            "creationTimestamp":"1970-01-01T00:00:01Z","labels":{"b":"2","z":"1"}},
            "spec":{"containers":[{"name":"c","image":"i","resources":{}}],
            "terminationGracePeriodSeconds":0},"status":{}}\
            """)
                .toString());
  }

  @Test
  void framesTheEventsOfAWatch() throws Exception {
    var object = ProtobufCodec.encode(json("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}"));
    var frame = ProtobufCodec.watchFrame("ADDED", object);
    assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
    var event = Meta.WatchEvent.parseFrom(Arrays.copyOfRange(frame, 4, frame.length));
    assertThat(event.getType()).isEqualTo("ADDED");
    assertThat(event.getObject().getRaw().toByteArray()).isEqualTo(object);
  }

  @Test
  void refusesWhatIsNotProtobufInKubernetesWords() {
    assertThatThrownBy(() -> ProtobufCodec.decode("garbage".getBytes(StandardCharsets.UTF_8)))
        .hasMessage(
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115"
                + " 0]");
    assertThatThrownBy(() -> ProtobufCodec.decode(new byte[0])).hasMessage("empty data");
    assertThatThrownBy(() -> ProtobufCodec.decode(new byte[] {'k', '8', 's', 0}))
        .hasMessage("empty body");
  }

  @Test
  void damagedBytesAreRefusedAndNothingElseHappens() {
    var kind = new GroupVersionKind("", "v1", "Pod");
    var good = ProtobufCodec.encode(normal(kind, 3));
    var random = new Random(5);
    int refused = 0;
    for (int round = 0; round < 3_000; round++) {
      var bytes = Arrays.copyOf(good, round % 2 == 0 ? good.length : random.nextInt(good.length));
      for (int i = random.nextInt(4); i > 0 && bytes.length > 4; i--) {
        bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt();
      }
      try {
        ProtobufCodec.decode(bytes);
      } catch (DecodeException expected) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aListCanBePutTogetherFromObjectsThatAreEncodedAlready() {
    var kind = new GroupVersionKind("", "v1", "ConfigMap");
    for (int count : new int[] {0, 1, 300}) {
      var items = new ArrayList<JsonObject>();
      var put = new ByteArrayOutputStream();
      var envelopes = new ArrayList<byte[]>();
      long length = 0;
      for (int i = 0; i < count; i++) {
        var object = normal(kind, i);
        items.add(object.without("kind").without("apiVersion"));
        envelopes.add(ProtobufCodec.encode(object));
        length += ProtobufCodec.listItemLength(envelopes.getLast());
      }
      var list =
          json(
              "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'7'}}"
                  .replace('\'', '"'));
      var empty = ProtobufCodec.encode(list.with("items", JsonArray.EMPTY));
      put.writeBytes(ProtobufCodec.listHead(empty, length));
      for (var envelope : envelopes) {
        int start = ProtobufCodec.contentStart(envelope);
        int end = ProtobufCodec.contentEnd(envelope);
        put.writeBytes(ProtobufCodec.listItemHead(end - start));
        put.write(envelope, start, end - start);
      }
      put.writeBytes(ProtobufCodec.listTail(empty));
      assertThat(put.toByteArray())
          .isEqualTo(ProtobufCodec.encode(list.with("items", JsonArray.of(items))));
    }
  }
}
