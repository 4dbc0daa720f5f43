package dev.muster.openapi;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a path.
 *
 * @param action what discovery calls the verb, such as {@code list}; "" for no resource
 * @param body the definition of the request's body, or null
 * @param answer the definition of the answer; "" for text
 * @param codes the codes with which it answers
 */
record PathOperation(
    String id,
    String tag,
    String description,
    String action,
    @Nullable GroupVersionKind kind,
    List<OperationParameters> parameters,
    @Nullable String body,
    boolean bodyRequired,
    String answer,
    List<String> codes,
    List<String> consumes,
    List<String> produces) {

  private static final JsonArray SCHEMES = JsonArray.ofStrings(List.of("https"));
  private static final JsonObject UNAUTHORIZED = JsonObject.of("description", "Unauthorized");

  /** This operation without parameters that are said elsewhere. */
  PathOperation without(Collection<OperationParameters> others) {
    return new PathOperation(
        id,
        tag,
        description,
        action,
        kind,
        parameters.stream().filter(parameter -> !others.contains(parameter)).toList(),
        body,
        bodyRequired,
        answer,
        codes,
        consumes,
        produces);
  }

  JsonObject render(Dialect dialect) {
    var operation = JsonObject.builder();
    if (dialect == Dialect.V2 && !consumes.isEmpty()) {
      operation.put("consumes", JsonArray.ofStrings(consumes));
    }
    operation.put("description", description);
    operation.put("operationId", id);
    var all = new ArrayList<>(OperationParameters.of(dialect, parameters).asList());
    if (body != null && dialect == Dialect.V2) {
      var parameter = JsonObject.builder().put("in", "body").put("name", "body");
      if (bodyRequired) {
        parameter.put("required", true);
      }
      all.addFirst(parameter.put("schema", dialect.reference(body)).build());
    }
    if (!all.isEmpty()) {
      operation.put("parameters", JsonArray.of(all));
    }
    if (dialect == Dialect.V2) {
      operation.put("produces", JsonArray.ofStrings(produces));
    } else if (body != null) {
      var content = content(consumes, dialect.reference(body));
      operation.put("requestBody", bodyRequired ? content.with("required", true) : content);
    }
    operation.put("responses", responses(dialect));
    if (dialect == Dialect.V2) {
      operation.put("schemes", SCHEMES);
    }
    operation.put("tags", JsonArray.ofStrings(List.of(tag)));
    operation.putIf("x-kubernetes-action", action);
    var gvk = kind;
    if (gvk != null) {
      operation.put(
          "x-kubernetes-group-version-kind",
          JsonObject.of("group", gvk.group(), "kind", gvk.kind(), "version", gvk.version()));
    }
    return operation.build();
  }

  private JsonObject responses(Dialect dialect) {
    var schema = answer.isEmpty() ? JsonObject.of("type", "string") : dialect.reference(answer);
    var responses = JsonObject.builder();
    for (var code : codes) {
      var text =
          switch (code) {
            case "201" -> "Created";
            case "202" -> "Accepted";
            default -> "OK";
          };
      var response = JsonObject.of("description", text);
      responses.put(
          code,
          dialect == Dialect.V2
              ? response.with("schema", schema)
              : response.with("content", content(produces, schema).object("content")));
    }
    return responses.put("401", UNAUTHORIZED).build();
  }

  private static JsonObject content(List<String> types, JsonObject schema) {
    var content = JsonObject.builder();
    types.forEach(type -> content.put(type, JsonObject.of("schema", schema)));
    return JsonObject.of("content", content.build());
  }
}
