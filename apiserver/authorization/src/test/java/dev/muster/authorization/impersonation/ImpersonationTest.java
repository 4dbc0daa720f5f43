package dev.muster.authorization.impersonation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImpersonationTest {
  private final List<String> asked = new ArrayList<>();
  private final User jane = User.of("jane", User.ALL_AUTHENTICATED);

  private static ImpersonationHeaders wanted(String... headers) {
    var entries = new ArrayList<Map.Entry<String, String>>();
    for (int i = 0; i < headers.length; i += 2) {
      entries.add(Map.entry(headers[i], headers[i + 1]));
    }
    return requireNonNull(ImpersonationHeaders.of(entries));
  }

  private static String text(Attributes a) {
    return a.verb()
        + " "
        + a.resource()
        + (a.subresource().isEmpty() ? "" : "/" + a.subresource())
        + (a.group().isEmpty() ? "" : "." + a.group())
        + " "
        + a.namespace()
        + ":"
        + a.name();
  }

  private Impersonation allowing(String... texts) {
    var allowed = Set.of(texts);
    Authorizer authorizer =
        attributes -> {
          asked.add(text(attributes));
          return allowed.contains(text(attributes)) ? Decision.allow("") : Decision.NO_OPINION;
        };
    return new Impersonation(authorizer);
  }

  private Attributes list() {
    return Attributes.resource(jane, "list", "", "v1", "pods", "", "default", "");
  }

  @Test
  void namesOfHeadersMeanNobodyWithoutAUser() {
    assertThat(ImpersonationHeaders.of(List.of(Map.entry("accept", "x")))).isNull();
    assertThatThrownBy(() -> ImpersonationHeaders.of(List.of(Map.entry("Impersonate-Group", "g"))))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"g\"},"
                + " Extra:map[string][]string(nil)} without impersonating a user name");
    assertThatThrownBy(
            () -> ImpersonationHeaders.of(List.of(Map.entry("Impersonate-Extra-K", "v"))))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string(nil),"
                + " Extra:map[string][]string{\"k\":[]string{\"v\"}}}"
                + " without impersonating a user name");
  }

  @Test
  void readsEveryHeader() {
    var wanted =
        wanted(
            "impersonate-user", "joe",
            "impersonate-uid", "u",
            "impersonate-group", "a",
            "impersonate-group", "b",
            "impersonate-extra-acme.com%2Fscope", "x",
            "impersonate-extra-acme.com%2Fscope", "y");
    assertThat(wanted.groups()).containsExactly("a", "b");
    assertThat(wanted.extra()).containsExactly(Map.entry("acme.com/scope", List.of("x", "y")));
  }

  @Test
  void theOldVerbAllowsEverything() {
    var impersonation =
        allowing(
            "impersonate users :joe",
            "impersonate groups :devs",
            "impersonate uids.authentication.k8s.io :u",
            "impersonate userextras/k.authentication.k8s.io :v");
    var effective =
        impersonation.impersonate(
            wanted(
                "impersonate-user", "joe",
                "impersonate-group", "devs",
                "impersonate-uid", "u",
                "impersonate-extra-k", "v"),
            list());
    assertThat(effective.constraint()).isEmpty();
    assertThat(effective.user())
        .isEqualTo(
            new User(
                "joe", "u", List.of("devs", "system:authenticated"), Map.of("k", List.of("v"))));
  }

  @Test
  void theNarrowModeNeedsTheRightToActInItAndIsNamed() {
    var impersonation =
        allowing(
            "impersonate-on:user-info:list pods default:",
            "impersonate:user-info users.authentication.k8s.io :joe");
    var effective = impersonation.impersonate(wanted("impersonate-user", "joe"), list());
    assertThat(effective.constraint()).isEqualTo("impersonate:user-info");
    assertThat(effective.user().groups()).containsExactly("system:authenticated");
  }

  @Test
  void saysWhatTheFirstModeMissed() {
    assertThatThrownBy(() -> allowing().impersonate(wanted("impersonate-user", "joe"), list()))
        .hasMessage(
            "pods is forbidden: User \"jane\" cannot impersonate-on:user-info:list resource"
                + " \"pods\" in API group \"\" in the namespace \"default\"");
    assertThat(asked)
        .containsExactly("impersonate-on:user-info:list pods default:", "impersonate users :joe");
  }

  @Test
  void saysWhatWentWrongWhileItWasDecided() {
    Authorizer broken = attributes -> Decision.noOpinion("no policy", "the webhook is gone");
    assertThatThrownBy(
            () -> new Impersonation(broken).impersonate(wanted("impersonate-user", "joe"), list()))
        .isInstanceOf(ApiException.class)
        .hasMessageEndingWith("in the namespace \"default\": the webhook is gone: no policy");
    Authorizer silent = attributes -> Decision.noOpinion("", "the webhook is gone");
    assertThatThrownBy(
            () -> new Impersonation(silent).impersonate(wanted("impersonate-user", "joe"), list()))
        .hasMessageEndingWith("in the namespace \"default\": the webhook is gone");
  }

  @Test
  void accountsBringTheirGroups() {
    var impersonation = allowing("impersonate serviceaccounts a:robot");
    var effective =
        impersonation.impersonate(
            wanted("impersonate-user", "system:serviceaccount:a:robot"), list());
    assertThat(effective.user().groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated");
  }

  @Test
  void anonymousIsNotAuthenticated() {
    var effective =
        allowing("impersonate users :system:anonymous")
            .impersonate(wanted("impersonate-user", "system:anonymous"), list());
    assertThat(effective.user().groups()).containsExactly("system:unauthenticated");
  }

  @Test
  void anAgentMayActAsItsOwnNodeOnly() {
    var agent =
        new User(
            "system:serviceaccount:a:agent",
            "",
            List.of(),
            Map.of("authentication.kubernetes.io/node-name", List.of("n1")));
    var request = Attributes.resource(agent, "list", "", "v1", "pods", "", "default", "");
    var impersonation =
        allowing(
            "impersonate-on:associated-node:list pods default:",
            "impersonate:associated-node nodes.authentication.k8s.io :*");
    var effective =
        impersonation.impersonate(wanted("impersonate-user", "system:node:n1"), request);
    assertThat(effective.user())
        .isEqualTo(User.of("system:node:n1", "system:nodes", "system:authenticated"));
    assertThatThrownBy(
            () -> impersonation.impersonate(wanted("impersonate-user", "system:node:n2"), request))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void whoDecidesAboutAnAgentDoesNotHearOnWhichNodeItRuns() {
    var agent =
        new User(
            "system:serviceaccount:a:agent",
            "u",
            List.of("g"),
            Map.of(
                "authentication.kubernetes.io/pod-name", List.of("p"),
                "authentication.kubernetes.io/node-name", List.of("n1")));
    var seen = new ArrayList<User>();
    Authorizer authorizer =
        attributes -> {
          seen.add(attributes.user());
          return Decision.allow("");
        };
    new Impersonation(authorizer)
        .impersonate(
            wanted("impersonate-user", "system:node:n1"),
            Attributes.resource(agent, "list", "", "v1", "pods", "", "default", ""));
    assertThat(seen)
        .hasSize(2)
        .containsOnly(
            new User(
                "system:serviceaccount:a:agent",
                "u",
                List.of("g"),
                Map.of(
                    "authentication.kubernetes.io/associated-node-keys",
                    List.of(
                        "authentication.kubernetes.io/node-name",
                        "authentication.kubernetes.io/pod-name"))));
  }

  @Test
  void nobodyBecomesMasterByTheNarrowMode() {
    var impersonation =
        allowing(
            "impersonate-on:user-info:list pods default:",
            "impersonate:user-info users.authentication.k8s.io :joe",
            "impersonate:user-info groups.authentication.k8s.io :system:masters");
    assertThatThrownBy(
            () ->
                impersonation.impersonate(
                    wanted("impersonate-user", "joe", "impersonate-group", "system:masters"),
                    list()))
        .hasMessageContaining("impersonating the system:masters group is not allowed");
  }

  @Test
  void manyGroupsAndValuesAreAskedForAtOnce() {
    var many =
        wanted(
            "Impersonate-User", "bob",
            "Impersonate-Group", "a",
            "Impersonate-Group", "b",
            "Impersonate-Group", "c",
            "Impersonate-Group", "d",
            "Impersonate-Extra-Acme.io%2fx", "1",
            "Impersonate-Extra-Acme.io%2fx", "2",
            "Impersonate-Extra-Acme.io%2fx", "3",
            "Impersonate-Extra-Acme.io%2fx", "4");
    var effective =
        allowing(
                "impersonate-on:user-info:list pods default:",
                "impersonate:user-info users.authentication.k8s.io :bob",
                "impersonate:user-info groups.authentication.k8s.io :*",
                "impersonate:user-info userextras/*.authentication.k8s.io :*")
            .impersonate(many, list());
    assertThat(effective.user().groups()).startsWith("a", "b", "c", "d");
    assertThat(asked).hasSize(4);
  }
}
