package dev.muster.openapi;

import dev.muster.model.GroupVersionKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes an operation step by step. */
final class OperationBuilder {
  private final String id;
  private final String tag;
  private final String description;
  private final String action;
  private GroupVersionKind kind;
  private List<OperationParameters> parameters = List.of();
  private @Nullable String body;
  private boolean bodyRequired;
  private String answer = "";
  private List<String> codes = List.of("200");
  private List<String> consumes;
  private List<String> produces;

  OperationBuilder(
      String id,
      String tag,
      String description,
      String action,
      GroupVersionKind kind,
      OperationStyle style) {
    this.id = id;
    this.tag = tag;
    this.description = description;
    this.action = action;
    this.kind = kind;
    this.consumes = style.consumes();
    this.produces = style.produces();
  }

  OperationBuilder of(GroupVersionKind other) {
    kind = other;
    return this;
  }

  OperationBuilder with(List<OperationParameters> some) {
    parameters = some;
    return this;
  }

  OperationBuilder taking(String definition, boolean required) {
    body = definition;
    bodyRequired = required;
    return this;
  }

  OperationBuilder consuming(List<String> types) {
    consumes = types;
    return this;
  }

  OperationBuilder producing(List<String> types) {
    produces = types;
    return this;
  }

  OperationBuilder answering(String definition, String... with) {
    return answering(definition, List.of(with));
  }

  OperationBuilder answering(String definition, List<String> with) {
    answer = definition;
    codes = with;
    return this;
  }

  PathOperation build() {
    return new PathOperation(
        id,
        tag,
        description,
        action,
        kind,
        parameters,
        body,
        bodyRequired,
        answer,
        codes,
        consumes,
        produces);
  }
}
