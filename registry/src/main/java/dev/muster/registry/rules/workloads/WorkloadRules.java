package dev.muster.registry.rules.workloads;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of pods, of what makes pods, of their classes, and of what looks after them. */
public final class WorkloadRules {
  private WorkloadRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.ofEntries(
        Map.entry(new GroupKind("", "Pod"), PodRules.STRATEGY),
        Map.entry(new GroupKind("", "PodTemplate"), TemplateRules.STRATEGY),
        Map.entry(new GroupKind("", "ReplicationController"), ControllerRules.STRATEGY),
        Map.entry(new GroupKind("apps", "ControllerRevision"), RevisionRules.STRATEGY),
        Map.entry(new GroupKind("apps", "DaemonSet"), DaemonSetRules.STRATEGY),
        Map.entry(new GroupKind("apps", "Deployment"), DeploymentRules.STRATEGY),
        Map.entry(new GroupKind("apps", "ReplicaSet"), ReplicaSetRules.STRATEGY),
        Map.entry(new GroupKind("apps", "StatefulSet"), StatefulSetRules.STRATEGY),
        Map.entry(
            new GroupKind("autoscaling", "HorizontalPodAutoscaler"), AutoscalerRules.STRATEGY),
        Map.entry(new GroupKind("batch", "CronJob"), CronJobRules.STRATEGY),
        Map.entry(new GroupKind("batch", "Job"), JobRules.STRATEGY),
        Map.entry(new GroupKind("node.k8s.io", "RuntimeClass"), RuntimeClassRules.STRATEGY),
        Map.entry(new GroupKind("scheduling.k8s.io", "PriorityClass"), PriorityClassRules.STRATEGY),
        Map.entry(new GroupKind("policy", "PodDisruptionBudget"), BudgetRules.STRATEGY));
  }
}
