package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.bootstrap.BootstrapObjects;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.flowcontrol.config.PriorityLevelSpec;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Short ways to write levels, schemas and requests. */
final class TestFlows {
  static final long SECOND = 1_000_000_000L;

  private TestFlows() {}

  static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** A schema with one rule. */
  static FlowSchema schema(String name, int precedence, String level, String rule) {
    return FlowSchema.of(
        json(
            "{'metadata':{'name':'%s','uid':'uid-of-%s'},'spec':{'matchingPrecedence':%d,"
                    .formatted(name, name, precedence)
                + "'priorityLevelConfiguration':{'name':'%s'},".formatted(level)
                + "'distinguisherMethod':{'type':'ByUser'},'rules':[%s]}}".formatted(rule)));
  }

  /** A schema for everything that everybody does. */
  static FlowSchema everything(String name, int precedence, String level) {
    return schema(
        name,
        precedence,
        level,
        "{'subjects':[{'kind':'Group','group':{'name':'*'}}],'resourceRules':[{'verbs':['*'],"
            + "'apiGroups':['*'],'resources':['*'],'clusterScope':true,'namespaces':['*']}],"
            + "'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['*']}]}");
  }

  static PriorityLevelSpec queues(String name, int shares, int queues, int hand, int length) {
    return new PriorityLevelSpec(
        name, "", false, shares, 0, 0, new PriorityLevelSpec.Queuing(queues, hand, length));
  }

  static PriorityLevelSpec rejects(String name, int shares) {
    return new PriorityLevelSpec(name, "", false, shares, 0, 0, null);
  }

  /** One level with everybody in it. */
  static PriorityLevels single(int seats, PriorityLevelSpec level) {
    return single(seats, Integer.MAX_VALUE, level);
  }

  static PriorityLevels single(int seats, int running, PriorityLevelSpec level) {
    var catchAll = new PriorityLevelSpec("catch-all", "", false, 0, 0, 0, null);
    var levels = new PriorityLevels(seats, running, 0);
    levels.configure(List.of(everything("all", 100, level.name())), List.of(level, catchAll), 0);
    return levels;
  }

  /** The objects of a first start. */
  static PriorityLevels defaults(int seats) {
    var schemas = objects("flowschemas").stream().map(FlowSchema::of).toList();
    var specs = objects("prioritylevelconfigurations").stream().map(PriorityLevelSpec::of).toList();
    var levels = new PriorityLevels(seats, Integer.MAX_VALUE, 0);
    levels.configure(schemas, specs, 0);
    return levels;
  }

  private static List<JsonObject> objects(String plural) {
    return BootstrapObjects.all().stream()
        .filter(object -> object.resource().resource().equals(plural))
        .map(object -> object.object())
        .toList();
  }

  static Attributes request(String user) {
    return request(User.of(user, User.ALL_AUTHENTICATED), "get", "", "pods", "default");
  }

  static Attributes request(
      User user, String verb, String group, String resource, String namespace) {
    int slash = resource.indexOf('/');
    return Attributes.resource(
        user,
        verb,
        group,
        "v1",
        slash < 0 ? resource : resource.substring(0, slash),
        slash < 0 ? "" : resource.substring(slash + 1),
        namespace,
        "a");
  }

  /** A request that notes whether it was let in. */
  static final class TestRequest extends SeatRequest {
    private final WorkEstimate estimate;
    boolean letIn;

    TestRequest(PriorityLevels levels, Attributes attributes, WorkEstimate estimate) {
      super(levels.classify(attributes), attributes);
      this.estimate = estimate;
    }

    State start(long now) {
      return start(estimate, now);
    }

    static TestRequest of(PriorityLevels levels, String user) {
      return new TestRequest(levels, request(user), WorkEstimate.ONE);
    }

    @Override
    protected void dispatched() {
      letIn = true;
    }

    @Override
    protected String path() {
      return "/api/v1/namespaces/default/pods/a";
    }
  }
}
