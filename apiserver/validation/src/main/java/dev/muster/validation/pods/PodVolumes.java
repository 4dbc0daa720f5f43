package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.containers.Environment;
import dev.muster.validation.pods.containers.PodFiles;
import dev.muster.validation.storage.ClaimRules;
import dev.muster.validation.storage.VolumeSources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validates the volumes of a pod. */
final class PodVolumes {
  private static final List<String> FIELDS =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");
  private static final List<String> FOREIGN_METADATA =
      List.of(
          "name",
          "generateName",
          "namespace",
          "selfLink",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "ownerReferences",
          "finalizers",
          "managedFields");

  /** A kind of volume: its field, its name in errors, and its rules. */
  private record Kind(String field, String shown, String inside, Rule rule) {
    Kind(String field, Rule rule) {
      this(field, field, field, rule);
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind("emptyDir", PodVolumes::emptyDir),
          new Kind("hostPath", VolumeSources::hostPath),
          new Kind("gitRepo", PodVolumes::gitRepo),
          new Kind(
              "gcePersistentDisk",
              "gcePersistentDisk",
              "persistentDisk",
              VolumeSources.rule("gcePersistentDisk")),
          shared("awsElasticBlockStore"),
          new Kind("secret", source -> keys(source, "secretName")),
          shared("nfs"),
          new Kind("iscsi", PodVolumes::iscsi),
          new Kind(
              "glusterfs", Rule.all(Rules.required("endpoints", ""), Rules.required("path", ""))),
          shared("flocker"),
          new Kind("persistentVolumeClaim", Rules.required("claimName", "")),
          shared("rbd"),
          new Kind(
              "cinder",
              Rule.all(
                  Rules.required("volumeID", ""),
                  Rules.ifPresent("secretRef", Rules.required("name", "")))),
          new Kind("cephfs", "cephFS", "cephfs", Rules.required("monitors", "")),
          shared("quobyte"),
          new Kind("downwardAPI", "downwarAPI", "downwardAPI", PodVolumes::downward),
          shared("fc"),
          shared("flexVolume"),
          new Kind("configMap", source -> keys(source, "name")),
          new Kind(
              "azureFile",
              Rule.all(Rules.required("secretName", ""), Rules.required("shareName", ""))),
          shared("vsphereVolume"),
          shared("photonPersistentDisk"),
          shared("portworxVolume"),
          shared("azureDisk"),
          new Kind(
              "storageos",
              Rule.all(
                  Rules.required("volumeName", "", FieldChecks.dnsLabel()),
                  Rules.ifSet("volumeNamespace", FieldChecks.dnsLabel()),
                  Rules.ifPresent("secretRef", Rules.required("name", "")))),
          new Kind("projected", PodVolumes::projected),
          shared("scaleIO"),
          new Kind("csi", PodVolumes::csi),
          new Kind("ephemeral", PodVolumes::ephemeral),
          new Kind("image", PodVolumes::image));

  private PodVolumes() {}

  private static Kind shared(String field) {
    return new Kind(field, VolumeSources.rule(field));
  }

  /**
   * Validates the volumes.
   *
   * @param pod the name of the pod, or "" for templates
   * @return the valid volumes by name
   */
  static Map<String, JsonObject> check(FieldCursor volumes, String pod) {
    var valid = new LinkedHashMap<String, JsonObject>();
    var claims = new HashSet<String>();
    for (var volume : volumes.array().objects()) {
      if (volume.has("ephemeral") && !pod.isEmpty()) {
        claims.add(pod + "-" + volume.string("name"));
      }
    }
    for (var volume : volumes.items()) {
      var errors = new ArrayList<FieldError>();
      volume(volume.collectingInto(errors), pod);
      var name = volume.at("name");
      if (valid.containsKey(name.text())) {
        errors.add(FieldError.duplicate(name.path(), Json.of(name.text())));
      }
      errors.forEach(volume::report);
      if (errors.isEmpty()) {
        valid.put(name.text(), volume.object());
      }
      var claim = volume.at("persistentVolumeClaim", "claimName");
      if (claims.contains(claim.text())) {
        claim.invalid("must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return valid;
  }

  private static void volume(FieldCursor volume, String pod) {
    boolean found = false;
    var name = volume.at("name");
    for (var kind : KINDS) {
      var source = volume.at(kind.field());
      if (source.isAbsent()) {
        continue;
      }
      if (found) {
        volume.at(kind.shown()).forbidden("may not specify more than 1 volume type");
      } else {
        kind.rule().check(volume.at(kind.inside()).with(source.value()));
        if (kind.field().equals("ephemeral")) {
          claimName(name, pod);
        }
      }
      found = true;
      if (kind.field().equals("iscsi")) {
        portal(source, name);
      }
    }
    if (!found) {
      volume.required("must specify a volume type");
    }
    ValueChecks.required(name, Names::dnsLabel);
  }

  private static void claimName(FieldCursor name, String pod) {
    if (!pod.isEmpty() && !name.isEmpty()) {
      var claim = pod + "-" + name.text();
      for (var problem : Names.dnsSubdomain(claim)) {
        name.invalid("PVC name " + GoText.quote(claim) + ": " + problem);
      }
    }
  }

  private static void portal(FieldCursor source, FieldCursor name) {
    if (source.has("initiatorName")
        && GoText.bytes(name.text() + ":" + source.at("targetPortal").text()) > 64) {
      name.invalid(
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
              + " iscsi.initiatorName is specified.");
    }
  }

  private static void emptyDir(FieldCursor source) {
    if (Resources.amount(source.at("sizeLimit")).signum() < 0) {
      source.at("sizeLimit").forbidden("SizeLimit field must be a valid resource quantity");
    }
  }

  private static void gitRepo(FieldCursor source) {
    if (source.at("repository").isEmpty()) {
      source.at("repository").required("");
    }
    PodFiles.descending(source.at("directory"), source.at("directory").text());
  }

  private static void keys(FieldCursor source, String nameField) {
    if (source.at(nameField).isEmpty()) {
      source.at(nameField).required("");
    }
    PodFiles.fileMode(source.at("defaultMode"));
    source.at("items").items().forEach(PodVolumes::keyToPath);
  }

  private static void keyToPath(FieldCursor item) {
    if (item.at("key").isEmpty()) {
      item.at("key").required("");
    }
    if (item.at("path").isEmpty()) {
      item.at("path").required("");
    }
    PodFiles.unreserved(item.at("path"), item.at("path").text());
    PodFiles.fileMode(item.at("mode"));
  }

  private static void iscsi(FieldCursor source) {
    if (source.at("targetPortal").isEmpty()) {
      source.at("targetPortal").required("");
    }
    var qualified = source.at("iqn");
    if (qualified.isEmpty()) {
      qualified.required("");
    } else if (startsLikeName(qualified.text())) {
      VolumeSources.iscsiName(qualified);
    } else {
      qualified.invalid("must be valid format starting with iqn, eui, or naa");
    }
    FieldChecks.range(0, 255).check(source.at("lun"));
    boolean authenticated =
        source.at("chapAuthDiscovery").isTrue() || source.at("chapAuthSession").isTrue();
    if (authenticated && !source.has("secretRef")) {
      source.at("secretRef").required("");
    }
    if (source.has("initiatorName")) {
      var initiator = source.at("initiatorname").with(source.at("initiatorName").value());
      if (startsLikeName(initiator.text())) {
        VolumeSources.iscsiName(initiator);
      } else {
        initiator.invalid("must be valid format starting with iqn, eui, or naa");
      }
    }
  }

  private static boolean startsLikeName(String text) {
    return text.startsWith("iqn") || text.startsWith("eui") || text.startsWith("naa");
  }

  private static void downward(FieldCursor source) {
    PodFiles.fileMode(source.at("defaultMode"));
    source.at("items").array().objects().forEach(file -> downwardFile(source.with(file)));
  }

  private static void downwardFile(FieldCursor file) {
    var path = file.at("path");
    if (path.isEmpty()) {
      path.required("");
    }
    PodFiles.unreserved(path, path.text());
    if (file.has("fieldRef")) {
      Environment.objectField(file.at("fieldRef"), FIELDS);
      if (file.has("resourceFieldRef")) {
        file.invalid(
            Json.of("resource"),
            "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (file.has("resourceFieldRef")) {
      Environment.resourceField(file.at("resourceFieldRef"), true);
    } else {
      file.required("one of fieldRef and resourceFieldRef is required");
    }
    PodFiles.fileMode(file.at("mode"));
  }

  private static void projected(FieldCursor projected) {
    PodFiles.fileMode(projected.at("defaultMode"));
    var paths = new HashSet<String>();
    for (var source : projected.at("sources").items()) {
      for (var kind : List.of("secret", "configMap")) {
        var keys = source.at(kind);
        if (keys.isAbsent()) {
          continue;
        }
        if (keys.at("name").isEmpty()) {
          keys.at("name").required("");
        }
        for (var item : keys.at("items").items()) {
          keyToPath(item);
          conflict(projected, item.at("path").text(), keys.at("name").text(), paths);
        }
      }
      var downward = source.at("downwardAPI");
      for (var file : downward.at("items").array().objects()) {
        downwardFile(downward.with(file));
        conflict(projected, file.string("path"), file.string("path"), paths);
      }
      token(projected, source.at("serviceAccountToken"));
      if (source.object().size() > 1) {
        source.forbidden("may not specify more than 1 volume type per source");
      }
    }
  }

  private static void conflict(
      FieldCursor projected, String path, String shown, Set<String> paths) {
    if (!path.isEmpty() && !paths.add(path)) {
      projected.invalid(Json.of(shown), "conflicting duplicate paths");
    }
  }

  /**
   * Whether the old pod has a token whose path leads out of its volume, which older servers
   * accepted.
   */
  private static boolean hadFarToken(FieldCursor projected) {
    return projected.at("sources").items().stream()
        .map(source -> source.at("serviceAccountToken", "path"))
        .anyMatch(path -> Rules.breaks(path, place -> PodFiles.unreserved(place, place.text())));
  }

  private static void token(FieldCursor projected, FieldCursor token) {
    if (token.isAbsent()) {
      return;
    }
    var seconds = token.at("expirationSeconds");
    if (seconds.integer() < 600) {
      ValueChecks.invalidNumber(seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds.integer() > 1L << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
    if (token.at("path").isEmpty()) {
      projected.at("path").required("");
    } else if (!hadFarToken(projected.before())) {
      PodFiles.unreserved(projected.at("path"), token.at("path").text());
    }
  }

  private static void csi(FieldCursor source) {
    VolumeSources.driverName(source.at("driver"));
    var secret = source.at("nodePublishSecretRef");
    if (secret.isPresent()) {
      if (secret.at("name").isEmpty()) {
        secret.at("name").required("");
      } else {
        source
            .at("name")
            .with(secret.at("name").value())
            .invalidEach(Names.dnsSubdomain(secret.at("name").text()));
      }
    }
  }

  private static void ephemeral(FieldCursor source) {
    var template = source.at("volumeClaimTemplate");
    if (template.isAbsent()) {
      template.required("");
      return;
    }
    var metadata = template.at("metadata");
    FieldChecks.annotations().check(metadata.at("annotations"));
    FieldChecks.labels().check(metadata.at("labels"));
    for (var field : FOREIGN_METADATA) {
      if (isSet(metadata.at(field))) {
        metadata.at(field.equals("uid") ? "uID" : field).forbidden("cannot be set");
      }
    }
    ClaimRules.SPEC.check(template.at("spec").asNew());
  }

  /** Whether the field is present, even as an empty list. */
  private static boolean isSet(FieldCursor field) {
    return !field.isEmpty() || field.value() instanceof JsonArray;
  }

  private static void image(FieldCursor source) {
    boolean inPod = source.path().text().startsWith("spec.volumes");
    if (inPod && source.at("reference").isEmpty()) {
      source.at("reference").required("");
    }
    ValueChecks.choice(source.at("pullPolicy"), "Always", "IfNotPresent", "Never");
  }
}
