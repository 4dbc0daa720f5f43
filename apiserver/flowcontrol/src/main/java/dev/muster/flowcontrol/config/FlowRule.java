package dev.muster.flowcontrol.config;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;

/** One rule of a FlowSchema: subjects and the resources or paths they request. Immutable. */
public record FlowRule(
    List<FlowSubject> subjects, List<ResourceMatch> resources, List<PathMatch> paths) {

  /** A list of names, or all names. */
  public record Names(boolean all, List<String> names) {
    static Names of(JsonArray array) {
      var names = array.strings();
      return new Names(names.size() == 1 && names.getFirst().equals("*"), names);
    }

    boolean has(String name) {
      return all || names.contains(name);
    }
  }

  /**
   * @param cluster whether requests outside namespaces match, too
   */
  public record ResourceMatch(
      Names verbs, Names groups, Names resources, boolean cluster, Names namespaces) {
    boolean matches(Attributes request) {
      return verbs.has(request.verb())
          && hasResource(request)
          && groups.has(request.group())
          && (request.namespace().isEmpty() ? cluster : namespaces.has(request.namespace()));
    }

    private boolean hasResource(Attributes request) {
      return resources.all()
          || resources.has(
              request.subresource().isEmpty()
                  ? request.resource()
                  : request.resource() + "/" + request.subresource());
    }
  }

  public record PathMatch(Names verbs, Names paths) {
    boolean matches(Attributes request) {
      return verbs.has(request.verb()) && hasPath(request.path());
    }

    /** A path also matches the paths below it, with or without a star at its end. */
    private boolean hasPath(String path) {
      if (paths.has(path)) {
        return true;
      }
      for (var one : paths.names()) {
        int end = one.length() - (one.endsWith("*") ? 1 : 0);
        end -= end > 0 && one.charAt(end - 1) == '/' ? 1 : 0;
        if (path.length() > end && path.charAt(end) == '/' && path.regionMatches(0, one, 0, end)) {
          return true;
        }
      }
      return false;
    }
  }

  static FlowRule of(JsonObject rule) {
    return new FlowRule(
        rule.array("subjects").objects().stream().map(FlowSubject::of).toList(),
        rule.array("resourceRules").objects().stream().map(FlowRule::resource).toList(),
        rule.array("nonResourceRules").objects().stream().map(FlowRule::path).toList());
  }

  private static ResourceMatch resource(JsonObject rule) {
    return new ResourceMatch(
        Names.of(rule.array("verbs")),
        Names.of(rule.array("apiGroups")),
        Names.of(rule.array("resources")),
        rule.isTrue("clusterScope"),
        Names.of(rule.array("namespaces")));
  }

  private static PathMatch path(JsonObject rule) {
    return new PathMatch(Names.of(rule.array("verbs")), Names.of(rule.array("nonResourceURLs")));
  }

  public boolean concerns(User user) {
    for (var subject : subjects) {
      if (subject.matches(user)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the rule matches the request; its subjects are assumed to match the user. */
  public boolean matches(Attributes request) {
    if (request.resourceRequest()) {
      for (var match : resources) {
        if (match.matches(request)) {
          return true;
        }
      }
    } else {
      for (var match : paths) {
        if (match.matches(request)) {
          return true;
        }
      }
    }
    return false;
  }
}
