package dev.muster.controllers.tokens;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which service account token Secrets are unused. */
final class UnusedTokens {
  static final String LAST_USED = "kubernetes.io/legacy-token-last-used";
  static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";

  private UnusedTokens() {}

  /** The action for a Secret. */
  enum Step {
    KEEP,
    MARK_INVALID,
    DELETE
  }

  /**
   * @param account the service account that the Secret names, if it exists
   * @param mounted the names of Secrets that pods of the namespace use
   */
  static Step step(
      JsonObject secret,
      @Nullable JsonObject account,
      Set<String> mounted,
      Duration unused,
      Instant now) {
    var metadata = secret.object("metadata");
    var name = metadata.string("name");
    var created = Timestamps.read(metadata.get("creationTimestamp"));
    var border = now.minus(unused);
    var day = LocalDate.ofInstant(border, ZoneOffset.UTC);
    if (!secret.string("type").equals("kubernetes.io/service-account-token")
        || metadata.has("deletionTimestamp")
        || created == null
        || !created.isBefore(border)
        || account == null
        || !isMadeFor(secret, account)
        || mounted.contains(name)) {
      return Step.KEEP;
    }
    var labels = metadata.object("labels");
    if (labels.has(LAST_USED)) {
      var used = date(labels.string(LAST_USED));
      if (used.isEmpty() || !used.get().isBefore(day)) {
        return Step.KEEP;
      }
    }
    var invalid = date(labels.string(INVALID_SINCE));
    if (invalid.isEmpty()) {
      return Step.MARK_INVALID;
    }
    return invalid.get().isBefore(day) ? Step.DELETE : Step.KEEP;
  }

  /** Generated Secrets are in the service account's list; manually created ones are not. */
  private static boolean isMadeFor(JsonObject secret, JsonObject account) {
    var uid =
        secret.object("metadata").object("annotations").string("kubernetes.io/service-account.uid");
    var name = secret.object("metadata").string("name");
    return (uid.isEmpty() || uid.equals(account.object("metadata").string("uid")))
        && account.array("secrets").objects().stream()
            .anyMatch(reference -> reference.string("name").equals(name));
  }

  static Optional<LocalDate> date(String text) {
    try {
      return Optional.of(LocalDate.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The Secrets that a pod refers to. */
  static Set<String> mounted(JsonObject pod) {
    var names = new LinkedHashSet<String>();
    var spec = pod.object("spec");
    spec.array("imagePullSecrets").objects().forEach(one -> names.add(one.string("name")));
    for (var field : new String[] {"containers", "initContainers", "ephemeralContainers"}) {
      for (var container : spec.array(field).objects()) {
        for (var variable : container.array("env").objects()) {
          names.add(variable.object("valueFrom", "secretKeyRef").string("name"));
        }
        for (var source : container.array("envFrom").objects()) {
          names.add(source.object("secretRef").string("name"));
        }
      }
    }
    for (var volume : spec.array("volumes").objects()) {
      names.add(volume.object("secret").string("secretName"));
      for (var source : volume.object("projected").array("sources").objects()) {
        names.add(source.object("secret").string("name"));
      }
      for (var driver :
          new String[] {"cephfs", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos"}) {
        names.add(volume.object(driver, "secretRef").string("name"));
      }
      names.add(volume.object("azureFile").string("secretName"));
      names.add(volume.object("csi", "nodePublishSecretRef").string("name"));
    }
    names.remove("");
    return names;
  }
}
