package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.UNKNOWN;
import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.json.JsonObject;
import java.util.TreeSet;
import java.util.function.Function;

/** The table of nodes. */
public final class NodeTable {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";

  public static final TableSpec SPEC =
      TableSpec.of(
          Cells.name(),
          text("Status", "Whether the node is ready and takes new pods.", NodeTable::status),
          text("Roles", "What the node's labels say it is for.", NodeTable::roles),
          Cells.age(),
          text("Version", "Version of the kubelet.", info("kubeletVersion")),
          text("Internal-IP", "First internal address.", address("InternalIP")).wide(),
          text("External-IP", "First external address.", address("ExternalIP")).wide(),
          text("OS-Image", "Operating system.", info("osImage", UNKNOWN)).wide(),
          text("Kernel-Version", "Version of the kernel.", NodeTable::kernel).wide(),
          text(
                  "Container-Runtime",
                  "Name and version of the container runtime.",
                  info("containerRuntimeVersion", UNKNOWN))
              .wide());

  private NodeTable() {}

  private static Function<JsonObject, String> info(String field) {
    return node -> node.object("status", "nodeInfo").string(field);
  }

  private static Function<JsonObject, String> info(String field, String otherwise) {
    return node -> orElse(info(field).apply(node), otherwise);
  }

  private static String kernel(JsonObject node) {
    var architecture = info("architecture").apply(node);
    return info("kernelVersion", UNKNOWN).apply(node)
        + (architecture.isEmpty() ? "" : " (" + architecture + ")");
  }

  private static String status(JsonObject node) {
    var ready = "Unknown";
    for (var condition : node.object("status").array("conditions").objects()) {
      if (condition.string("type").equals("Ready")) {
        ready = condition.string("status").equals("True") ? "Ready" : "NotReady";
      }
    }
    return node.object("spec").isTrue("unschedulable") ? ready + ",SchedulingDisabled" : ready;
  }

  private static String roles(JsonObject node) {
    var roles = new TreeSet<String>();
    node.object("metadata", "labels")
        .strings()
        .forEach(
            (key, value) -> {
              if (key.startsWith(ROLE_PREFIX)) {
                roles.add(key.substring(ROLE_PREFIX.length()));
              } else if (key.equals("kubernetes.io/role")) {
                roles.add(value);
              }
            });
    roles.remove("");
    return orElse(String.join(",", roles), NONE);
  }

  private static Function<JsonObject, String> address(String type) {
    return node -> {
      for (var address : node.object("status").array("addresses").objects()) {
        if (address.string("type").equals(type)) {
          return address.string("address");
        }
      }
      return NONE;
    };
  }
}
