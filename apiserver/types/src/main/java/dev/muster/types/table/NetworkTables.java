package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Locale;

/** The tables of networking and discovery. */
public final class NetworkTables {
  private static final int SHOWN_HOSTS = 3;

  private NetworkTables() {}

  public static TableSpec ingress() {
    return TableSpec.of(
        Cells.name(),
        text("Class", "Who serves it.", pathOr(NONE, "spec", "ingressClassName")),
        text("Hosts", "Hosts that it serves, at most three.", NetworkTables::hosts),
        text(
            "Address",
            "Where it can be reached.",
            o -> String.join(",", ServiceTables.loadBalancers(o))),
        text(
            "Ports",
            "Ports that it serves.",
            o -> o.object("spec").array("tls").isEmpty() ? "80" : "80, 443"),
        Cells.age());
  }

  private static String hosts(JsonObject ingress) {
    var hosts = new ArrayList<String>();
    var rules = ingress.object("spec").array("rules").objects();
    boolean more = false;
    for (var rule : rules) {
      more |= hosts.size() == SHOWN_HOSTS;
      if (!more && !rule.string("host").isEmpty()) {
        hosts.add(rule.string("host"));
      }
    }
    if (hosts.isEmpty()) {
      return "*";
    }
    return String.join(",", hosts)
        + (more ? " + " + (rules.size() - SHOWN_HOSTS) + " more..." : "");
  }

  public static TableSpec ingressClass() {
    return TableSpec.of(
        Cells.name(
            o ->
                o.object("metadata").string("name")
                    + (o.object("metadata", "annotations")
                            .string("ingressclass.kubernetes.io/is-default-class")
                            .equals("true")
                        ? " (default)"
                        : "")),
        text("Controller", "Who serves ingresses of the class.", path("spec", "controller")),
        text("Parameters", "The class's parameters.", NetworkTables::parameters),
        Cells.age());
  }

  private static String parameters(JsonObject ingressClass) {
    if (!(ingressClass.object("spec").get("parameters") instanceof JsonObject parameters)) {
      return NONE;
    }
    return parameters.string("kind")
        + (parameters.has("apiGroup") ? "." + parameters.string("apiGroup") : "")
        + "/"
        + parameters.string("name");
  }

  public static TableSpec networkPolicy() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Pod-Selector",
            "Labels of the pods that it is about.",
            o -> Cells.selector(o.object("spec", "podSelector"))),
        Cells.age());
  }

  public static TableSpec address() {
    return TableSpec.of(
            Cells.name(), text("ParentRef", "What uses the address.", NetworkTables::parent))
        .withHiddenCell(Cells::age);
  }

  private static String parent(JsonObject address) {
    if (!(address.object("spec").get("parentRef") instanceof JsonObject parent)) {
      return NONE;
    }
    var resource = new GroupResource(parent.string("group"), parent.string("resource"));
    var namespace = parent.string("namespace");
    return resource.toString().toLowerCase(Locale.ROOT)
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + "/"
        + parent.string("name");
  }

  public static TableSpec serviceCidr() {
    return TableSpec.of(
        Cells.name(),
        text(
            "CIDRs",
            "Ranges of addresses.",
            o -> String.join(",", o.object("spec").array("cidrs").strings())),
        Cells.age());
  }
}
