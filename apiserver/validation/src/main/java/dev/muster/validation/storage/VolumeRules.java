package dev.muster.validation.storage;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Difference;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The strategy of PersistentVolumes. */
public final class VolumeRules {
  private static final String MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";
  private static final String STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";
  private static final Set<String> NO_STEPS = Set.of("", ".", "..");
  private static final List<String> MOUNTED =
      List.of(
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "nfs",
          "rbd",
          "quobyte",
          "iscsi",
          "cinder",
          "cephfs",
          "azureFile",
          "vsphereVolume",
          "azureDisk",
          "photonPersistentDisk");

  private static final Rule SPEC =
      Rule.all(
          spec -> AccessModes.check(spec.at("accessModes"), ""),
          field("capacity", VolumeRules::capacity),
          ifSet("persistentVolumeReclaimPolicy", oneOf("Delete", "Recycle", "Retain")),
          ifPresent("nodeAffinity", VolumeRules::affinity),
          spec -> source(spec, spec.has("nodeAffinity")),
          ifSet("storageClassName", dnsSubdomain()),
          field("volumeMode", oneOf("Block", "Filesystem")),
          VolumeRules::attributesClass);

  private static final Rule VOLUME =
      Rule.all(clusterMetadata(NameRule.DNS_SUBDOMAIN), field("spec", SPEC));

  private static final Rule VOLUME_AND_OPTIONS = Rule.all(VOLUME, VolumeRules::mountOptions);

  public static final Strategy STRATEGY = strategy(InstantSource.system());

  private VolumeRules() {}

  public static Strategy strategy(InstantSource clock) {
    return ResourceRules.cluster()
        .emptyFields(EmptyFields.at("spec.capacity"))
        .defaults(
            make("status", value("phase", "Pending")),
            make(
                "spec",
                value("persistentVolumeReclaimPolicy", "Retain"),
                absent("volumeMode", "Filesystem"),
                Resources.rounded("capacity"),
                VolumeSources.DEFAULTS))
        .status()
        .prepareCreate(
            volume ->
                volume.with(
                    "status",
                    JsonObject.of(
                        "phase",
                        "Pending",
                        "lastPhaseTransitionTime",
                        Timestamps.format(clock.instant()))))
        .prepareStatusUpdate((volume, old) -> timed(volume, old, clock))
        .create(VOLUME_AND_OPTIONS)
        .update(VOLUME_AND_OPTIONS, VOLUME, VolumeRules::fixed)
        .statusUpdate(metadataUpdate())
        .warnings(VolumeRules::warnings)
        .statusWarnings()
        .answersDeleteWithObject()
        .build();
  }

  /** Sets the transition time of a changed phase, unless the client does. */
  private static JsonObject timed(JsonObject volume, JsonObject old, InstantSource clock) {
    var now = volume.object("status");
    var before = old.object("status");
    var time = now.get("lastPhaseTransitionTime");
    var oldTime = before.get("lastPhaseTransitionTime");
    boolean same = now.string("phase").equals(before.string("phase"));
    if (same && time == null && oldTime != null) {
      return volume.withAt(oldTime, "status", "lastPhaseTransitionTime");
    }
    return !same && (time == null || time.equals(oldTime))
        ? volume.withAt(
            Json.of(Timestamps.format(clock.instant())), "status", "lastPhaseTransitionTime")
        : volume;
  }

  private static void capacity(FieldCursor capacity) {
    if (capacity.isEmpty()) {
      capacity.required("");
    }
    if (!capacity.has("storage") || capacity.object().size() > 1) {
      Json shown = capacity.isAbsent() ? JsonNull.NULL : capacity.object();
      capacity.report(
          new FieldError(
              FieldError.Type.NOT_SUPPORTED,
              capacity.path().text(),
              "Unsupported value: " + shown + ": supported values: \"storage\""));
    }
    for (var entry : capacity.entries()) {
      positive(entry);
    }
  }

  private static void positive(FieldCursor entry) {
    var amount = Resources.amount(entry);
    if (amount.value() < 0) {
      entry.invalid(Json.of(amount.value()), "must be a valid resource quantity");
    }
    if (amount.signum() <= 0) {
      entry.invalid(Json.of(amount.toString()), "must be greater than zero");
    }
  }

  private static void affinity(FieldCursor affinity) {
    if (affinity.has("required")) {
      NodeSelectors.selector(affinity.at("required"));
    } else {
      affinity.at("required").required("must specify required node constraints");
    }
  }

  /**
   * @param placed whether the volume has a node affinity
   */
  static void source(FieldCursor spec, boolean placed) {
    int count = 0;
    for (var source : VolumeSources.ALL) {
      var place = spec.at(source.field());
      if (place.isAbsent()) {
        continue;
      }
      if (count > 0 && !source.field().equals("flexVolume")) {
        spec.at(source.shown()).forbidden("may not specify more than 1 volume type");
        continue;
      }
      count++;
      source.rule().check(spec.at(source.inside()).with(place.value()));
      if (source.field().equals("local") && !placed) {
        spec.at("nodeAffinity").required("Local volume requires node affinity");
      }
    }
    if (count == 0) {
      spec.required("must specify a volume type");
    }
    if (spec.at("persistentVolumeReclaimPolicy").isText("Recycle")
        && spec.at("hostPath").isPresent()
        && isRoot(spec.at("hostPath", "path").text())) {
      spec.at("persistentVolumeReclaimPolicy")
          .forbidden("may not be 'recycle' for a hostPath mount of '/'");
    }
  }

  private static boolean isRoot(String path) {
    return path.startsWith("/") && NO_STEPS.containsAll(List.of(path.split("/")));
  }

  private static void attributesClass(FieldCursor spec) {
    var name = spec.at("volumeAttributesClassName");
    if (name.isAbsent()) {
      return;
    }
    if (name.isEmpty()) {
      name.required("an empty string is disallowed");
    } else {
      dnsSubdomain().check(name);
    }
    if (spec.at("csi").isAbsent()) {
      spec.at("csi").required("has to be specified when using volumeAttributesClassName");
    }
  }

  private static void mountOptions(FieldCursor volume) {
    if (MOUNTED.stream().noneMatch(field -> volume.at("spec").has(field))
        && volume.at("metadata", "annotations").has(MOUNT_OPTIONS)) {
      volume
          .at("metadata", "annotations", MOUNT_OPTIONS)
          .forbidden("may not specify mount options for this volume type");
    }
  }

  private static JsonObject sources(JsonObject spec) {
    var sources = JsonObject.builder();
    for (var source : VolumeSources.ALL) {
      var value = spec.get(source.field());
      if (value != null) {
        sources.put(source.field(), value);
      }
    }
    return sources.build();
  }

  private static void fixed(FieldCursor volume) {
    var spec = volume.at("spec").object();
    var old = volume.at("spec").before().object();
    if (spec.has("csi") && !old.object("csi").has("controllerExpandSecretRef")) {
      spec = spec.withoutAt("csi", "controllerExpandSecretRef");
    }
    var now = spec;
    if (VolumeSources.ALL.stream()
        .anyMatch(source -> !same(now.get(source.field()), old.get(source.field())))) {
      volume.report(
          FieldError.forbidden(
              FieldPath.of("spec", "persistentvolumesource"),
              "spec.persistentvolumesource is immutable after creation"
                  + Difference.between(sources(old), sources(now))));
    }
    BareFields.immutable(volume, "volumeMode");
    var affinity = volume.at("spec", "nodeAffinity");
    if (affinity.old() != null
        && !same(affinity.value(), renamed(affinity.value(), affinity.old()))) {
      var value = affinity.value();
      volume.report(
          FieldError.invalid(
              FieldPath.of("nodeAffinity"),
              value == null ? JsonNull.NULL : value,
              MetadataRules.IMMUTABLE + ", except for updating from beta label to GA"));
    }
    var name = volume.at("spec", "volumeAttributesClassName");
    if (name.old() != null && name.isAbsent()) {
      name.forbidden("update from non-nil value to nil is forbidden");
    }
  }

  private static boolean same(@Nullable Json one, @Nullable Json other) {
    return one == null ? other == null : one.equals(other);
  }

  private static final Map<String, String> RENAMED =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/arch", "kubernetes.io/arch");

  /**
   * The old affinity with deprecated label names replaced where the new affinity has the current
   * ones. An empty name also passes as a replacement; another rule refuses it.
   */
  private static @Nullable Json renamed(@Nullable Json now, @Nullable Json before) {
    return switch (before) {
      case JsonObject old when now instanceof JsonObject object -> {
        var result = old;
        for (var key : old.keys()) {
          var value = renamed(object.get(key), old.get(key));
          result = value == null ? result : result.with(key, value);
        }
        var name = RENAMED.getOrDefault(old.string("key"), "");
        yield old.has("key") && object.string("key").equals(name)
            ? result.with("key", name)
            : result;
      }
      case JsonArray old when now instanceof JsonArray array && array.size() == old.size() -> {
        var items = new ArrayList<Json>();
        for (int i = 0; i < old.size(); i++) {
          var item = renamed(array.get(i), old.get(i));
          items.add(item == null ? old.get(i) : item);
        }
        yield JsonArray.of(items);
      }
      case null, default -> before;
    };
  }

  private static void warnings(FieldCursor volume) {
    var annotations = volume.at("metadata", "annotations");
    deprecated(
        annotations.entry(STORAGE_CLASS), "v1.8; use \"storageClassName\" attribute instead");
    deprecated(annotations.entry(MOUNT_OPTIONS), "v1.31; use \"mountOptions\" attribute instead");
    var spec = volume.at("spec");
    if (spec.at("persistentVolumeReclaimPolicy").isText("Recycle")) {
      volume.warn(
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead,"
              + " the recommended approach is to use dynamic provisioning.");
    }
    spec.at("nodeAffinity", "required", "nodeSelectorTerms")
        .items()
        .forEach(NodeSelectors::warnings);
    gone(spec, "cephfs", "cephfs", "v1.28", "v1.31+");
    gone(spec, "photonPersistentDisk", "photonPersistentDisk", "v1.11", "v1.16+");
    gone(spec, "scaleIO", "scaleIO", "v1.16", "v1.22+");
    gone(spec, "storageos", "storageOS", "v1.22", "v1.25+");
    gone(spec, "glusterfs", "glusterfs", "v1.25", "v1.26+");
    gone(spec, "rbd", "rbd", "v1.28", "v1.31+");
  }

  private static void deprecated(FieldCursor annotation, String since) {
    if (annotation.isPresent()) {
      annotation.warn(annotation.path() + ": deprecated since " + since);
    }
  }

  private static void gone(
      FieldCursor spec, String field, String shown, String since, String gone) {
    if (spec.has(field)) {
      spec.warn("spec." + shown + ": deprecated in " + since + ", non-functional in " + gone);
    }
  }
}
