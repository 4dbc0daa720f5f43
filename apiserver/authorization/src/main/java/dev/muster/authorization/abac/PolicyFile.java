package dev.muster.authorization.abac;

import dev.muster.model.FileProblems;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads an ABAC policy file with one JSON policy per line. Lines without a version use the oldest
 * format, in which an empty field matches everything. Empty lines and comments are skipped.
 */
final class PolicyFile {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);
  private static final String GROUP = "abac.authorization.kubernetes.io/";
  private static final String ALL = "*";

  /** Upstream's limit for one line. */
  private static final int LONGEST_LINE = 64 * 1024;

  private PolicyFile() {}

  static List<AbacPolicy> read(Path file) {
    String text;
    try {
      text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "error reading policy file: " + FileProblems.text(file, e), e);
    }
    var policies = new ArrayList<AbacPolicy>();
    var lines = text.split("\n", -1);
    int unversioned = 0;
    for (int i = 0; i < lines.length; i++) {
      var line = lines[i].strip();
      if (lines[i].length() >= LONGEST_LINE) {
        throw new IllegalArgumentException(
            "error reading policy file " + file + ": bufio.Scanner: token too long");
      }
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        var policy = object(line);
        unversioned += isVersioned(policy) ? 0 : 1;
        policies.add(isVersioned(policy) ? versioned(policy) : unversioned(policy));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "error reading policy file %s, line %d: %s: %s"
                .formatted(file, i + 1, line, e.getMessage()));
      }
    }
    if (unversioned > 0) {
      LOG.warn("Policy file {} contained unversioned rules", file);
    }
    return policies;
  }

  private static JsonObject object(String line) {
    try {
      if (JsonReader.read(line.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject policy) {
        return policy;
      }
      throw new IllegalArgumentException("not an object");
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e.text());
    }
  }

  private static boolean isVersioned(JsonObject policy) {
    return !policy.string("apiVersion").isEmpty() || !policy.string("kind").isEmpty();
  }

  private static AbacPolicy versioned(JsonObject policy) {
    var version = policy.string("apiVersion");
    if (!policy.string("kind").equals("Policy")
        || !(version.equals(GROUP + "v1beta1") || version.equals(GROUP + "v0"))) {
      throw new IllegalArgumentException(
          "no kind %s is registered for version %s"
              .formatted(GoText.quote(policy.string("kind")), GoText.quote(version)));
    }
    if (version.equals(GROUP + "v0")) {
      return unversioned(policy);
    }
    var spec = policy.object("spec");
    checkTexts(spec, "spec.");
    boolean everybody = spec.string("user").equals(ALL) || spec.string("group").equals(ALL);
    return new AbacPolicy(
        everybody ? "" : spec.string("user"),
        everybody ? User.ALL_AUTHENTICATED : spec.string("group"),
        spec.isTrue("readonly"),
        spec.string("apiGroup"),
        spec.string("resource"),
        spec.string("namespace"),
        spec.string("nonResourcePath"));
  }

  private static AbacPolicy unversioned(JsonObject policy) {
    checkTexts(policy, "");
    var user = policy.string("user");
    var group = policy.string("group");
    var resource = policy.string("resource");
    var namespace = policy.string("namespace");
    boolean everybody =
        user.equals(ALL) || group.equals(ALL) || (user.isEmpty() && group.isEmpty());
    return new AbacPolicy(
        everybody ? "" : user,
        everybody ? User.ALL_AUTHENTICATED : group,
        policy.isTrue("readonly"),
        ALL,
        resource.isEmpty() ? ALL : resource,
        namespace.isEmpty() ? ALL : namespace,
        resource.isEmpty() && namespace.isEmpty() ? ALL : "");
  }

  /**
   * Refuses fields of another type: they would be read as empty, and an empty field may match more.
   */
  private static void checkTexts(JsonObject fields, String path) {
    for (int i = 0; i < fields.size(); i++) {
      var key = fields.key(i);
      var value = fields.value(i);
      boolean right =
          switch (key) {
            case "readonly" -> value instanceof JsonBool;
            case "user", "group", "apiGroup", "resource", "namespace", "nonResourcePath" ->
                value instanceof JsonString;
            default -> true;
          };
      if (!right) {
        throw new IllegalArgumentException(
            path + key + ": unexpected " + GoText.kind(value) + " value");
      }
    }
  }
}
