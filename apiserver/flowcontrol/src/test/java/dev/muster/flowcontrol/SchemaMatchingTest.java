package dev.muster.flowcontrol;

import static dev.muster.flowcontrol.TestFlows.everything;
import static dev.muster.flowcontrol.TestFlows.json;
import static dev.muster.flowcontrol.TestFlows.request;
import static dev.muster.flowcontrol.TestFlows.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.model.User;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaMatchingTest {
  private static final String ANYTHING =
      "'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],'clusterScope':true,"
          + "'namespaces':['*']}]";
  private static final String EVERYBODY = "'subjects':[{'kind':'User','user':{'name':'*'}}]";

  private static boolean matches(String rule, Attributes request) {
    return schema("a", 1, "level", rule).matches(request);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'kind':'User','user':{'name':'ann'}} | ann | g | true",
        "{'kind':'User','user':{'name':'ann'}} | bob | ann | false",
        "{'kind':'User','user':{'name':'*'}} | bob | g | true",
        "{'kind':'Group','group':{'name':'g'}} | ann | g | true",
        "{'kind':'Group','group':{'name':'g'}} | g | h | false",
        "{'kind':'Group','group':{'name':'*'}} | ann | h | true",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'n','name':'s'}}"
            + " | system:serviceaccount:n:s | g | true",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'n','name':'s'}}"
            + " | system:serviceaccount:n:other | g | false",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'n','name':'*'}}"
            + " | system:serviceaccount:n:other | g | true",
        "{'kind':'ServiceAccount','serviceAccount':{'namespace':'n','name':'*'}}"
            + " | system:serviceaccount:nn:s | g | false",
        "{'kind':'Robot'} | ann | g | false",
      })
  void subjectsAreUsersGroupsAndServiceAccounts(
      String subject, String user, String group, boolean expected) {
    var rule = "{'subjects':[%s],%s}".formatted(subject, ANYTHING);
    assertThat(matches(rule, request(User.of(user, group), "get", "", "pods", "default")))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "get | '' | pods | default | true",
        "list | '' | pods | default | false",
        "get | apps | pods | default | false",
        "get | '' | pods/status | default | false",
        "get | '' | pods/log | default | true",
        "get | '' | secrets | default | false",
        "get | '' | pods | other | false",
        "get | '' | pods | '' | false",
      })
  void resourceRulesNameVerbsGroupsResourcesAndNamespaces(
      String verb, String group, String resource, String namespace, boolean expected) {
    var rule =
        "{%s,'resourceRules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods','pods/log'],"
                .formatted(EVERYBODY)
            + "'namespaces':['default','kube-system']}]}";
    assertThat(matches(rule, request(User.of("ann"), verb, group, resource, namespace)))
        .isEqualTo(expected);
  }

  @Test
  void requestsOutsideNamespacesNeedARuleOfTheClusterScope() {
    var rule =
        "{%s,'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],"
                .formatted(EVERYBODY)
            + "'clusterScope':true}]}";
    assertThat(matches(rule, request(User.of("ann"), "get", "", "nodes", ""))).isTrue();
    assertThat(matches(rule, request(User.of("ann"), "get", "", "pods", "default"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "get,/healthz,true",
    "post,/healthz,false",
    "get,/healthz/etcd,true",
    "get,/healthzz,false",
    "get,/apis/a,true",
    "get,/apis/,true",
    "get,/apis,false",
    "get,/metrics,false"
  })
  void pathRulesMeanWhatIsBelowThemToo(String verb, String path, boolean expected) {
    var rule =
        "{%s,'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['/healthz','/apis/*']}]}"
            .formatted(EVERYBODY);
    assertThat(matches(rule, Attributes.path(User.of("ann"), verb, path))).isEqualTo(expected);
    assertThat(matches(rule, request(User.of("ann"), "get", "", "pods", "default"))).isFalse();
  }

  @Test
  void theFirstSchemaByPrecedenceAndThenByNameDecides() {
    var levels = new PriorityLevels(100, Integer.MAX_VALUE, 0);
    levels.configure(
        List.of(everything("late", 20, "l"), everything("b", 10, "l"), everything("a", 10, "l")),
        List.of(TestFlows.rejects("l", 10)),
        0);
    var flow = levels.classify(request("ann"));
    assertThat(flow.schema().schema().name()).isEqualTo("a");
    assertThat(flow.schema().schema().uid()).isEqualTo("uid-of-a");
  }

  @Test
  void aSchemaWhoseLevelIsMissingDecidesNothing() {
    var levels = new PriorityLevels(100, Integer.MAX_VALUE, 0);
    levels.configure(List.of(everything("lost", 10, "missing")), List.of(), 0);
    assertThat(levels.classify(request("ann")).schema().schema().name()).isEqualTo("catch-all");
  }

  @Test
  void everybodyBelongsSomewhereWithNoObjectsAtAll() {
    var levels = new PriorityLevels(100, Integer.MAX_VALUE, 0);
    var master = request(User.of("root", User.MASTERS), "get", "", "pods", "default");
    assertThat(levels.classify(master).level().spec().exempt()).isTrue();
    var nobody = request(User.of("nobody"), "get", "", "pods", "default");
    assertThat(levels.classify(nobody).level().spec().name()).isEqualTo("catch-all");
  }

  @Test
  void theObjectsOfAFirstStartSendClientsToTheirLevels() {
    var levels = TestFlows.defaults(600);
    var node = User.of("system:node:a", "system:nodes", User.ALL_AUTHENTICATED);
    assertThat(level(levels, request(node, "update", "coordination.k8s.io", "leases", "n")))
        .isEqualTo("node-high");
    assertThat(level(levels, request(node, "get", "", "pods", "n"))).isEqualTo("system");
    var scheduler = User.of("system:kube-scheduler", User.ALL_AUTHENTICATED);
    assertThat(level(levels, request(scheduler, "update", "coordination.k8s.io", "leases", "n")))
        .isEqualTo("leader-election");
    assertThat(level(levels, request(scheduler, "list", "", "pods", "")))
        .isEqualTo("workload-high");
    assertThat(level(levels, request("ann"))).isEqualTo("global-default");
    assertThat(level(levels, Attributes.path(User.ANONYMOUS, "get", "/livez"))).isEqualTo("exempt");
  }

  private static String level(PriorityLevels levels, Attributes request) {
    return levels.classify(request).level().spec().name();
  }

  @Test
  void flowsAreToldApartByUserOrByNamespace() {
    var byUser = TestFlows.single(10, TestFlows.queues("l", 1, 8, 2, 5));
    assertThat(byUser.classify(request("ann")).distinguisher()).isEqualTo("ann");
    assertThat(byUser.classify(request("ann"))).isSameAs(byUser.classify(request("ann")));
    var byNamespace = new PriorityLevels(10, Integer.MAX_VALUE, 0);
    byNamespace.configure(
        List.of(
            FlowSchema.of(
                json(
                    "{'metadata':{'name':'a'},'spec':{'matchingPrecedence':5,"
                        + "'priorityLevelConfiguration':{'name':'l'},"
                        + "'distinguisherMethod':{'type':'ByNamespace'},'rules':[{%s,%s}]}}"
                            .formatted(EVERYBODY, ANYTHING)))),
        List.of(TestFlows.queues("l", 1, 8, 2, 5)),
        0);
    assertThat(byNamespace.classify(request("ann")).distinguisher()).isEqualTo("default");
  }
}
