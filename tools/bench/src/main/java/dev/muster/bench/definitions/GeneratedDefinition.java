package dev.muster.bench.definitions;

/**
 * A definition as packages of cloud providers have them by the hundred: some 46 KB of schema, most
 * of it descriptions, and two CEL rules. Every run makes the same ones.
 *
 * @param prefix unique to the run
 * @param number of this definition
 */
public record GeneratedDefinition(String prefix, int number) {
  /** Definitions with the same group, one of some thirty services of a provider. */
  private static final int GROUPS = 30;

  private static final int SECTIONS = 10;
  private static final int FIELDS = 8;

  private String group() {
    return "service-" + number % GROUPS + "." + prefix + ".example.com";
  }

  private String plural() {
    return "resources" + number;
  }

  public String name() {
    return plural() + "." + group();
  }

  /** The path of all objects. */
  String path() {
    return "/apis/" + group() + "/v1beta1/" + plural();
  }

  /** The path of the document of version 3 that describes the definition, among others. */
  String document() {
    return "/openapi/v3/apis/" + group() + "/v1beta1";
  }

  /**
   * @param revision differs in one description from other revisions
   */
  public String json(int revision) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
    "metadata":{"name":"%s"},"spec":{"group":"%s","scope":"Cluster",\
    "names":{"plural":"%s","kind":"Resource%d","categories":["provider"]},\
    "versions":[{"name":"v1beta1","served":true,"storage":true,\
    "subresources":{"status":{}},"additionalPrinterColumns":[\
    {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}],\
    "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],\
    "description":"One resource of a provider, revision %d.",\
    "properties":{"spec":{"type":"object",%s,"x-kubernetes-validations":[\
    {"rule":"!has(self.section0) || has(self.section0.field0)",\
    "message":"section0.field0 is required"},\
    {"rule":"!has(oldSelf.section1) || has(self.section1)",\
    "message":"section1 must not be taken away"}]},\
    "status":{"type":"object",%s}}}}}]}}\
    """
        .formatted(
            name(), group(), plural(), number, revision, sections("Wanted"), sections("Observed"));
  }

  private String sections(String what) {
    var text = new StringBuilder("\"properties\":{");
    for (int i = 0; i < SECTIONS; i++) {
      text.append(i == 0 ? "" : ",");
      text.append("\"section%d\":{\"type\":\"object\",\"properties\":{".formatted(i));
      for (int j = 0; j < FIELDS; j++) {
        text.append(j == 0 ? "" : ",")
            .append("\"field%d\":{\"description\":\"".formatted(j))
            .append(description(what + " value", i, j))
            .append("\",")
            .append(type(j))
            .append('}');
      }
      text.append("}}");
    }
    return text.append('}').toString();
  }

  private static String type(int field) {
    return switch (field % 4) {
      case 0 -> "\"type\":\"string\"";
      case 1 -> "\"type\":\"integer\",\"format\":\"int64\",\"minimum\":0";
      case 2 -> "\"type\":\"array\",\"items\":{\"type\":\"string\"}";
      default -> "\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}";
    };
  }

  private String description(String what, int section, int field) {
    return ("%s of the resource as the provider knows it; it cannot be changed by hand while the"
            + " resource is in use, and what is not given here is chosen by the provider."
            + " Section %d, field %d, of definition %d.")
        .formatted(what, section, field, number);
  }
}
