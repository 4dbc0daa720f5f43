package dev.muster.flowcontrol;

import dev.muster.authorization.Attributes;
import dev.muster.flowcontrol.config.FlowRule;
import dev.muster.flowcontrol.config.FlowSchema;
import dev.muster.model.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas that are in force, in the order in which they are looked at. Safe for any thread: it
 * never changes but for what it remembers about users.
 */
final class SchemaIndex {
  /** So many users are remembered. */
  private static final int MOST_USERS = 8192;

  private record Who(String name, List<String> groups) {}

  private record Candidate(LevelSchema schema, FlowRule rule) {}

  private final List<LevelSchema> schemas;
  private final LevelSchema otherwise;
  private final Map<Who, Candidate[]> candidates = new ConcurrentHashMap<>();

  /**
   * @param schemas sorted; catch-all is among them
   */
  SchemaIndex(List<LevelSchema> schemas) {
    this.schemas = List.copyOf(schemas);
    this.otherwise =
        this.schemas.stream()
            .filter(one -> one.schema().name().equals(FlowSchema.CATCH_ALL))
            .findFirst()
            .orElseThrow();
  }

  /** The first schema that is about the request; catch-all when none is. */
  LevelSchema find(Attributes request) {
    for (var candidate : candidates(request.user())) {
      if (candidate.rule.matches(request)) {
        return candidate.schema;
      }
    }
    return otherwise;
  }

  /** The rules that concern a user, whatever is asked for. */
  private Candidate[] candidates(User user) {
    var who = new Who(user.name(), user.groups());
    var known = candidates.get(who);
    if (known == null) {
      known = compile(user);
      if (candidates.size() >= MOST_USERS) {
        candidates.clear();
      }
      candidates.put(who, known);
    }
    return known;
  }

  private Candidate[] compile(User user) {
    var found = new ArrayList<Candidate>();
    for (var schema : schemas) {
      for (var rule : schema.schema().rules()) {
        if (rule.concerns(user)) {
          found.add(new Candidate(schema, rule));
        }
      }
    }
    return found.toArray(Candidate[]::new);
  }

  List<LevelSchema> schemas() {
    return schemas;
  }
}
