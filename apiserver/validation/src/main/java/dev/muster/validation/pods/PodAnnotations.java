package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.pods.containers.ContainerRules;
import dev.muster.validation.pods.containers.PodFiles;
import dev.muster.validation.pods.scheduling.TolerationAnnotation;

/** Validates annotations with a meaning for pods, many of which preceded a field. */
final class PodAnnotations {
  private PodAnnotations() {}

  /** Requires that annotations and fields agree. */
  static void match(FieldCursor annotations, FieldCursor spec) {
    var profile = spec.at("securityContext", "seccompProfile");
    var key = "seccomp.security.alpha.kubernetes.io/pod";
    if (profile.isPresent() && annotations.has(key)) {
      matchProfile(profile, annotations.entry(key).text(), "seccomp");
    }
    ContainerRules.containers(spec)
        .forEach(
            container -> {
              var own = container.at("securityContext", "seccompProfile");
              var name = "container.seccomp.security.alpha.kubernetes.io/" + nameOf(container);
              if (own.isPresent() && annotations.has(name)) {
                matchProfile(own, annotations.entry(name).text(), "seccomp");
              }
            });
    if (spec.at("os", "name").isText("windows")) {
      return;
    }
    var ofPod = spec.at("securityContext", "appArmorProfile");
    ContainerRules.containers(spec)
        .forEach(
            container -> {
              var own = container.at("securityContext", "appArmorProfile");
              var name = AppArmor.ANNOTATION + nameOf(container);
              if (annotations.has(name) && (own.isPresent() || ofPod.isPresent())) {
                matchProfile(
                    own.isPresent() ? own : own.with(ofPod.value()),
                    annotations.entry(name).text(),
                    "apparmor");
              }
            });
  }

  private static String nameOf(FieldCursor container) {
    return container.at("name").text();
  }

  private static void matchProfile(FieldCursor profile, String annotation, String what) {
    boolean matches =
        switch (profile.at("type").text()) {
          case "Unconfined" -> annotation.equals("unconfined");
          case "RuntimeDefault" ->
              annotation.equals("runtime/default")
                  || (what.equals("seccomp") && annotation.equals("docker/default"));
          case "Localhost" -> annotation.startsWith(AppArmor.LOCALHOST);
          default -> true;
        };
    if (!matches) {
      profile.at("type").forbidden(what + " type in annotation and field must match");
    } else if (profile.at("type").isText("Localhost")
        && !annotation
            .substring(AppArmor.LOCALHOST.length())
            .equals(profile.at("localhostProfile").text())) {
      profile
          .at("localhostProfile")
          .forbidden(what + " profile in annotation and field must match");
    }
  }

  static void check(FieldCursor annotations, FieldCursor spec) {
    var mirror = annotations.entry("kubernetes.io/config.mirror");
    if (mirror.isPresent() && spec.at("nodeName").isEmpty()) {
      mirror.invalid("must set spec.nodeName if mirror pod annotation is set");
    }
    TolerationAnnotation.check(annotations);
    var cost = annotations.entry("controller.kubernetes.io/pod-deletion-cost");
    if (cost.isPresent() && !isInt32(cost.text()) && !hadBadCost(cost.before())) {
      cost.invalid("must be a 32bit integer");
    }
    for (var entry : annotations.entries()) {
      var name = entry.name();
      if (name.equals("seccomp.security.alpha.kubernetes.io/pod")
          || name.startsWith("container.seccomp.security.alpha.kubernetes.io/")) {
        seccompAnnotation(annotations.at(name), entry.text());
      }
    }
    for (var entry : annotations.entries()) {
      if (entry.name().startsWith(AppArmor.ANNOTATION)) {
        appArmorAnnotation(entry, spec);
      }
    }
  }

  private static boolean hadBadCost(FieldCursor before) {
    return before.isPresent() && !isInt32(before.text());
  }

  /** Whether the text is an integer with an optional minus sign and no leading zeros. */
  private static boolean isInt32(String text) {
    boolean negative = text.startsWith("-");
    int digits = negative ? 1 : 0;
    if (text.length() == digits || (!negative && text.startsWith("0") && !text.equals("0"))) {
      return false;
    }
    long value = 0;
    for (int i = digits; i < text.length(); i++) {
      char c = text.charAt(i);
      value = value * 10 + (c - '0');
      if (c < '0' || c > '9' || value > Integer.MAX_VALUE + (negative ? 1L : 0L)) {
        return false;
      }
    }
    return true;
  }

  private static void seccompAnnotation(FieldCursor place, String profile) {
    switch (profile) {
      case "runtime/default", "docker/default", "unconfined" -> {}
      default -> {
        if (profile.startsWith(AppArmor.LOCALHOST)) {
          PodFiles.descending(place, profile.substring(AppArmor.LOCALHOST.length()));
        } else {
          place.invalid(Json.of(profile), "must be a valid seccomp profile");
        }
      }
    }
  }

  private static void appArmorAnnotation(FieldCursor entry, FieldCursor spec) {
    var container = entry.name().substring(AppArmor.ANNOTATION.length());
    if (!DisabledFields.anyContainer(spec.object(), one -> one.string("name").equals(container))) {
      entry.invalid(Json.of(container), "container not found");
    }
    var profile = entry.text();
    if (!profile.isEmpty()
        && !profile.equals("runtime/default")
        && !profile.equals("unconfined")
        && !profile.startsWith(AppArmor.LOCALHOST)) {
      entry.report(
          FieldError.invalid(
              entry.path(), profile, "invalid AppArmor profile name: " + GoText.quote(profile)));
    }
  }
}
