package dev.muster.registry.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.replica.object.ObjectDecoder;
import dev.muster.schema.ResourceType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.types.ServedType;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.TypeTrait;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The built-in types: those of Kubernetes 1.36, and Muster's own. */
public final class BuiltInTypes {
  /** The default time to live of events. */
  private static final Duration EVENTS_KEPT = Duration.ofHours(1);

  /** Versions that are served only if enabled, as in kube-apiserver. */
  private static final Set<String> ON_REQUEST =
      Set.of("internal.apiserver.k8s.io/v1alpha1", "storagemigration.k8s.io/v1beta1");

  private static final JsonStorageCodec JSON = new JsonStorageCodec();

  private BuiltInTypes() {}

  /** All built-in types with default settings. */
  public static List<ServedType> all() {
    return all(EVENTS_KEPT, BuiltInTypes::isUsual, storage -> JSON::decode);
  }

  /** The struct shape of a kind that is stored as protobuf; null for other kinds. */
  public static Function<GroupVersionKind, @Nullable StructShape> keptAsProtobuf() {
    var shapes = new HashMap<GroupVersionKind, @Nullable StructShape>();
    for (var type : all()) {
      if (type.isStoredVersion()) {
        shapes.put(type.kept(), type.is(TypeTrait.KEPT_AS_JSON) ? null : type.shape());
      }
    }
    // The allocation state is stored as protobuf but is not a served type.
    return kind -> shapes.containsKey(kind) ? shapes.get(kind) : Schemas.of(kind);
  }

  /** Whether a type is served by default. */
  public static boolean isUsual(ResourceType type) {
    return !ON_REQUEST.contains(type.groupVersion().toString());
  }

  /**
   * All built-in types with a server's settings.
   *
   * @param eventTimeToLive how long events are kept
   * @param served selects the types that clients can use
   * @param readers returns the decoder for the objects of a resource
   */
  public static List<ServedType> all(
      Duration eventTimeToLive,
      Predicate<ResourceType> served,
      Function<String, ObjectDecoder> readers) {
    var builders =
        Stream.of(
                CoreTypes.all(eventTimeToLive),
                AdmissionTypes.all(),
                ExtensionTypes.all(),
                RegistrationTypes.all(),
                AppsTypes.all(),
                AuthenticationTypes.all(),
                AuthorizationTypes.all(),
                AutoscalingTypes.all(),
                BatchTypes.all(),
                CertificateTypes.all(),
                CoordinationTypes.all(),
                DiscoveryTypes.all(),
                EventTypes.all(eventTimeToLive),
                FlowControlTypes.all(),
                NetworkingTypes.all(),
                NodeTypes.all(),
                PolicyTypes.all(),
                RbacTypes.all(),
                DeviceTypes.all(),
                SchedulingTypes.all(),
                StorageTypes.all(),
                FleetTypes.all(),
                StorageVersionTypes.all())
            .flatMap(List::stream)
            .toList();
    for (var builder : builders) {
      var resource = builder.resource();
      builder.served(served.test(resource)).decoder(readers.apply(resource.storage()));
    }
    return ServedTypeBuilder.build(builders);
  }
}
