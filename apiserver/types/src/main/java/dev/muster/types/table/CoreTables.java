package dev.muster.types.table;

import static dev.muster.types.table.Cells.UNSET;
import static dev.muster.types.table.Cells.number;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.size;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** The tables of the core group. */
public final class CoreTables {
  private CoreTables() {}

  public static TableSpec componentStatus() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Status",
            "Whether the component is healthy.",
            component ->
                switch (healthy(component).string("status")) {
                  case "" -> "Unknown";
                  case "True" -> "Healthy";
                  default -> "Unhealthy";
                }),
        text("Message", "What the component says.", c -> healthy(c).string("message")),
        text("Error", "What went wrong.", c -> healthy(c).string("error")));
  }

  private static JsonObject healthy(JsonObject component) {
    for (var condition : component.array("conditions").objects()) {
      if (condition.string("type").equals("Healthy")) {
        return condition;
      }
    }
    return JsonObject.EMPTY;
  }

  public static TableSpec configMap() {
    return TableSpec.of(
        Cells.name(),
        Cells.count(
            "Data",
            "How many keys there are.",
            map -> (long) map.object("data").size() + map.object("binaryData").size()),
        Cells.age());
  }

  public static TableSpec secret() {
    return TableSpec.of(
        Cells.name(),
        text("Type", "What kind of secret it is.", path("type")),
        Cells.count("Data", "How many keys there are.", size("data")),
        Cells.age());
  }

  public static TableSpec namespace() {
    return TableSpec.of(
        Cells.name(),
        text("Status", "Whether it is in use or being deleted.", path("status", "phase")),
        Cells.age());
  }

  public static TableSpec podTemplate() {
    Function<JsonObject, JsonObject> spec = template -> template.object("template", "spec");
    return TableSpec.of(
        Cells.name(),
        text("Containers", "Names of the containers.", Cells.joined(spec, "name")),
        text("Images", "Images of the containers.", Cells.joined(spec, "image")),
        text(
            "Pod Labels",
            "Labels of the pods.",
            template -> Cells.labels(template.object("template", "metadata", "labels"))));
  }

  public static TableSpec replicationController() {
    Function<JsonObject, JsonObject> spec = object -> object.object("spec", "template", "spec");
    return TableSpec.of(
        Cells.name(),
        Cells.integer("Desired", "Pods that are wanted.", number("spec", "replicas")),
        Cells.integer("Current", "Pods that exist.", number("status", "replicas")),
        Cells.integer("Ready", "Pods that are ready.", number("status", "readyReplicas")),
        Cells.age(),
        Cells.containers(spec),
        Cells.images(spec),
        text("Selector", "Labels of its pods.", o -> Cells.labels(o.object("spec", "selector")))
            .wide());
  }

  public static TableSpec quota() {
    return TableSpec.of(
        Cells.name(),
        text("Request", "Use and limit of requests and counts.", quota -> usage(quota, false)),
        text("Limit", "Use and limit of limits.", quota -> usage(quota, true)),
        Cells.age());
  }

  private static String usage(JsonObject quota, boolean limits) {
    var hard = quota.object("status", "hard");
    var used = quota.object("status", "used");
    var texts = new ArrayList<String>();
    for (var name : new TreeSet<>(hard.keys())) {
      if (name.startsWith("limits.") == limits) {
        texts.add(name + ": " + quantity(used, name) + "/" + quantity(hard, name));
      }
    }
    return String.join(", ", texts);
  }

  private static String quantity(JsonObject amounts, String name) {
    return amounts.has(name) ? Cells.string(amounts.get(name)) : "0";
  }

  public static TableSpec volume() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Capacity",
            "Size of the volume.",
            volume -> quantity(volume.object("spec", "capacity"), "storage")),
        text("Access Modes", "How it can be mounted.", v -> modes(v.object("spec"))),
        text(
            "Reclaim Policy",
            "What becomes of it without a claim.",
            path("spec", "persistentVolumeReclaimPolicy")),
        text("Status", "Whether it is bound.", CoreTables::phase),
        text("Claim", "The claim that it is bound to.", CoreTables::claimOf),
        text("StorageClass", "Its storage class.", CoreTables::storageClass),
        text(
            "VolumeAttributesClass",
            "Its class of volume attributes.",
            pathOr(UNSET, "spec", "volumeAttributesClassName")),
        text("Reason", "Why it is in its state.", path("status", "reason")),
        Cells.age(),
        text("VolumeMode", "File system or block device.", pathOr(UNSET, "spec", "volumeMode"))
            .wide());
  }

  private static String phase(JsonObject object) {
    return object.object("metadata").has("deletionTimestamp")
        ? "Terminating"
        : object.object("status").string("phase");
  }

  private static String claimOf(JsonObject volume) {
    var claim = volume.object("spec", "claimRef");
    return volume.object("spec").has("claimRef")
        ? claim.string("namespace") + "/" + claim.string("name")
        : "";
  }

  private static String storageClass(JsonObject object) {
    var annotations = object.object("metadata", "annotations");
    var beta = "volume.beta.kubernetes.io/storage-class";
    return annotations.has(beta)
        ? annotations.string(beta)
        : object.object("spec").string("storageClassName");
  }

  private static String modes(JsonObject holder) {
    var given = holder.get("accessModes") instanceof JsonArray array ? array.strings() : List.of();
    var texts = new ArrayList<String>();
    for (var mode :
        List.of(
            Map.entry("ReadWriteOnce", "RWO"),
            Map.entry("ReadOnlyMany", "ROX"),
            Map.entry("ReadWriteMany", "RWX"),
            Map.entry("ReadWriteOncePod", "RWOP"))) {
      if (given.contains(mode.getKey())) {
        texts.add(mode.getValue());
      }
    }
    return String.join(",", texts);
  }

  public static TableSpec claim() {
    return TableSpec.of(
        Cells.name(),
        text("Status", "Whether it is bound.", CoreTables::phase),
        text("Volume", "The volume that it is bound to.", path("spec", "volumeName")),
        text(
            "Capacity",
            "Size of its volume.",
            claim -> isBound(claim) ? quantity(claim.object("status", "capacity"), "storage") : ""),
        text(
            "Access Modes",
            "How its volume can be mounted.",
            claim -> isBound(claim) ? modes(claim.object("status")) : ""),
        text("StorageClass", "Its storage class.", CoreTables::storageClass),
        text(
            "VolumeAttributesClass",
            "Its class of volume attributes.",
            pathOr(UNSET, "spec", "volumeAttributesClassName")),
        Cells.age(),
        text("VolumeMode", "File system or block device.", pathOr(UNSET, "spec", "volumeMode"))
            .wide());
  }

  private static boolean isBound(JsonObject claim) {
    return !claim.object("spec").string("volumeName").isEmpty();
  }
}
