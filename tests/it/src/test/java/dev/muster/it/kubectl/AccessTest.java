package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/** Who may do what: questions, roles put right, tokens. */
class AccessTest extends KubectlTests {
  private static final String ROLE =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: reader, namespace: %1$s}
      rules: [{apiGroups: [""], resources: [pods], verbs: [%2$s]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: reader, namespace: %1$s}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %3$s}]
      """;

  /** Of CN=jane, O=dev; nobody has the key. */
  private static final String REQUEST =
      "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWE1IOENBUUF3SFRFTk1Bc0dBMVVF"
          + "QXd3RWFtRnVaVEVNTUFvR0ExVUVDZ3dEWkdWMk1Ga3dFd1lIS29aSQp6ajBDQVFZSUtvWkl6ajBEQVFj"
          + "RFFnQUVpT0piQXhUV1VBcm5wN2xNbU1YU3NtY1JpZk1XNHFZcHp1RTVSdDZpClpSeXpnTFF4Y2thSUhH"
          + "VW5xNjczNmtIdEd1dXk1QjFldkN0T3dTWFVsLzV0S2FBQU1Bb0dDQ3FHU000OUJBTUMKQTBnQU1FVUNJ"
          + "SEJ1cm52bFd1ZHlWblIzL05OMW83MVZ0QitJeWJFWnJPZEpSaGhJbVgvWEFpRUEzeXNBUnlMNApmeHlG"
          + "WE5HQnM4bnlCK3hEK2Y1UkpOd040SHBRTEhMVEp5VT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVT"
          + "VC0tLS0tCg==";

  @KubectlTest
  void asksForOthers(Path program) {
    var kubectl = session(program);
    assertThat(kubectl.run("auth", "can-i", "*", "*")).isEqualTo("yes\n");
    assertThat(kubectl.run("auth", "can-i", "--list").lines())
        .anyMatch(line -> line.matches("\\*\\.\\* +\\[] +\\[] +\\[\\*]"));
    assertThat(kubectl.run("auth", "can-i", "get", "/healthz", "--as=jane")).isEqualTo("yes\n");
    assertThat(kubectl.run("auth", "can-i", "--list", "--as=jane"))
        .contains("selfsubjectaccessreviews.authorization.k8s.io")
        .doesNotContain("*.*");
    kubectl.run("create", "role", "logs", "--verb=get", "--resource=pods/log");
    kubectl.run("create", "rolebinding", "logs", "--role=logs", "--group=readers");
    assertThat(
            kubectl.run(
                "auth",
                "can-i",
                "get",
                "pods",
                "--subresource=log",
                "--as=jane",
                "--as-group=readers"))
        .isEqualTo("yes\n");
    assertThat(kubectl.fail("auth", "can-i", "get", "pods", "--as=jane", "--as-group=readers"))
        .startsWith("no");
  }

  @KubectlTest
  void reconcilesRoles(Path program) {
    var kubectl = session(program);
    kubectl.runWith(
        ROLE.formatted(kubectl.namespace(), "get, list", "ann"), "auth", "reconcile", "-f", "-");
    var other = ROLE.formatted(kubectl.namespace(), "watch", "bob");
    kubectl.runWith(other, "auth", "reconcile", "-f", "-");
    assertThat(kubectl.stored("rolebinding/reader", "{.subjects[*].name}")).isEqualTo("ann bob");
    assertThat(kubectl.stored("role/reader", "{.rules[*].verbs[*]}")).contains("get", "watch");
    kubectl.runWith(
        other,
        "auth",
        "reconcile",
        "--remove-extra-permissions",
        "--remove-extra-subjects",
        "-f",
        "-");
    assertThat(kubectl.stored("role/reader", "{.rules[*].verbs[*]}")).isEqualTo("watch");
    assertThat(kubectl.stored("rolebinding/reader", "{.subjects[*].name}")).isEqualTo("bob");
  }

  @KubectlTest
  void whoMayOnlyChangeObjectsCannotCreateThemByApplying(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "role", "changer", "--verb=get,patch,update", "--resource=configmaps");
    kubectl.run("create", "rolebinding", "changer", "--role=changer", "--user=jane");
    var map =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: applied}
        data: {a: b}
        """;
    assertThat(kubectl.failWith(map, "apply", "--server-side", "--as=jane", "-f", "-"))
        .contains("User \"jane\" cannot create resource \"configmaps\" in API group \"\"");
    kubectl.runWith(map, "create", "-f", "-");
    assertThat(kubectl.runWith(map, "apply", "--server-side", "--as=jane", "-f", "-"))
        .contains("serverside-applied");
  }

  @KubectlTest(from = "1.24")
  void issuesTokens(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "serviceaccount", "robot");
    kubectl.run("create", "secret", "generic", "anchor");
    var token =
        kubectl.run(
            "create",
            "token",
            "robot",
            "--duration=20m",
            "--audience=a",
            "--audience=b",
            "--bound-object-kind=Secret",
            "--bound-object-name=anchor");
    var claims =
        new String(
            Base64.getUrlDecoder().decode(token.strip().split("\\.")[1]), StandardCharsets.UTF_8);
    assertThat(claims)
        .contains("\"aud\":[\"a\",\"b\"]", "\"secret\":{\"name\":\"anchor\"")
        .contains("\"sub\":\"system:serviceaccount:" + kubectl.namespace() + ":robot\"");
    assertThat(kubectl.fail("create", "token", "robot", "--duration=5m"))
        .contains("may not specify a duration less than 10 minutes");
    assertThat(kubectl.fail("create", "token", "nobody"))
        .contains("serviceaccounts \"nobody\" not found");
    assertThat(
            kubectl.fail(
                "create",
                "token",
                "robot",
                "--bound-object-kind=Secret",
                "--bound-object-name=anchor",
                "--bound-object-uid=other"))
        .contains("the UID in the bound object reference (other) does not match the UID in record");
  }

  @KubectlTest
  void approvesAndDeniesCertificates(Path program) {
    var kubectl = session(program);
    var good = "good-" + kubectl.namespace();
    var bad = "bad-" + kubectl.namespace();
    kubectl.runWith(signingRequest(good), "create", "-f", "-");
    kubectl.runWith(signingRequest(bad), "create", "-f", "-");
    assertThat(kubectl.run("certificate", "approve", good))
        .isEqualTo("certificatesigningrequest.certificates.k8s.io/" + good + " approved\n");
    assertThat(kubectl.run("certificate", "deny", bad))
        .isEqualTo("certificatesigningrequest.certificates.k8s.io/" + bad + " denied\n");
    assertThat(kubectl.run("get", "csr", good, bad, "--no-headers").lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("good.* admin .*Approved"),
            line -> assertThat(line).matches("bad.* admin .*Denied"));
    assertThat(kubectl.run("describe", "csr", good)).contains("Common Name:    jane");
    assertThat(kubectl.fail("certificate", "approve", good, "--as=jane")).contains("(Forbidden)");
  }

  private static String signingRequest(String name) {
    return """
    {"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest",
     "metadata":{"name":"%s"},
     "spec":{"request":"%s","signerName":"example.com/test","usages":["client auth"]}}
    """
        .formatted(name, REQUEST);
  }
}
