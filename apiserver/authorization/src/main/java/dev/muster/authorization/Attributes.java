package dev.muster.authorization;

import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;

/**
 * What somebody wants to do, as authorization sees it.
 *
 * @param fields which objects of a list, a watch or a deletion of many are meant; a part that
 *     nobody could read is left out, so that more is asked for than is meant and never less
 * @param askedLabels the same by labels
 */
public record Attributes(
    User user, String verb, Target target, FieldSelector fields, AskedLabels askedLabels) {

  /**
   * What it is to be done to.
   *
   * @param resource the plural name; "" for a request that is not about a resource
   * @param path the path of a request that is not about a resource, "" otherwise
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

  /** A request for a path outside the resources; the verb is the HTTP method in small letters. */
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

  /** Which objects are meant, by labels. */
  public LabelSelector labels() {
    return askedLabels.selector();
  }

  /** This request for the objects that the selectors choose. */
  public Attributes selecting(FieldSelector someFields, LabelSelector someLabels) {
    return selecting(someFields, AskedLabels.of(someLabels));
  }

  /** This request for the chosen objects, whose labels may have been too long to be read. */
  public Attributes selecting(FieldSelector someFields, AskedLabels someLabels) {
    return new Attributes(user, verb, target, someFields, someLabels);
  }

  /** This request in another user's name. */
  public Attributes withUser(User other) {
    return new Attributes(other, verb, target, fields, askedLabels);
  }

  /** This request with another verb. */
  public Attributes withVerb(String other) {
    return new Attributes(user, other, target, fields, askedLabels);
  }
}
