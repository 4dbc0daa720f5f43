package dev.muster.it.races;

/**
 * What clients race for.
 *
 * @param collection the path of its collection
 * @param createdByPut whether a PUT makes what is not there
 */
public record RaceKind(String apiVersion, String kind, String collection, boolean createdByPut) {
  public static final String NAMESPACE = "races";

  public static final RaceKind CONFIG_MAP =
      new RaceKind("v1", "ConfigMap", "/api/v1/namespaces/" + NAMESPACE + "/configmaps", false);

  public static final RaceKind ROLE =
      new RaceKind(
          "rbac.authorization.k8s.io/v1",
          "Role",
          "/apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE + "/roles",
          true);
}
