package dev.muster.registry.types.builtin;

import dev.muster.registry.conversion.DeprecatedAnnotations;
import dev.muster.registry.rules.workloads.DaemonSetRules;
import dev.muster.registry.rules.workloads.DeploymentRules;
import dev.muster.registry.rules.workloads.ReplicaSetRules;
import dev.muster.registry.rules.workloads.RevisionRules;
import dev.muster.registry.rules.workloads.StatefulSetRules;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ScalePaths;
import dev.muster.registry.types.ScalePaths.SelectorForm;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import java.util.List;

/** The types of {@code apps}. */
final class AppsTypes implements TypeRules {
  private AppsTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new AppsTypes();
    var v1 = new TypeTable("apps/v1", 17800, 15, rules);
    v1.namespaced("controllerrevisions", "ControllerRevision");
    v1.namespaced("daemonsets", "DaemonSet", "ds")
        .categories("all")
        .status()
        .conversion(DeprecatedAnnotations.OF_DAEMON_SETS);
    v1.namespaced("deployments", "Deployment", "deploy")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status()
        .conversion(DeprecatedAnnotations.OF_DEPLOYMENTS)
        .resets("status", "spec", "metadata.labels");
    v1.namespaced("replicasets", "ReplicaSet", "rs")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status();
    v1.namespaced("statefulsets", "StatefulSet", "sts")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status();
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "controllerrevisions" -> RevisionRules.STRATEGY;
      case "daemonsets" -> DaemonSetRules.STRATEGY;
      case "deployments" -> DeploymentRules.STRATEGY;
      case "replicasets" -> ReplicaSetRules.STRATEGY;
      case "statefulsets" -> StatefulSetRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "controllerrevisions" -> WorkloadTables.controllerRevision();
      case "daemonsets" -> WorkloadTables.daemonSet();
      case "deployments" -> WorkloadTables.deployment();
      case "replicasets" -> WorkloadTables.replicaSet();
      case "statefulsets" -> WorkloadTables.statefulSet();
      default -> TableSpec.PLAIN;
    };
  }
}
