package dev.muster.access;

import dev.muster.model.User;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;

/**
 * What somebody wants to do, as authorization sees it.
 *
 * @param resource the plural name; "" for a request that is not about a resource
 * @param path the path of a request that is not about a resource, "" otherwise
 * @param fields which objects of a list, a watch or a deletion of many are meant; a part that
 *     nobody could read is left out, so that more is asked for than is meant and never less
 * @param askedLabels the same by labels
 */
public record Attributes(
    User user,
    String verb,
    String group,
    String version,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path,
    boolean resourceRequest,
    FieldSelector fields,
    AskedLabels askedLabels) {

  public static Attributes resource(
      User user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return new Attributes(
        user,
        verb,
        group,
        version,
        resource,
        subresource,
        namespace,
        name,
        "",
        true,
        FieldSelector.EVERYTHING,
        AskedLabels.EVERYTHING);
  }

  /** A request for a path outside the resources; the verb is the HTTP method in small letters. */
  public static Attributes path(User user, String verb, String path) {
    return new Attributes(
        user,
        verb,
        "",
        "",
        "",
        "",
        "",
        "",
        path,
        false,
        FieldSelector.EVERYTHING,
        AskedLabels.EVERYTHING);
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
    return new Attributes(
        user,
        verb,
        group,
        version,
        resource,
        subresource,
        namespace,
        name,
        path,
        resourceRequest,
        someFields,
        someLabels);
  }

  /** This request in another user's name. */
  public Attributes withUser(User other) {
    return new Attributes(
        other,
        verb,
        group,
        version,
        resource,
        subresource,
        namespace,
        name,
        path,
        resourceRequest,
        fields,
        askedLabels);
  }

  /** This request with another verb. */
  public Attributes withVerb(String other) {
    return new Attributes(
        user,
        other,
        group,
        version,
        resource,
        subresource,
        namespace,
        name,
        path,
        resourceRequest,
        fields,
        askedLabels);
  }
}
