package dev.muster.registry.builtin;

import dev.muster.types.ScalePaths;
import dev.muster.types.ScalePaths.SelectorForm;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.conversion.DeprecatedAnnotations;
import dev.muster.types.table.TableSpec;
import dev.muster.types.table.WorkloadTables;
import dev.muster.validation.apps.DaemonSetRules;
import dev.muster.validation.apps.DeploymentRules;
import dev.muster.validation.apps.ReplicaSetRules;
import dev.muster.validation.apps.RevisionRules;
import dev.muster.validation.apps.StatefulSetRules;
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
