package dev.muster.validation.storage;

import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.FieldChecks.range;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.required;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.Names;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Validates the sources of persistent volumes, one rule for each kind. */
public final class VolumeSources {
  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}.-]+)(:[^,;*&$|\\s]+)\\z");
  private static final Pattern EUI = Pattern.compile("^eui.\\p{Alnum}{16}\\z");
  private static final Pattern NAA = Pattern.compile("^naa.\\p{Alnum}{32}\\z");

  /** A kind of volume: its field, its name in errors, and its rules. */
  record Source(String field, String shown, String inside, Rule rule) {
    Source(String field, Rule... rules) {
      this(field, field, field, Rule.all(rules));
    }
  }

  /** Defaults of the kinds that have any. */
  public static final Default DEFAULTS =
      Default.all(
          Default.in("hostPath", Default.code(VolumeSources::hostPathType)),
          Default.in(
              "rbd",
              Default.value("pool", "rbd"),
              Default.value("user", "admin"),
              Default.value("keyring", "/etc/ceph/keyring")),
          Default.in("iscsi", Default.value("iscsiInterface", "default")),
          Default.in(
              "azureDisk",
              Default.absent("cachingMode", "ReadWrite"),
              Default.absent("fsType", "ext4"),
              Default.value("readOnly", false),
              Default.absent("kind", "Shared")),
          Default.in(
              "scaleIO",
              Default.value("storageMode", "ThinProvisioned"),
              Default.value("fsType", "xfs")));

  static final List<Source> ALL =
      List.of(
          new Source("hostPath", VolumeSources::hostPath),
          new Source(
              "gcePersistentDisk",
              "gcePersistentDisk",
              "persistentDisk",
              Rule.all(required("pdName", ""), field("partition", VolumeSources::partition))),
          new Source(
              "awsElasticBlockStore",
              required("volumeID", ""),
              field("partition", VolumeSources::partition)),
          new Source(
              "glusterfs",
              required("endpoints", ""),
              required("path", ""),
              ifPresent("endpointsNamespace", VolumeSources::endpointsNamespace)),
          new Source("flocker", VolumeSources::flocker),
          new Source(
              "nfs",
              required("server", ""),
              required("path", ""),
              field("path", VolumeSources::absolute)),
          new Source("rbd", required("monitors", ""), required("image", "")),
          new Source("quobyte", VolumeSources::quobyte, required("volume", "")),
          new Source("cephfs", "cephFS", "cephfs", required("monitors", "")),
          new Source("iscsi", VolumeSources::iscsi),
          new Source(
              "cinder",
              required("volumeID", ""),
              ifPresent("secretRef", required("name", ""), required("namespace", ""))),
          new Source("fc", VolumeSources::fibreChannel),
          new Source("flexVolume", required("driver", ""), VolumeSources::flexOptions),
          new Source(
              "azureFile",
              required("secretName", ""),
              required("shareName", ""),
              ifPresent("secretNamespace", VolumeSources::notEmpty)),
          new Source("vsphereVolume", required("volumePath", "")),
          new Source("photonPersistentDisk", required("pdID", "")),
          new Source("portworxVolume", required("volumeID", "")),
          new Source("azureDisk", VolumeSources::azureDisk),
          new Source(
              "scaleIO",
              required("gateway", ""),
              required("system", ""),
              required("volumeName", "")),
          new Source("local", required("path", "", VolumeSources::noWayUp)),
          new Source(
              "storageos",
              required("volumeName", "", dnsLabel()),
              ifSet("volumeNamespace", dnsLabel()),
              ifPresent("secretRef", required("name", ""), required("namespace", ""))),
          new Source("csi", VolumeSources::csi));

  private VolumeSources() {}

  /** The rules of a kind that pods have, too. */
  public static Rule rule(String field) {
    return ALL.stream()
        .filter(source -> source.field().equals(field))
        .map(Source::rule)
        .findFirst()
        .orElseThrow();
  }

  private static JsonObject hostPathType(JsonObject hostPath) {
    return hostPath.has("type") ? hostPath : hostPath.with("type", "");
  }

  /** A path on the node without {@code ..}. */
  public static void hostPath(FieldCursor source) {
    var path = source.at("path");
    if (path.isEmpty()) {
      path.required("");
      return;
    }
    noWayUp(path);
    oneOf(
            "",
            "BlockDevice",
            "CharDevice",
            "Directory",
            "DirectoryOrCreate",
            "File",
            "FileOrCreate",
            "Socket")
        .check(source.at("type"));
  }

  /** Refuses a path with a {@code ..} segment. */
  public static void noWayUp(FieldCursor path) {
    if (Arrays.asList(path.text().split("/", -1)).contains("..")) {
      path.invalid("must not contain '..'");
    }
  }

  private static void partition(FieldCursor partition) {
    if (partition.integer() < 0 || partition.integer() > 255) {
      partition.invalid("must be between 1 and 255, inclusive");
    }
  }

  private static void endpointsNamespace(FieldCursor namespace) {
    if (namespace.isEmpty()) {
      namespace.invalid("if the endpointnamespace is set, it must be a valid namespace name");
    } else {
      dnsLabel().check(namespace);
    }
  }

  private static void flocker(FieldCursor source) {
    boolean name = !source.at("datasetName").isEmpty();
    boolean uuid = !source.at("datasetUUID").isEmpty();
    if (!name && !uuid) {
      source.required("one of datasetName and datasetUUID is required");
    }
    if (name && uuid) {
      source.invalid(
          Json.of("resource"), "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (source.at("datasetName").text().contains("/")) {
      source.at("datasetName").invalid("must not contain '/'");
    }
  }

  private static void absolute(FieldCursor path) {
    if (!path.text().startsWith("/")) {
      path.invalid("must be an absolute path");
    }
  }

  private static void quobyte(FieldCursor source) {
    var registry = source.at("registry");
    var rule = "must be a host:port pair or multiple pairs separated by commas";
    if (registry.isEmpty()) {
      registry.required(rule);
    } else if (GoText.bytes(source.at("tenant").text()) >= 65) {
      source.at("tenant").required("must be a UUID and may not exceed a length of 64 characters");
    } else {
      for (var pair : registry.text().split(",", -1)) {
        if (!isHostAndPort(pair)) {
          registry.invalid(rule);
        }
      }
    }
  }

  /**
   * Whether the text is a host, in brackets if it contains colons, with an optional colon and port;
   * the port may be empty.
   */
  private static boolean isHostAndPort(String pair) {
    int colon = pair.lastIndexOf(':');
    if (colon < 0) {
      return false;
    }
    boolean bracketed = pair.startsWith("[");
    var host = pair.substring(bracketed ? 1 : 0, colon);
    if (bracketed) {
      if (pair.indexOf(']') != colon - 1) {
        return false;
      }
      host = host.substring(0, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      return false;
    }
    var rest = host + pair.substring(colon + 1);
    return rest.indexOf('[') < 0 && rest.indexOf(']') < 0;
  }

  private static void iscsi(FieldCursor source) {
    var portal = source.at("targetPortal");
    var initiator = source.at("initiatorName");
    if (portal.isEmpty()) {
      portal.required("");
    }
    var volume = source.root().at("metadata", "name").text();
    if (initiator.isPresent() && GoText.bytes(volume + ":" + portal.text()) > 64) {
      source
          .at("targetportal")
          .invalid(
              Json.of(portal.text()),
              "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                  + " iscsi.initiatorName is specified.");
    }
    if (source.at("iqn").isEmpty()) {
      source.at("iqn").required("");
    } else {
      iscsiName(source.at("iqn"));
    }
    range(0, 255).check(source.at("lun"));
    var secret = source.at("secretRef");
    boolean authenticated =
        source.at("chapAuthDiscovery").isTrue() || source.at("chapAuthSession").isTrue();
    if (authenticated && secret.isAbsent()) {
      secret.required("");
    }
    if (secret.isPresent() && secret.at("name").isEmpty()) {
      secret.at("name").required("");
    }
    if (initiator.isPresent()) {
      iscsiName(source.at("initiatorname").with(initiator.value()));
    }
  }

  /** An iSCSI qualified name in one of its three forms. */
  public static void iscsiName(FieldCursor place) {
    var name = place.text();
    boolean valid =
        name.startsWith("iqn")
            ? IQN.matcher(name).find()
            : name.startsWith("eui")
                ? EUI.matcher(name).find()
                : name.startsWith("naa") && NAA.matcher(name).find();
    if (!valid) {
      place.invalid("must be valid format");
    }
  }

  private static void fibreChannel(FieldCursor source) {
    var targets = source.at("targetWWNs");
    if (targets.isEmpty() && source.at("wwids").isEmpty()) {
      targets.required("must specify either targetWWNs or wwids, but not both");
    }
    if (!targets.isEmpty() && !source.at("wwids").isEmpty()) {
      targets.invalid("targetWWNs and wwids can not be specified simultaneously");
    }
    if (!targets.isEmpty()) {
      if (source.at("lun").isAbsent()) {
        source.at("lun").required("lun is required if targetWWNs is specified");
      } else {
        range(0, 255).check(source.at("lun"));
      }
    }
  }

  private static void flexOptions(FieldCursor source) {
    for (var option : source.at("options").entries()) {
      int slash = option.name().indexOf('/');
      var domain = slash < 0 ? option.name() : option.name().substring(0, slash);
      var suffix = "." + domain.toLowerCase(Locale.ROOT);
      if (suffix.endsWith(".kubernetes.io") || suffix.endsWith(".k8s.io")) {
        option.invalid(Json.of(option.name()), "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  private static void notEmpty(FieldCursor place) {
    if (place.isEmpty()) {
      place.required("");
    }
  }

  private static void azureDisk(FieldCursor source) {
    var uri = source.at("diskURI");
    var kind = source.at("kind");
    required("diskName", "").check(source);
    required("diskURI", "").check(source);
    oneOf("None", "ReadOnly", "ReadWrite").check(source.at("cachingMode"));
    oneOf("Dedicated", "Managed", "Shared").check(kind);
    if (kind.isText("Managed") && !uri.text().startsWith("/subscriptions/")) {
      uri.notSupported(
          List.of(
              "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"));
    }
    if (kind.isPresent() && !kind.isText("Managed") && !uri.text().startsWith("https://")) {
      uri.notSupported(
          List.of("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
    }
  }

  private static void csi(FieldCursor source) {
    driverName(source.at("driver"));
    required("volumeHandle", "").check(source);
    for (var name :
        List.of(
            "controllerPublishSecretRef",
            "controllerExpandSecretRef",
            "nodePublishSecretRef",
            "nodeExpandSecretRef")) {
      ifPresent(name, required("name", "", dnsSubdomain()), required("namespace", "", dnsLabel()))
          .check(source);
    }
  }

  /** The name of a CSI driver: a domain in any case. */
  public static void driverName(FieldCursor driver) {
    if (driver.isEmpty()) {
      driver.required("");
      return;
    }
    if (GoText.bytes(driver.text()) > 63) {
      driver.tooLong(63);
    }
    driver.invalidEach(Names.dnsSubdomain(driver.text().toLowerCase(Locale.ROOT)));
  }
}
