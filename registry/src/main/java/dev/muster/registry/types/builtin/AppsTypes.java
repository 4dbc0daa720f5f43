package dev.muster.registry.types.builtin;

import dev.muster.registry.conversion.DeprecatedAnnotations;
import dev.muster.registry.rules.workloads.DaemonSetRules;
import dev.muster.registry.rules.workloads.DeploymentRules;
import dev.muster.registry.rules.workloads.ReplicaSetRules;
import dev.muster.registry.rules.workloads.RevisionRules;
import dev.muster.registry.rules.workloads.StatefulSetRules;
import dev.muster.registry.table.WorkloadTables;
import dev.muster.registry.types.ScalePaths;
import dev.muster.registry.types.ScalePaths.SelectorForm;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code apps}. */
final class AppsTypes {
  private AppsTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("apps/v1", 17800, 15);
    v1.namespaced("controllerrevisions", "ControllerRevision", RevisionRules.STRATEGY)
        .table(WorkloadTables.controllerRevision());
    v1.namespaced("daemonsets", "DaemonSet", DaemonSetRules.STRATEGY, "ds")
        .categories("all")
        .status()
        .conversion(DeprecatedAnnotations.OF_DAEMON_SETS)
        .table(WorkloadTables.daemonSet());
    v1.namespaced("deployments", "Deployment", DeploymentRules.STRATEGY, "deploy")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status()
        .conversion(DeprecatedAnnotations.OF_DEPLOYMENTS)
        .table(WorkloadTables.deployment())
        .resets("status", "spec", "metadata.labels");
    v1.namespaced("replicasets", "ReplicaSet", ReplicaSetRules.STRATEGY, "rs")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status()
        .table(WorkloadTables.replicaSet());
    v1.namespaced("statefulsets", "StatefulSet", StatefulSetRules.STRATEGY, "sts")
        .categories("all")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABEL_SELECTOR))
        .status()
        .table(WorkloadTables.statefulSet());
    return v1.builders();
  }
}
