package dev.muster.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A kind of objects that the run defines, as operators define theirs.
 *
 * @param prefix unique to the run
 * @param purpose unique to the kind within the run
 * @param rules whether objects are held against twenty CEL rules of the usual kinds
 */
public record CustomKind(String prefix, String purpose, boolean rules) {
  public static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /** Rules over the whole spec. */
  private static final List<String> SPEC =
      List.of(
          "self.minReplicas <= self.maxReplicas",
          "self.replicas >= self.minReplicas",
          "self.replicas <= self.maxReplicas",
          "self.interval < self.timeout",
          "self.mode != 'Active' || self.replicas > 0",
          "!has(self.paused) || !self.paused || self.mode != 'Active'",
          "has(self.class) == has(oldSelf.class)",
          "self.ports.all(p, p.port < 65536 && (p.port != 443 || p.name == 'https'))",
          "self.tags.exists(t, t == 'bench') || self.class != 'standard'",
          "size(self.tags) + size(self.ports) <= 16",
          "oldSelf.mode != 'Stopped' || self.mode != 'Active'");

  /** Rules of single fields. */
  private static final Map<String, List<String>> FIELDS =
      Map.of(
          "class", List.of("self == oldSelf"),
          "storage", List.of("self >= oldSelf", "self > 0 && self % 5 == 0"),
          "host", List.of("self.matches('^[a-z0-9.-]+$')", "!self.endsWith('.')"),
          "tags", List.of("self.all(t, t.matches('^[a-z]+$'))", "self.size() <= 8"),
          "ports", List.of("self.exists(p, p.name == 'http')", "size(self) > 0"));

  String group() {
    return prefix + ".example.com";
  }

  private String plural() {
    return purpose + "s";
  }

  String definitionName() {
    return plural() + "." + group();
  }

  /** The path of the objects of a namespace. */
  String path(String namespace) {
    return "/apis/" + group() + "/v1/namespaces/" + namespace + "/" + plural();
  }

  String definition() {
    var properties = new ArrayList<String>();
    properties.add(field("class", "\"type\":\"string\",\"maxLength\":64"));
    properties.add(field("host", "\"type\":\"string\",\"maxLength\":64"));
    properties.add(
        field(
            "mode",
            "\"type\":\"string\",\"enum\":[\"Active\",\"Stopped\"],\"default\":\"Active\""));
    properties.add(field("number", "\"type\":\"string\""));
    properties.add(field("paused", "\"type\":\"boolean\""));
    properties.add(field("payload", "\"type\":\"string\""));
    for (var name :
        List.of("interval", "maxReplicas", "minReplicas", "replicas", "storage", "timeout")) {
      properties.add(field(name, "\"type\":\"integer\",\"minimum\":0,\"maximum\":1000"));
    }
    properties.add(
        field(
            "tags",
            "\"type\":\"array\",\"maxItems\":16,\"x-kubernetes-list-type\":\"set\","
                + "\"items\":{\"type\":\"string\",\"maxLength\":64}"));
    properties.add(
        field(
            "ports",
            "\"type\":\"array\",\"maxItems\":16,\"x-kubernetes-list-type\":\"map\","
                + "\"x-kubernetes-list-map-keys\":[\"name\"],\"items\":{\"type\":\"object\","
                + "\"required\":[\"name\",\"port\"],\"properties\":{"
                + "\"name\":{\"type\":\"string\",\"maxLength\":64},"
                + "\"port\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":65535},"
                + "\"protocol\":{\"type\":\"string\",\"default\":\"TCP\"}}}"));
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
    "metadata":{"name":"%s"},"spec":{"group":"%s","scope":"Namespaced",\
    "names":{"plural":"%s","kind":"%s"},"versions":[{"name":"v1","served":true,\
    "storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{\
    "spec":{"type":"object","required":["class","mode","tags","ports"]%s,\
    "properties":{%s}}}}}}]}}\
    """
        .formatted(
            definitionName(),
            group(),
            plural(),
            kind(),
            validations(SPEC),
            String.join(",", properties));
  }

  private String kind() {
    return "Bench" + purpose.replace("-", "");
  }

  private String field(String name, String schema) {
    return "\"%s\":{%s%s}"
        .formatted(name, schema, validations(FIELDS.getOrDefault(name, List.of())));
  }

  private String validations(List<String> expressions) {
    if (!rules || expressions.isEmpty()) {
      return "";
    }
    return expressions.stream()
        .map(rule -> "{\"rule\":\"" + rule + "\",\"message\":\"is not as it must be\"}")
        .collect(Collectors.joining(",", ",\"x-kubernetes-validations\":[", "]"));
  }

  /** An object in which small fields take the place of a part of the payload. */
  String object(String name, String payload) {
    var fields =
        """
        "class":"standard","replicas":3,"minReplicas":1,"maxReplicas":10,"interval":10,\
        "timeout":30,"storage":10,"host":"www.example.com","mode":"Active","paused":false,\
        "tags":["bench","small","test"],"ports":[{"name":"http","port":80,"protocol":"TCP"},\
        {"name":"https","port":443,"protocol":"TCP"}]\
        """;
    return """
    {"apiVersion":"%s/v1","kind":"%s","metadata":{"name":"%s",\
    "labels":{"app":"muster-bench"}},"spec":{"number":"0",%s,"payload":"%s"}}\
    """
        .formatted(
            group(),
            kind(),
            name,
            fields,
            payload.substring(Math.min(fields.length(), payload.length())));
  }
}
