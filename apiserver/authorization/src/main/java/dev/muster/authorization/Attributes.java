package dev.muster.authorization;

import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;

/**
 * The attributes of a request that authorization decides by.
 *
 * @param fields the field selector of a list, watch or deletecollection. Requirements that cannot
 *     be parsed are left out, so that authorization checks more than the request asks for, never
 *     less.
 * @param askedLabels the label selector, likewise
 */
public record Attributes(
    User user, String verb, Target target, FieldSelector fields, AskedLabels askedLabels) {

  /**
   * The target of a request.
   *
   * @param resource the plural name; "" for a non-resource request
   * @param path the path of a non-resource request, "" otherwise
   */
  public record Target(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      String path,
      boolean resourceRequest) {}

  public static Attributes resource(
      User user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return of(
        user, verb, new Target(group, version, resource, subresource, namespace, name, "", true));
  }

  /** A non-resource request; the verb is the HTTP method in lower case. */
  public static Attributes path(User user, String verb, String path) {
    return of(user, verb, new Target("", "", "", "", "", "", path, false));
  }

  private static Attributes of(User user, String verb, Target target) {
    return new Attributes(user, verb, target, FieldSelector.EVERYTHING, AskedLabels.EVERYTHING);
  }

  public String group() {
    return target.group();
  }

  public String version() {
    return target.version();
  }

  public String resource() {
    return target.resource();
  }

  public String subresource() {
    return target.subresource();
  }

  public String namespace() {
    return target.namespace();
  }

  public String name() {
    return target.name();
  }

  public String path() {
    return target.path();
  }

  public boolean resourceRequest() {
    return target.resourceRequest();
  }

  /** The label selector. */
  public LabelSelector labels() {
    return askedLabels.selector();
  }

  /** A copy with these selectors. */
  public Attributes selecting(FieldSelector someFields, LabelSelector someLabels) {
    return selecting(someFields, AskedLabels.of(someLabels));
  }

  /** A copy with these selectors; the label selector may have been too long to parse. */
  public Attributes selecting(FieldSelector someFields, AskedLabels someLabels) {
    return new Attributes(user, verb, target, someFields, someLabels);
  }

  /** A copy with another user. */
  public Attributes withUser(User other) {
    return new Attributes(other, verb, target, fields, askedLabels);
  }

  /** A copy with another verb. */
  public Attributes withVerb(String other) {
    return new Attributes(user, other, target, fields, askedLabels);
  }
}
