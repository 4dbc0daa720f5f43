package dev.muster.authorization.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every role and binding of a first start is the one of Kubernetes 1.36, rule by rule. The file has
 * a digest of each, taken from the objects that kube-apiserver 1.36.4 made: what differs here
 * differs from Kubernetes.
 */
class RbacFactsTest {
  private static final List<String> PARTS =
      List.of("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs");

  private static List<String> facts() throws IOException {
    try (var in = RbacFactsTest.class.getResourceAsStream("rbac-1.36.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }

  private static Stream<String> labels(String what, JsonObject labels) {
    return labels.keys().stream().sorted().map(key -> what + key + "=" + labels.string(key));
  }

  private static String digest(JsonObject object) {
    var text = new ArrayList<String>();
    labels("label ", object.object("metadata").object("labels")).forEach(text::add);
    for (var selector : object.object("aggregationRule").array("clusterRoleSelectors").objects()) {
      labels("gathers ", selector.object("matchLabels")).forEach(text::add);
    }
    for (var rule : object.array("rules").objects()) {
      text.add(
          "rule "
              + String.join(
                  "|",
                  PARTS.stream()
                      .map(part -> String.join(",", rule.array(part).strings()))
                      .toList()));
    }
    for (var subject : object.array("subjects").objects()) {
      text.add(
          "subject %s %s/%s"
              .formatted(
                  subject.string("kind"), subject.string("namespace"), subject.string("name")));
    }
    if (object.has("roleRef")) {
      var role = object.object("roleRef");
      text.add("role " + role.string("kind") + " " + role.string("name"));
    }
    try {
      var bytes = String.join("\n", text).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
          .substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rolesAndBindingsAreThoseOfKubernetes() throws IOException {
    var ours =
        RbacDefaults.all(gate -> false).stream()
            .map(BootstrapObject::object)
            .map(
                object ->
                    "%s %s/%s %s"
                        .formatted(
                            object.string("kind"),
                            object.object("metadata").string("namespace"),
                            object.object("metadata").string("name"),
                            digest(object)))
            .toList();
    assertThat(ours).containsExactlyInAnyOrderElementsOf(facts());
  }
}
