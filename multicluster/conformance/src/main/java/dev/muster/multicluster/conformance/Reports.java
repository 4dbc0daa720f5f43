package dev.muster.multicluster.conformance;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats findings as text, JSON and JUnit reports. */
public final class Reports {
  private Reports() {}

  public static List<List<String>> rows(List<Finding> findings) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("CLUSTER", "RESULT", "LEVEL", "DOCUMENT", "REQUIREMENT", "SEEN"));
    for (var finding : findings) {
      rows.add(
          List.of(
              finding.cluster(),
              finding.result().text(),
              finding.requirement().isMust() ? "MUST" : "SHOULD",
              finding.requirement().document(),
              finding.requirement().sentence(),
              finding.detail()));
    }
    return rows;
  }

  public static String json(List<Finding> findings) {
    var all = new ArrayList<Map<String, Object>>();
    for (var finding : findings) {
      var entry = new LinkedHashMap<String, Object>();
      entry.put("cluster", finding.cluster());
      entry.put("requirement", finding.requirement().id());
      entry.put("level", finding.requirement().isMust() ? "MUST" : "SHOULD");
      entry.put("document", finding.requirement().document());
      entry.put("sentence", finding.requirement().sentence());
      entry.put("result", finding.result().text());
      entry.put("detail", finding.detail());
      all.add(entry);
    }
    return Serialization.asJson(
        Map.of("conforms", findings.stream().noneMatch(Finding::isViolation), "findings", all));
  }

  /** One suite per cluster. Violations of a should are output, not failures. */
  public static String junit(List<Finding> findings) {
    var byCluster =
        findings.stream()
            .collect(
                Collectors.groupingBy(Finding::cluster, LinkedHashMap::new, Collectors.toList()));
    var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    byCluster.forEach(
        (cluster, its) -> {
          xml.append(
              "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n"
                  .formatted(
                      escaped(cluster),
                      its.size(),
                      its.stream().filter(Finding::isViolation).count(),
                      its.stream().filter(Finding::untold).count()));
          its.forEach(finding -> xml.append(testCase(finding)));
          xml.append("  </testsuite>\n");
        });
    return xml.append("</testsuites>\n").toString();
  }

  private static String testCase(Finding finding) {
    var detail = escaped(finding.detail());
    var inside =
        switch (finding.result()) {
          case PASS -> "<system-out>%s</system-out>".formatted(detail);
          case NOT_OBSERVED, NOT_IMPLEMENTED -> "<skipped message=\"%s\"/>".formatted(detail);
          case FAIL ->
              finding.isViolation()
                  ? "<failure message=\"%s\"/>".formatted(detail)
                  : "<system-out>SHOULD: %s</system-out>".formatted(detail);
        };
    return "    <testcase classname=\"%s.%s\" name=\"%s\">%s</testcase>\n"
        .formatted(
            escaped(finding.requirement().document()),
            escaped(finding.requirement().id()),
            escaped(finding.requirement().sentence()),
            inside);
  }

  /** XML cannot contain most control characters, so they are left out. */
  private static String escaped(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\t\n\r]]", "")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("\n", "&#10;")
        .replace("\r", "&#13;");
  }
}
