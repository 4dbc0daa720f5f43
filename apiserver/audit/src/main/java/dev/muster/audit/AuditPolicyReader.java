package dev.muster.audit;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an audit policy from YAML or JSON. Unknown fields are refused, because a rule with a
 * misspelt condition would match every request and silently keep events out of the log. Not
 * thread-safe; used once.
 */
public final class AuditPolicyReader {
  private static final String VERSION = "audit.k8s.io/v1";
  private static final Set<String> FIELDS =
      Set.of("apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields");
  private static final Set<String> RULE_FIELDS =
      Set.of(
          "level",
          "users",
          "userGroups",
          "verbs",
          "resources",
          "namespaces",
          "nonResourceURLs",
          "omitStages",
          "omitManagedFields");
  private static final Set<String> RESOURCE_FIELDS = Set.of("group", "resources", "resourceNames");
  private static final String STAGES = "RequestReceived,ResponseStarted,ResponseComplete,Panic";

  private final List<FieldError> errors = new ArrayList<>();

  private AuditPolicyReader() {}

  /**
   * @throws IllegalArgumentException with all problems in one line
   */
  public static AuditPolicy read(byte[] text) {
    return new AuditPolicyReader().policy(document(text));
  }

  private static JsonObject document(byte[] text) {
    try {
      if (YamlReader.readStrictly(text) instanceof JsonObject object) {
        return object;
      }
      throw undecodable("the file holds no object");
    } catch (DecodeException e) {
      throw undecodable(e.text());
    }
  }

  private AuditPolicy policy(JsonObject document) {
    var kind = document.get("kind");
    var version = document.get("apiVersion");
    if (!Json.of("Policy").equals(kind) || !Json.of(VERSION).equals(version)) {
      throw undecodable(
          "no kind %s is registered for version %s: a policy has kind \"Policy\" and apiVersion %s"
              .formatted(shown(kind), shown(version), GoText.quote(VERSION)));
    }
    only(document, FIELDS, FieldPath.ROOT);
    object(document, "metadata", FieldPath.ROOT);
    var omitted = stages(document, FieldPath.ROOT);
    boolean omitManagedFields =
        AuditPolicy.omitsManagedFields(bool(document, "omitManagedFields", FieldPath.ROOT), false);
    var given = objects(document, "rules", FieldPath.ROOT);
    var rules = new ArrayList<AuditRule>();
    for (int i = 0; i < given.size(); i++) {
      rules.add(rule(given.get(i), FieldPath.of("rules").index(i), omitted, omitManagedFields));
    }
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(FieldError.join(errors));
    }
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("loaded illegal policy with 0 rules");
    }
    return new AuditPolicy(rules, new AuditDecision(AuditLevel.NONE, omitted, omitManagedFields));
  }

  private static String shown(@Nullable Json value) {
    return switch (value) {
      case null -> "\"\"";
      case JsonString text -> GoText.quote(text.value());
      default -> value.toString();
    };
  }

  private AuditRule rule(
      JsonObject rule, FieldPath path, Set<AuditStage> omittedByAll, boolean omitManagedFields) {
    only(rule, RULE_FIELDS, path);
    var level = level(rule, path);
    var paths = texts(rule, "nonResourceURLs", path);
    checkPaths(paths, path.child("nonResourceURLs"));
    var resources = resources(rule, path);
    var omitted = EnumSet.noneOf(AuditStage.class);
    omitted.addAll(omittedByAll);
    omitted.addAll(stages(rule, path));
    var namespaces = texts(rule, "namespaces", path);
    if (!paths.isEmpty() && !(resources.isEmpty() && namespaces.isEmpty())) {
      errors.add(
          FieldError.invalid(
              path.child("nonResourceURLs"),
              rule.array("nonResourceURLs"),
              "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return new AuditRule(
        texts(rule, "users", path),
        texts(rule, "userGroups", path),
        texts(rule, "verbs", path),
        resources,
        namespaces,
        paths,
        new AuditDecision(
            level,
            omitted,
            AuditPolicy.omitsManagedFields(
                bool(rule, "omitManagedFields", path), omitManagedFields)));
  }

  private AuditLevel level(JsonObject rule, FieldPath path) {
    var text = text(rule, "level", path);
    for (var level : AuditLevel.values()) {
      if (level.text().equals(text)) {
        return level;
      }
    }
    var known = List.of("None", "Metadata", "Request", "RequestResponse");
    errors.add(
        text.isEmpty()
            ? FieldError.required(path.child("level"), "")
            : FieldError.notSupported(path.child("level"), text, known));
    return AuditLevel.NONE;
  }

  private void checkPaths(List<String> paths, FieldPath path) {
    for (int i = 0; i < paths.size(); i++) {
      var url = paths.get(i);
      if (url.equals("*")) {
        continue;
      }
      if (!url.startsWith("/")) {
        errors.add(
            FieldError.invalid(
                path.index(i), url, "non-resource URL rules must begin with a '/' character"));
      }
      if (url.indexOf('*') >= 0 && url.indexOf('*') < url.length() - 1) {
        errors.add(
            FieldError.invalid(
                path.index(i),
                url,
                "non-resource URL wildcards '*' must be the final character of the rule"));
      }
    }
  }

  private List<AuditRule.Resources> resources(JsonObject rule, FieldPath path) {
    var found = new ArrayList<AuditRule.Resources>();
    var given = objects(rule, "resources", path);
    var shown = path.child("resources");
    for (int i = 0; i < given.size(); i++) {
      var entry = given.get(i);
      only(entry, RESOURCE_FIELDS, shown.index(i));
      var group = text(entry, "group", shown.index(i));
      var resources = texts(entry, "resources", shown.index(i));
      var names = texts(entry, "resourceNames", shown.index(i));
      if (!group.isEmpty() && !group.equals("*")) {
        var problems = Names.dnsSubdomain(group);
        if (!problems.isEmpty()) {
          errors.add(FieldError.invalid(shown.child("group"), group, String.join(",", problems)));
        }
      }
      if (!names.isEmpty() && resources.isEmpty()) {
        errors.add(
            FieldError.invalid(
                shown.child("resourceNames"),
                entry.array("resourceNames"),
                "using resourceNames requires at least one resource"));
      }
      found.add(new AuditRule.Resources(group, resources, names));
    }
    return found;
  }

  private Set<AuditStage> stages(JsonObject holder, FieldPath path) {
    var stages = EnumSet.noneOf(AuditStage.class);
    var given = texts(holder, "omitStages", path);
    for (int i = 0; i < given.size(); i++) {
      var text = given.get(i);
      boolean known = false;
      for (var stage : AuditStage.values()) {
        if (stage.text().equals(text)) {
          stages.add(stage);
          known = true;
        }
      }
      if (!known) {
        errors.add(
            FieldError.invalid(
                path.child("omitStages").index(i), text, "allowed stages are " + STAGES));
      }
    }
    return stages;
  }

  private static void only(JsonObject object, Set<String> known, FieldPath path) {
    for (var key : object.keys()) {
      if (!known.contains(key)) {
        throw undecodable(
            "strict decoding error: unknown field " + GoText.quote(path.child(key).text()));
      }
    }
  }

  private static String text(JsonObject holder, String key, FieldPath path) {
    return switch (holder.get(key)) {
      case null -> "";
      case JsonNull ignored -> "";
      case JsonString text -> text.value();
      case Json other -> throw wrong(path.child(key), "a string", other);
    };
  }

  private static @Nullable Boolean bool(JsonObject holder, String key, FieldPath path) {
    return switch (holder.get(key)) {
      case null -> null;
      case JsonNull ignored -> null;
      case JsonBool bool -> bool.value();
      case Json other -> throw wrong(path.child(key), "true or false", other);
    };
  }

  private static void object(JsonObject holder, String key, FieldPath path) {
    var value = holder.get(key);
    if (value != null && !(value instanceof JsonObject) && !(value instanceof JsonNull)) {
      throw wrong(path.child(key), "an object", value);
    }
  }

  private static List<Json> list(JsonObject holder, String key, FieldPath path) {
    return switch (holder.get(key)) {
      case null -> List.of();
      case JsonNull ignored -> List.of();
      case JsonArray array -> array.asList();
      case Json other -> throw wrong(path.child(key), "a list", other);
    };
  }

  private static List<String> texts(JsonObject holder, String key, FieldPath path) {
    var texts = new ArrayList<String>();
    for (var item : list(holder, key, path)) {
      if (!(item instanceof JsonString text)) {
        throw wrong(path.child(key).index(texts.size()), "a string", item);
      }
      texts.add(text.value());
    }
    return texts;
  }

  private static List<JsonObject> objects(JsonObject holder, String key, FieldPath path) {
    var objects = new ArrayList<JsonObject>();
    for (var item : list(holder, key, path)) {
      if (!(item instanceof JsonObject object)) {
        throw wrong(path.child(key).index(objects.size()), "an object", item);
      }
      objects.add(object);
    }
    return objects;
  }

  private static IllegalArgumentException wrong(FieldPath path, String wanted, Json found) {
    return undecodable(path + " must be " + wanted + " and is " + GoText.kind(found));
  }

  private static IllegalArgumentException undecodable(String problem) {
    return new IllegalArgumentException("failed decoding: " + problem);
  }
}
