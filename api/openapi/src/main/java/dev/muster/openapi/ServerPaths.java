package dev.muster.openapi;

import dev.muster.model.GroupVersion;
import dev.muster.schema.Schemas;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The paths that are no resources: discovery, the server's version, the issuer of tokens. */
final class ServerPaths {
  private static final List<String> JSON = List.of("application/json");

  /** Adds paths and the definitions that these need. */
  interface Content {
    void add(Paths paths, Definitions definitions);
  }

  /** Those of the server itself, by the paths of their documents. */
  static final Map<String, Content> ROOTS =
      Map.of(
          ".well-known/openid-configuration",
          ServerPaths::issuer,
          "api",
          ServerPaths::coreVersions,
          "apis",
          ServerPaths::groupList,
          "openid/v1/jwks",
          ServerPaths::issuerKeys,
          "version",
          ServerPaths::serverVersion);

  private ServerPaths() {}

  /** What says which resources a version of a group has. */
  static void ofVersion(Paths paths, Definitions definitions, GroupVersion served) {
    var names = OperationNames.of(served);
    paths.document(
        Paths.root(served) + "/",
        "get" + names.version() + "APIResources",
        names.tag(),
        "get available resources",
        definitions.add(Schemas.struct(Schemas.META + "APIResourceList")));
  }

  /** What says which versions a group has. */
  static void ofGroup(Paths paths, Definitions definitions, String group) {
    if (!group.isEmpty()) {
      var name = OperationNames.groupName(group);
      paths.document(
          "/apis/" + group + "/",
          "get" + name + "APIGroup",
          name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1),
          "get information of a group",
          definitions.add(Schemas.struct(Schemas.META + "APIGroup")));
    }
  }

  private static void coreVersions(Paths paths, Definitions definitions) {
    paths.document(
        "/api/",
        "getCoreAPIVersions",
        "core",
        "get available API versions",
        definitions.add(Schemas.struct(Schemas.META + "APIVersions")));
  }

  private static void groupList(Paths paths, Definitions definitions) {
    paths.document(
        "/apis/",
        "getAPIVersions",
        "apis",
        "get available API versions",
        definitions.add(Schemas.struct(Schemas.META + "APIGroupList")));
  }

  private static void serverVersion(Paths paths, Definitions definitions) {
    paths.document(
        "/version/",
        "getCodeVersion",
        "version",
        "get the version information for this server",
        definitions.add(SpecialTypes.VERSION_INFO),
        JSON,
        JSON);
  }

  private static void issuer(Paths paths, Definitions definitions) {
    paths.document(
        "/.well-known/openid-configuration/",
        "getServiceAccountIssuerOpenIDConfiguration",
        "WellKnown",
        "get where and how tokens of service accounts are verified",
        "",
        List.of(),
        JSON);
  }

  private static void issuerKeys(Paths paths, Definitions definitions) {
    paths.document(
        "/openid/v1/jwks/",
        "getServiceAccountIssuerOpenIDKeyset",
        "openid",
        "get the keys that verify tokens of service accounts",
        "",
        List.of(),
        List.of("application/jwk-set+json"));
  }
}
