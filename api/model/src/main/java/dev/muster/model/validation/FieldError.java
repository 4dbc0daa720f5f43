package dev.muster.model.validation;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonString;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A validation error of one field, with kube-apiserver's message.
 *
 * @param path the field, such as {@code spec.ports[0].port}
 * @param body the message without the path, such as {@code Required value: must be set}
 */
public record FieldError(Type type, String path, String body) {

  /** The types of field errors with the reasons that clients see. */
  public enum Type {
    NOT_FOUND("FieldValueNotFound"),
    REQUIRED("FieldValueRequired"),
    DUPLICATE("FieldValueDuplicate"),
    INVALID("FieldValueInvalid"),
    NOT_SUPPORTED("FieldValueNotSupported"),
    FORBIDDEN("FieldValueForbidden"),
    TOO_LONG("FieldValueTooLong"),
    TOO_MANY("FieldValueTooMany"),
    INTERNAL("InternalError"),
    TYPE_INVALID("FieldValueTypeInvalid");

    private final String reason;

    Type(String reason) {
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  public static FieldError required(FieldPath path, String detail) {
    return new FieldError(Type.REQUIRED, path.text(), withDetail("Required value", detail));
  }

  /** Prints a text in quotes like Go, and any other value as JSON. */
  public static FieldError invalid(FieldPath path, Json value, String detail) {
    return new FieldError(
        Type.INVALID, path.text(), withDetail("Invalid value: " + print(value), detail));
  }

  private static String print(Json value) {
    return value instanceof JsonString string ? GoText.quote(string.value()) : value.toString();
  }

  /** Does not print the value. */
  public static FieldError invalid(FieldPath path, String detail) {
    return new FieldError(Type.INVALID, path.text(), withDetail("Invalid value", detail));
  }

  public static FieldError invalid(FieldPath path, String value, String detail) {
    return invalid(path, Json.of(value), detail);
  }

  public static FieldError invalid(FieldPath path, long value, String detail) {
    return invalid(path, Json.of(value), detail);
  }

  /** Prints a text whose type in Go is not a plain string, such as an enum, as JSON. */
  public static FieldError invalidTyped(FieldPath path, String value, String detail) {
    return new FieldError(
        Type.INVALID, path.text(), withDetail("Invalid value: " + GoText.json(value), detail));
  }

  public static FieldError typeInvalid(FieldPath path, Json value, String detail) {
    return new FieldError(
        Type.TYPE_INVALID, path.text(), withDetail("Invalid value: " + print(value), detail));
  }

  /** Prints the value as JSON, because an enum has its own type in Go. */
  public static FieldError notSupported(FieldPath path, String value, List<String> supported) {
    return notSupported(path, Json.of(value), supported);
  }

  /** Prints texts as JSON, because a field with a list of values has its own type in Go. */
  public static FieldError notSupported(FieldPath path, Json value, List<String> supported) {
    var known = supported.stream().map(GoText::quote).collect(Collectors.joining(", "));
    return new FieldError(
        Type.NOT_SUPPORTED,
        path.text(),
        "Unsupported value: "
            + (value instanceof JsonString string ? GoText.json(string.value()) : value.toString())
            + (known.isEmpty() ? "" : ": supported values: " + known));
  }

  public static FieldError duplicate(FieldPath path, Json value) {
    return new FieldError(Type.DUPLICATE, path.text(), "Duplicate value: " + print(value));
  }

  public static FieldError notFound(FieldPath path, Json value) {
    return new FieldError(Type.NOT_FOUND, path.text(), "Not found: " + print(value));
  }

  public static FieldError forbidden(FieldPath path, String detail) {
    return new FieldError(Type.FORBIDDEN, path.text(), withDetail("Forbidden", detail));
  }

  public static FieldError tooLong(FieldPath path, int most) {
    return new FieldError(
        Type.TOO_LONG,
        path.text(),
        "Too long: may not be more than " + most + (most == 1 ? " byte" : " bytes"));
  }

  public static FieldError internal(FieldPath path, String detail) {
    return new FieldError(Type.INTERNAL, path.text(), withDetail("Internal error", detail));
  }

  public static FieldError tooMany(FieldPath path, int actual, int most) {
    return new FieldError(
        Type.TOO_MANY,
        path.text(),
        "Too many: " + actual + ": must have at most " + most + (most == 1 ? " item" : " items"));
  }

  private static String withDetail(String head, String detail) {
    return detail.isEmpty() ? head : head + ": " + detail;
  }

  @Override
  public String toString() {
    return path + ": " + body;
  }

  /** One error as it is; several errors in brackets, without duplicates. */
  public static String join(List<FieldError> errors) {
    var texts = new LinkedHashSet<String>();
    errors.forEach(error -> texts.add(error.toString()));
    return texts.size() == 1
        ? texts.getFirst()
        : texts.stream().collect(Collectors.joining(", ", "[", "]"));
  }
}
