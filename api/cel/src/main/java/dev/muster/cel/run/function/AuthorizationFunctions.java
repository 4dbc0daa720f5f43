package dev.muster.cel.run.function;

import dev.muster.cel.value.Authorization.Authorizer;
import dev.muster.cel.value.Authorization.Decision;
import dev.muster.cel.value.Authorization.GroupCheck;
import dev.muster.cel.value.Authorization.PathCheck;
import dev.muster.cel.value.Authorization.Question;
import dev.muster.cel.value.Authorization.ResourceCheck;
import dev.muster.cel.value.Authorization.ServiceAccount;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.validation.Names;
import java.util.Map;

/** Functions for authorization checks. */
public final class AuthorizationFunctions {
  private AuthorizationFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put(
        "path",
        values ->
            new PathCheck(
                (Authorizer) values[0], filled((String) values[1], "path must not be empty")));
    all.put("group", values -> new GroupCheck((Authorizer) values[0], (String) values[1]));
    all.put(
        "serviceAccount",
        values -> serviceAccount((Authorizer) values[0], (String) values[1], (String) values[2]));
    all.put("resource", values -> resource((GroupCheck) values[0], (String) values[1]));
    all.put("subresource", values -> subresource((ResourceCheck) values[0], (String) values[1]));
    all.put("namespace", values -> namespace((ResourceCheck) values[0], (String) values[1]));
    all.put("name", values -> name((ResourceCheck) values[0], (String) values[1]));
    // The authorizers do not support selectors, so a permission for selected objects counts as
    // none.
    all.put("fieldSelector", values -> (ResourceCheck) values[0]);
    all.put("labelSelector", values -> (ResourceCheck) values[0]);
    all.put("check", values -> check(values[0], (String) values[1]));
    all.put("allowed", values -> ((Decision) values[0]).allowed());
    all.put("reason", values -> ((Decision) values[0]).reason());
    all.put("errored", values -> !((Decision) values[0]).error().isEmpty());
    all.put("error", values -> ((Decision) values[0]).error());
  }

  private static String filled(String text, String problem) {
    if (text.isBlank()) {
      throw new EvaluationException(problem);
    }
    return text;
  }

  private static Object serviceAccount(Authorizer authorizer, String namespace, String name) {
    if (!Names.dnsSubdomain(name).isEmpty()) {
      throw new EvaluationException("Invalid service account name");
    }
    if (!Names.dnsLabel(namespace).isEmpty()) {
      throw new EvaluationException("Invalid service account namespace");
    }
    return new Authorizer(authorizer.reviewer(), new ServiceAccount(namespace, name));
  }

  private static Object resource(GroupCheck group, String resource) {
    return new ResourceCheck(
        group.authorizer(),
        group.group(),
        filled(resource, "resource must not be empty"),
        "",
        "",
        "");
  }

  private static Object subresource(ResourceCheck check, String subresource) {
    return new ResourceCheck(
        check.authorizer(),
        check.group(),
        check.resource(),
        subresource,
        check.namespace(),
        check.name());
  }

  private static Object namespace(ResourceCheck check, String namespace) {
    return new ResourceCheck(
        check.authorizer(),
        check.group(),
        check.resource(),
        check.subresource(),
        namespace,
        check.name());
  }

  private static Object name(ResourceCheck check, String name) {
    return new ResourceCheck(
        check.authorizer(),
        check.group(),
        check.resource(),
        check.subresource(),
        check.namespace(),
        name);
  }

  private static Object check(Object value, String verb) {
    return switch (value) {
      case PathCheck path ->
          path.authorizer()
              .reviewer()
              .review(
                  new Question(path.authorizer().account(), verb, "", "", "", "", "", path.path()));
      case ResourceCheck check ->
          check
              .authorizer()
              .reviewer()
              .review(
                  new Question(
                      check.authorizer().account(),
                      verb,
                      check.group(),
                      check.resource(),
                      check.subresource(),
                      check.namespace(),
                      check.name(),
                      ""));
      default -> throw EvaluationException.noSuchOverload();
    };
  }
}
