package dev.muster.registry.types.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.rules.core.ClaimRules;
import dev.muster.registry.rules.core.ConfigMapRules;
import dev.muster.registry.rules.core.EndpointsRules;
import dev.muster.registry.rules.core.EventRules;
import dev.muster.registry.rules.core.LimitRangeRules;
import dev.muster.registry.rules.core.NamespaceRules;
import dev.muster.registry.rules.core.NamespaceStrategy;
import dev.muster.registry.rules.core.NodeRules;
import dev.muster.registry.rules.core.QuotaRules;
import dev.muster.registry.rules.core.SecretRules;
import dev.muster.registry.rules.core.ServiceAccountRules;
import dev.muster.registry.rules.core.ServiceRules;
import dev.muster.registry.rules.core.VolumeRules;
import dev.muster.registry.rules.workloads.ControllerRules;
import dev.muster.registry.rules.workloads.PodRules;
import dev.muster.registry.rules.workloads.TemplateRules;
import dev.muster.registry.select.BuiltInFields;
import dev.muster.registry.table.CoreTables;
import dev.muster.registry.table.EventTable;
import dev.muster.registry.table.NodeTable;
import dev.muster.registry.table.PodTable;
import dev.muster.registry.table.ServiceTables;
import dev.muster.registry.table.TableSpec;
import dev.muster.registry.types.Deprecation;
import dev.muster.registry.types.ScalePaths;
import dev.muster.registry.types.ScalePaths.SelectorForm;
import dev.muster.registry.types.ServedTypeBuilder;
import dev.muster.registry.types.TypeTrait;
import dev.muster.replica.IndexedField;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The types of the core group. */
final class CoreTypes {
  private static final String[] PROXY_VERBS = {"create", "delete", "get", "patch", "update"};
  private static final GroupVersionKind EVICTION = new GroupVersionKind("policy", "v1", "Eviction");
  private static final GroupVersionKind TOKEN_REQUEST =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");

  private CoreTypes() {}

  static List<ServedTypeBuilder> all(Duration eventTimeToLive) {
    var v1 = new TypeTable("v1", 18000, 1);
    v1.namespaced("bindings", "Binding").verbs("create").trait(TypeTrait.NOT_COUNTED);
    v1.cluster("componentstatuses", "ComponentStatus", "cs")
        .verbs("get", "list")
        .table(CoreTables.componentStatus())
        .deprecated(new Deprecation("v1 ComponentStatus is deprecated in v1.19+", ""))
        .trait(TypeTrait.NOT_COUNTED);
    v1.namespaced("configmaps", "ConfigMap", ConfigMapRules.STRATEGY, "cm")
        .table(CoreTables.configMap());
    v1.namespaced("endpoints", "Endpoints", EndpointsRules.STRATEGY, "ep")
        .storage("/services/endpoints")
        .table(ServiceTables.ENDPOINTS)
        .deprecated(
            new Deprecation(
                "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice", ""));
    v1.namespaced("events", "Event", EventRules.CORE, "ev")
        .table(EventTable.SPEC)
        .selectable(BuiltInFields.coreEvents())
        .timeToLive(eventTimeToLive)
        .trait(TypeTrait.NOT_COUNTED);
    v1.namespaced("limitranges", "LimitRange", LimitRangeRules.STRATEGY, "limits");
    v1.cluster("namespaces", "Namespace", new NamespaceStrategy(NamespaceRules.STRATEGY), "ns")
        .verbs("create", "delete", "get", "list", "patch", "update", "watch")
        .subresource("finalize", "Namespace", "update")
        .status()
        .table(CoreTables.namespace())
        .selectable(BuiltInFields.named("status.phase"))
        .resets("finalize", "status")
        .trait(TypeTrait.OWN_NAMESPACE)
        .trait(TypeTrait.BRIEF_PRECONDITIONS);
    v1.cluster("nodes", "Node", NodeRules.STRATEGY, "no")
        .storage("/minions")
        .subresource("proxy", "NodeProxyOptions", PROXY_VERBS)
        .status()
        .table(NodeTable.SPEC)
        .selectable(BuiltInFields.named("spec.unschedulable=false"));
    v1.namespaced("persistentvolumeclaims", "PersistentVolumeClaim", ClaimRules.STRATEGY, "pvc")
        .status()
        .table(CoreTables.claim());
    v1.cluster("persistentvolumes", "PersistentVolume", VolumeRules.STRATEGY, "pv")
        .status()
        .table(CoreTables.volume())
        .index(IndexedField.reference("spec.claimRef"));
    v1.namespaced("pods", "Pod", PodRules.STRATEGY, "po")
        .categories("all")
        .subresource("attach", "PodAttachOptions", "create", "get")
        .subresource("binding", "Binding", "create")
        .subresource("ephemeralcontainers")
        .subresource("eviction", EVICTION, Set.of("create"))
        .subresource("exec", "PodExecOptions", "create", "get")
        .subresource("log", "Pod", "get")
        .subresource("portforward", "PodPortForwardOptions", "create", "get")
        .subresource("proxy", "PodProxyOptions", PROXY_VERBS)
        .subresource("resize")
        .status()
        .table(PodTable.SPEC)
        .selectable(BuiltInFields.pods())
        .index("spec.nodeName")
        .resets("status", "spec", "metadata.deletionTimestamp", "metadata.ownerReferences");
    v1.namespaced("podtemplates", "PodTemplate", TemplateRules.STRATEGY)
        .table(CoreTables.podTemplate());
    v1.namespaced("replicationcontrollers", "ReplicationController", ControllerRules.STRATEGY, "rc")
        .categories("all")
        .storage("/controllers")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABELS))
        .status()
        .table(CoreTables.replicationController())
        .selectable(BuiltInFields.namespaced("status.replicas=0"));
    v1.namespaced("resourcequotas", "ResourceQuota", QuotaRules.STRATEGY, "quota")
        .status()
        .table(CoreTables.quota());
    v1.namespaced("secrets", "Secret", SecretRules.STRATEGY)
        .table(CoreTables.secret())
        .selectable(BuiltInFields.namespaced("type"));
    v1.namespaced("serviceaccounts", "ServiceAccount", ServiceAccountRules.STRATEGY, "sa")
        .subresource("token", TOKEN_REQUEST, Set.of("create"))
        .table(TableSpec.NAME_AND_AGE);
    v1.namespaced("services", "Service", ServiceRules.STRATEGY, "svc")
        .categories("all")
        .storage("/services/specs")
        .subresource("proxy", "ServiceProxyOptions", PROXY_VERBS)
        .status()
        .table(ServiceTables.SERVICE)
        .selectable(BuiltInFields.namespaced("spec.clusterIP", "spec.type"));
    return v1.builders();
  }
}
