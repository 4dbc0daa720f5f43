package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/** Validates volume mounts and volume devices of containers. */
public final class Mounts {
  private Mounts() {}

  /**
   * @param volumes the valid volumes of the pod, by name
   */
  static void check(FieldCursor container, Map<String, JsonObject> volumes) {
    mounts(container, volumes);
    devices(container, volumes);
  }

  private static void mounts(FieldCursor container, Map<String, JsonObject> volumes) {
    var all = container.at("volumeMounts");
    var devices = paths(container.at("volumeDevices"), "devicePath");
    var devicePaths = new HashSet<>(devices.values());
    var paths = new HashSet<String>();
    for (var mount : all.items()) {
      var name = mount.at("name");
      var path = mount.at("mountPath");
      if (name.isEmpty()) {
        name.required("");
      }
      if (!volumes.containsKey(name.text())) {
        ValueChecks.notFound(name);
      }
      if (path.isEmpty()) {
        path.required("");
      }
      if (!paths.add(path.text())) {
        path.invalid("must be unique");
      }
      if (devices.containsKey(name.text())) {
        name.invalid("must not already exist in volumeDevices");
      }
      if (devicePaths.contains(path.text())) {
        path.invalid("must not already exist as a path in volumeDevices");
      }
      parts(all, mount);
      propagation(all.at("mountPropagation").with(mount.at("mountPropagation").value()), container);
      recursive(all.at("recursiveReadOnly").with(mount.at("recursiveReadOnly").value()), mount);
    }
  }

  /** The path of each volume; for a volume with several paths, the last one. */
  private static Map<String, String> paths(FieldCursor list, String field) {
    if (list.isEmpty()) {
      return Map.of();
    }
    var found = new HashMap<String, String>();
    for (var item : list.array().objects()) {
      found.put(item.string("name"), item.string(field));
    }
    return found;
  }

  private static void parts(FieldCursor all, FieldCursor mount) {
    var path = mount.at("subPath");
    var expression = mount.at("subPathExpr");
    if (!path.isEmpty()) {
      PodFiles.descending(all.at("subPath"), path.text());
    }
    if (!expression.isEmpty()) {
      if (!path.isEmpty()) {
        expression.invalid("subPathExpr and subPath are mutually exclusive");
      }
      PodFiles.descending(all.at("subPathExpr"), expression.text());
    }
  }

  private static void propagation(FieldCursor mode, FieldCursor container) {
    ValueChecks.optionalChoice(mode, "Bidirectional", "HostToContainer", "None");
    if (mode.isText("Bidirectional") && !container.at("securityContext", "privileged").isTrue()) {
      mode.forbidden("Bidirectional mount propagation is available only to privileged containers");
    }
  }

  private static void recursive(FieldCursor mode, FieldCursor mount) {
    if (mode.isAbsent()) {
      return;
    }
    switch (mode.text()) {
      case "Disabled" -> {}
      case "Enabled", "IfPossible" -> {
        if (!mount.at("readOnly").isTrue()) {
          mode.forbidden("may only be specified when readOnly is true");
        }
        var propagation = mount.at("mountPropagation");
        if (propagation.isPresent() && !propagation.isText("None")) {
          mode.forbidden("may only be specified when mountPropagation is None or not specified");
        }
      }
      default -> ValueChecks.optionalChoice(mode, "Disabled", "Enabled", "IfPossible");
    }
  }

  private static void devices(FieldCursor container, Map<String, JsonObject> volumes) {
    var mounts = paths(container.at("volumeMounts"), "mountPath");
    var mountPaths = new HashSet<>(mounts.values());
    var paths = new HashSet<String>();
    var names = new HashSet<String>();
    for (var device : container.at("volumeDevices").items()) {
      var name = device.at("name");
      var path = device.at("devicePath");
      var volume = volumes.get(name.text());
      if (name.isEmpty()) {
        name.required("");
      }
      if (names.contains(name.text())) {
        name.invalid("must be unique");
      }
      if (volume == null) {
        ValueChecks.notFound(name);
      } else if (!volume.has("persistentVolumeClaim") && !volume.has("ephemeral")) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      if (path.isEmpty()) {
        path.required("");
      }
      if (paths.contains(path.text())) {
        path.invalid(Json.of(path.text()), "must be unique");
      }
      if (Arrays.asList(path.text().split("/", -1)).contains("..")) {
        path.invalid("can not contain backsteps ('..')");
      } else {
        paths.add(path.text());
      }
      if (mounts.containsKey(name.text())) {
        name.invalid("must not already exist in volumeMounts");
      }
      if (mountPaths.contains(path.text())) {
        path.invalid("must not already exist as a path in volumeMounts");
      }
      if (!name.isEmpty()) {
        names.add(name.text());
      }
    }
  }

  /** Requires volumes for environment variables that come from files. */
  public static void files(FieldCursor spec, FieldCursor container) {
    for (var variable : container.at("env").items()) {
      var file = variable.at("valueFrom", "fileKeyRef");
      if (file.isAbsent()) {
        continue;
      }
      var name = file.at("volumeName");
      JsonObject volume = null;
      for (var candidate : spec.at("volumes").array().objects()) {
        volume = candidate.string("name").equals(name.text()) ? candidate : volume;
      }
      if (volume == null) {
        ValueChecks.notFound(name);
      } else if (!volume.has("emptyDir")) {
        name.invalid("referenced volume must be of type emptyDir");
      }
    }
  }
}
