package dev.muster.authorization.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authentication.StaticTokens;
import dev.muster.authorization.Attributes;
import dev.muster.authorization.Decision;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.modes.AuthorizerChain;
import dev.muster.authorization.rbac.RbacAuthorizer;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReviewsTest {
  private static final User JANE = User.of("jane", "devs", User.ALL_AUTHENTICATED);
  private static final List<String> AUDIENCES = List.of("https://kubernetes.default.svc");

  @TempDir Path folder;
  private final FakeCluster cluster = new FakeCluster();
  private Reviews reviews;

  @BeforeEach
  void open() throws Exception {
    cluster.put(
        "/clusterroles",
        json(
            "{'metadata':{'name':'reader'},'rules':[{'verbs':['get'],'apiGroups':[''],'resources':"
                + "['pods']},{'verbs':['get'],'nonResourceURLs':['/healthz']}]}"));
    cluster.put(
        "/clusterrolebindings",
        json(
            "{'metadata':{'name':'readers'},'subjects':[{'kind':'Group','name':'devs'}],"
                + "'roleRef':{'kind':'ClusterRole','name':'reader'}}"));
    var file = Files.writeString(folder.resolve("tokens.csv"), "secret,jane,u1,\"devs\"\n");
    var chain = new AuthorizerChain(List.of(new RbacAuthorizer(() -> cluster)));
    reviews =
        new Reviews(
            new RequestAuthenticator(List.of(StaticTokens.of(file, AUDIENCES)), true),
            chain,
            chain,
            AUDIENCES,
            () -> Instant.parse("2026-01-01T00:00:00Z"));
  }

  private static JsonObject json(String text) {
    var bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (JsonObject) JsonReader.read(bytes);
  }

  private String status(String plural, String spec) {
    return reviews
        .create(plural, "", json("{'kind':'K','spec':" + spec + "}"), JANE)
        .body()
        .object("status")
        .toString()
        .replace('"', '\'');
  }

  private void assertRefused(String plural, String spec, String message) {
    assertThatThrownBy(() -> status(plural, spec)).hasMessage(message.replace('\'', '"'));
  }

  @Test
  void subjectAccessSaysWhy() {
    assertThat(
            status(
                "subjectaccessreviews",
                "{'groups':['devs'],'resourceAttributes':{'verb':'get','resource':'pods'}}"))
        .isEqualTo(
            "{'allowed':true,'reason':'RBAC: allowed by ClusterRoleBinding \\'readers\\' of"
                + " ClusterRole \\'reader\\' to Group \\'devs\\''}");
    assertThat(
            status(
                "subjectaccessreviews",
                "{'user':'joe','nonResourceAttributes':{'path':'/healthz','verb':'get'}}"))
        .isEqualTo("{'allowed':false}");
  }

  @Test
  void subjectAccessNeedsWhoAndWhat() {
    assertRefused(
        "subjectaccessreviews",
        "{'uid':'u'}",
        ".authorization.k8s.io '' is invalid: [spec.resourceAttributes: Invalid value: null:"
            + " exactly one of nonResourceAttributes or resourceAttributes must be specified,"
            + " spec.user: Invalid value: '': at least one of user or group must be specified]");
    assertRefused(
        "selfsubjectaccessreviews",
        "{'resourceAttributes':{'verb':'get'},'nonResourceAttributes':{'path':'/x','verb':'get'}}",
        ".authorization.k8s.io '' is invalid: spec.nonResourceAttributes: Invalid value:"
            + " {'Path':'/x','Verb':'get'}: cannot be specified in combination with"
            + " resourceAttributes");
  }

  @Test
  void metadataMustBeEmpty() {
    assertThatThrownBy(
            () ->
                reviews.create(
                    "selfsubjectaccessreviews",
                    "",
                    json("{'metadata':{'name':'x'},'spec':{'resourceAttributes':{'verb':'get'}}}"),
                    JANE))
        .hasMessage(
            ".authorization.k8s.io \"\" is invalid: metadata: Invalid value: {\"name\":\"x\"}: must"
                + " be empty");
  }

  @Test
  void selfAccessIsAboutTheSender() {
    assertThat(
            status(
                "selfsubjectaccessreviews",
                "{'resourceAttributes':{'verb':'get','resource':'pods','namespace':'a'}}"))
        .startsWith("{'allowed':true");
  }

  @Test
  void localAccessStaysInItsNamespace() {
    var inside =
        json(
            "{'metadata':{'namespace':'a'},'spec':{'user':'u','resourceAttributes':"
                + "{'namespace':'a','verb':'get','resource':'pods'}}}");
    assertThat(
            reviews.create("localsubjectaccessreviews", "a", inside, JANE).body().object("status"))
        .isEqualTo(JsonObject.of("allowed", false));
    var outside =
        json(
            "{'metadata':{'namespace':'a'},'spec':{'user':'u','resourceAttributes':"
                + "{'namespace':'b','verb':'get','resource':'pods'}}}");
    assertThatThrownBy(() -> reviews.create("localsubjectaccessreviews", "a", outside, JANE))
        .hasMessage(
            ".authorization.k8s.io \"\" is invalid: spec.resourceAttributes.namespace: Invalid"
                + " value: \"b\": must match metadata.namespace");
  }

  @Test
  void theNamespaceOfThePathIsTheNamespaceOfTheReview() {
    var plain =
        json(
            "{'spec':{'user':'u','resourceAttributes':"
                + "{'namespace':'a','verb':'get','resource':'pods'}}}");
    assertThat(
            reviews.create("localsubjectaccessreviews", "a", plain, JANE).body().object("metadata"))
        .isEqualTo(JsonObject.of("namespace", "a"));
    var other = json("{'metadata':{'namespace':'b'},'spec':{'user':'u'}}");
    assertThatThrownBy(() -> reviews.create("localsubjectaccessreviews", "a", other, JANE))
        .hasMessage(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
  }

  @Test
  void whatOnlyServersSetIsNotMetadataOfAReview() {
    var review =
        json(
            "{'metadata':{'uid':'1','creationTimestamp':'2024-01-01T00:00:00Z'},"
                + "'spec':{'user':'u','resourceAttributes':{'verb':'get','resource':'pods'}}}");
    assertThat(reviews.create("subjectaccessreviews", "", review, JANE).body().object("metadata"))
        .isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void selectorsAreCheckedAndUnparsableOnesNamed() {
    assertThatThrownBy(
            () ->
                status(
                    "subjectaccessreviews",
                    "{'user':'u','resourceAttributes':{'verb':'list','fieldSelector':{},"
                        + "'labelSelector':{'requirements':[{'key':'a','operator':'In'}]}}}"))
        .hasMessage(
            ".authorization.k8s.io \"\" is invalid: [spec.resourceAttributes.fieldSelector"
                + ".requirements: Required value: when spec.resourceAttributes.fieldSelector is"
                + " specified, requirements or rawSelector is required,"
                + " spec.resourceAttributes.labelSelector.requirements[0].values: Required value:"
                + " must be specified when `operator` is 'In' or 'NotIn']");
  }

  @Test
  void whoDecidesSeesTheRequirementsInTheirOrder() {
    var spec =
        json(
            "{'user':'u','resourceAttributes':{'verb':'list','labelSelector':{'requirements':["
                + "{'key':'z','operator':'Exists'},{'key':'a','operator':'Exists'}]}}}");
    assertThat(ReviewRules.attributes(spec, JANE).labels().requirements())
        .extracting(each -> each.key())
        .containsExactly("z", "a");
  }

  @Test
  void unparsableSelectorsAreIgnoredAloud() {
    assertThat(
            status(
                "subjectaccessreviews",
                "{'groups':['system:masters'],'resourceAttributes':{'verb':'list','labelSelector':"
                    + "{'rawSelector':'a=b=c,,('}}}"))
        .isEqualTo(
            "{'allowed':true,'evaluationError':'spec.resourceAttributes.labelSelector ignored due"
                + " to parse error'}");
    assertThat(
            status(
                "subjectaccessreviews",
                "{'groups':['system:masters'],'resourceAttributes':{'verb':'list','fieldSelector':"
                    + "{'requirements':[{'key':'a','operator':'In','values':['b']},{'key':'a',"
                    + "'operator':'Near'}]}}}"))
        .contains("fieldSelector partially ignored due to parse error");
  }

  @Test
  void rulesAreListedByKind() {
    var review = json("{'kind':'K','apiVersion':'v','spec':{'namespace':'a'}}");
    assertThat(reviews.create("selfsubjectrulesreviews", "", review, JANE).body().toString())
        .isEqualTo(
            "{\"kind\":\"K\",\"apiVersion\":\"v\",\"metadata\":{},\"spec\":{},\"status\":"
                + "{\"resourceRules\":[{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":"
                + "[\"pods\"]}],\"nonResourceRules\":[{\"verbs\":[\"get\"],\"nonResourceURLs\":"
                + "[\"/healthz\"]}],\"incomplete\":false}}");
    assertRefused("selfsubjectrulesreviews", "{}", "no namespace on request");
  }

  @Test
  void tokenReviewKnowsTheUser() {
    assertThat(status("tokenreviews", "{'token':'secret'}"))
        .isEqualTo(
            "{'authenticated':true,'user':{'username':'jane','uid':'u1','groups':['devs',"
                + "'system:authenticated']},'audiences':['https://kubernetes.default.svc']}");
    assertThat(status("tokenreviews", "{'token':'bogus'}"))
        .isEqualTo("{'user':{},'error':'invalid bearer token'}");
    assertRefused("tokenreviews", "{}", "token is required for TokenReview in authentication");
    assertThat(status("tokenreviews", "{'token':' ','audiences':['a']}"))
        .isEqualTo(
            "{'authenticated':true,'user':{'username':'system:anonymous',"
                + "'groups':['system:unauthenticated']},'audiences':['a']}");
    var review =
        json(
            "{'kind':'K','apiVersion':'v','spec':{'token':'bogus'},"
                + "'status':{'authenticated':true,'audiences':['a'],'user':{'username':'x'}}}");
    assertThat(reviews.create("tokenreviews", "", review, JANE).body().object("status"))
        .isEqualTo(
            json("{'audiences':['a'],'user':{'username':'x'},'error':'invalid bearer token'}"));
  }

  @Test
  void selfReviewTellsTheSender() {
    assertThat(reviews.create("selfsubjectreviews", "", json("{'kind':'K'}"), JANE).toString())
        .contains(
            "\"metadata\":{\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"status\":{\"userInfo\":"
                + "{\"username\":\"jane\",\"groups\":[\"devs\",\"system:authenticated\"]}}");
  }

  @Test
  void aDenialIsToldApartFromNoOpinion() {
    var denying =
        new Reviews(
            reviews.authenticator(),
            (Attributes a) -> new Decision(Decision.Outcome.DENY, "no", "broken"),
            reviews.rules(),
            AUDIENCES,
            reviews.clock());
    var review = json("{'spec':{'resourceAttributes':{'verb':'get'}}}");
    assertThat(denying.create("selfsubjectaccessreviews", "", review, JANE).body().object("status"))
        .isEqualTo(
            JsonObject.of(
                "allowed", false, "denied", true, "reason", "no", "evaluationError", "broken"));
  }
}
