package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.UNSET;
import static dev.muster.types.table.Cells.flag;
import static dev.muster.types.table.Cells.integer;
import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.size;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;

/** The tables of storage resources. */
public final class StorageTables {
  private StorageTables() {}

  public static TableSpec storageClass() {
    return TableSpec.of(
        Cells.name(StorageTables::nameAndDefault),
        text("Provisioner", "Who makes the volumes.", path("provisioner")),
        text(
            "ReclaimPolicy",
            "What becomes of volumes without a claim.",
            pathOr("Delete", "reclaimPolicy")),
        text(
            "VolumeBindingMode",
            "When volumes are made.",
            pathOr("Immediate", "volumeBindingMode")),
        new Column(
            "AllowVolumeExpansion",
            "string",
            "",
            0,
            "Whether volumes can grow.",
            (o, now) -> Json.of(o.isTrue("allowVolumeExpansion"))),
        Cells.age());
  }

  private static String nameAndDefault(JsonObject object) {
    var annotations = object.object("metadata", "annotations");
    boolean standard =
        annotations.string("storageclass.kubernetes.io/is-default-class").equals("true")
            || annotations
                .string("storageclass.beta.kubernetes.io/is-default-class")
                .equals("true");
    return object.object("metadata").string("name") + (standard ? " (default)" : "");
  }

  public static TableSpec driver() {
    return TableSpec.of(
        Cells.name(),
        flag(
            "AttachRequired",
            "Whether volumes are attached before they are mounted.",
            o -> o.object("spec").get("attachRequired") != JsonBool.FALSE),
        flag(
            "PodInfoOnMount",
            "Whether the driver is told about the pod.",
            o -> o.object("spec").isTrue("podInfoOnMount")),
        flag(
            "StorageCapacity",
            "Whether free capacity is looked at.",
            o -> o.object("spec").isTrue("storageCapacity")),
        text("TokenRequests", "Audiences of the tokens it gets.", StorageTables::audiences),
        flag(
            "RequiresRepublish",
            "Whether volumes are mounted again from time to time.",
            o -> o.object("spec").isTrue("requiresRepublish")),
        text(
            "Modes",
            "Lifecycles of its volumes.",
            o ->
                orElse(
                    String.join(",", o.object("spec").array("volumeLifecycleModes").strings()),
                    NONE)),
        Cells.age());
  }

  private static String audiences(JsonObject driver) {
    if (!(driver.object("spec").get("tokenRequests") instanceof JsonArray requests)) {
      return UNSET;
    }
    var texts = new ArrayList<String>();
    requests.objects().forEach(request -> texts.add(request.string("audience")));
    return String.join(",", texts);
  }

  public static TableSpec node() {
    return TableSpec.of(
        Cells.name(),
        integer("Drivers", "How many drivers the node has.", size("spec", "drivers")),
        Cells.age());
  }

  public static TableSpec attachment() {
    return TableSpec.of(
        Cells.name(),
        new Column(
            "Attacher",
            "string",
            "name",
            0,
            "The driver that attaches the volume.",
            (o, now) -> Json.of(path("spec", "attacher").apply(o))),
        text("PV", "The volume.", path("spec", "source", "persistentVolumeName")),
        text("Node", "The node it should be attached to.", path("spec", "nodeName")),
        flag("Attached", "Whether it is attached.", o -> o.object("status").isTrue("attached")),
        Cells.age());
  }

  public static TableSpec attributesClass() {
    return TableSpec.of(
        Cells.name(), text("DriverName", "The driver it is for.", path("driverName")), Cells.age());
  }
}
