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
 * The FlowSchemas in force, in matching order. Thread-safe. Immutable except for a cache per user.
 */
final class SchemaIndex {
  /** The largest number of cached users. */
  private static final int MOST_USERS = 8192;

  private record Who(String name, List<String> groups) {}

  private record Candidate(LevelSchema schema, FlowRule rule) {}

  private final List<LevelSchema> schemas;
  private final LevelSchema otherwise;
  private final Map<Who, Candidate[]> candidates = new ConcurrentHashMap<>();

  /**
   * @param schemas sorted, including catch-all
   */
  SchemaIndex(List<LevelSchema> schemas) {
    this.schemas = List.copyOf(schemas);
    this.otherwise =
        this.schemas.stream()
            .filter(one -> one.schema().name().equals(FlowSchema.CATCH_ALL))
            .findFirst()
            .orElseThrow();
  }

  /** The first FlowSchema that matches the request; catch-all when no other does. */
  LevelSchema find(Attributes request) {
    for (var candidate : candidates(request.user())) {
      if (candidate.rule.matches(request)) {
        return candidate.schema;
      }
    }
    return otherwise;
  }

  /** The rules that match a user, whatever the request. */
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
