package dev.muster.registry.types.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.rules.core.ConfigMapRules;
import dev.muster.registry.rules.core.EventRules;
import dev.muster.registry.rules.core.LimitRangeRules;
import dev.muster.registry.rules.core.NamespaceRules;
import dev.muster.registry.rules.core.NamespaceStrategy;
import dev.muster.registry.rules.core.NodeRules;
import dev.muster.registry.rules.core.QuotaRules;
import dev.muster.registry.rules.core.SecretRules;
import dev.muster.registry.rules.core.ServiceAccountRules;
import dev.muster.registry.rules.pods.PodRules;
import dev.muster.registry.rules.services.EndpointsRules;
import dev.muster.registry.rules.services.ServiceRules;
import dev.muster.registry.rules.storage.ClaimRules;
import dev.muster.registry.rules.storage.VolumeRules;
import dev.muster.registry.rules.workloads.ControllerRules;
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
import dev.muster.registry.types.Strategy;
import dev.muster.registry.types.TypeRules;
import dev.muster.registry.types.TypeTrait;
import dev.muster.replica.object.IndexedField;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The types of the core group. */
final class CoreTypes implements TypeRules {
  private static final String[] PROXY_VERBS = {"create", "delete", "get", "patch", "update"};
  private static final GroupVersionKind EVICTION = new GroupVersionKind("policy", "v1", "Eviction");
  private static final GroupVersionKind TOKEN_REQUEST =
      new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest");

  private CoreTypes() {}

  static List<ServedTypeBuilder> all(Duration eventTimeToLive) {
    var rules = new CoreTypes();
    var v1 = new TypeTable("v1", 18000, 1, rules);
    v1.namespaced("bindings", "Binding").verbs("create").trait(TypeTrait.NOT_COUNTED);
    v1.cluster("componentstatuses", "ComponentStatus", "cs")
        .verbs("get", "list")
        .deprecated(new Deprecation("v1 ComponentStatus is deprecated in v1.19+", ""))
        .trait(TypeTrait.NOT_COUNTED);
    v1.namespaced("configmaps", "ConfigMap", "cm");
    v1.namespaced("endpoints", "Endpoints", "ep")
        .storage("/services/endpoints")
        .deprecated(
            new Deprecation(
                "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice", ""));
    v1.namespaced("events", "Event", "ev")
        .selectable(BuiltInFields.coreEvents())
        .timeToLive(eventTimeToLive)
        .trait(TypeTrait.NOT_COUNTED);
    v1.namespaced("limitranges", "LimitRange", "limits");
    v1.cluster("namespaces", "Namespace", "ns")
        .verbs("create", "delete", "get", "list", "patch", "update", "watch")
        .subresource("finalize", "Namespace", "update")
        .status()
        .selectable(BuiltInFields.named("status.phase"))
        .resets("finalize", "status")
        .trait(TypeTrait.OWN_NAMESPACE)
        .trait(TypeTrait.BRIEF_PRECONDITIONS);
    v1.cluster("nodes", "Node", "no")
        .storage("/minions")
        .subresource("proxy", "NodeProxyOptions", PROXY_VERBS)
        .status()
        .selectable(BuiltInFields.named("spec.unschedulable=false"));
    v1.namespaced("persistentvolumeclaims", "PersistentVolumeClaim", "pvc").status();
    v1.cluster("persistentvolumes", "PersistentVolume", "pv")
        .status()
        .index(IndexedField.reference("spec.claimRef"));
    v1.namespaced("pods", "Pod", "po")
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
        .selectable(BuiltInFields.pods())
        .index("spec.nodeName")
        .resets("status", "spec", "metadata.deletionTimestamp", "metadata.ownerReferences");
    v1.namespaced("podtemplates", "PodTemplate");
    v1.namespaced("replicationcontrollers", "ReplicationController", "rc")
        .categories("all")
        .storage("/controllers")
        .scale(ScalePaths.ofWorkload(SelectorForm.LABELS))
        .status()
        .selectable(BuiltInFields.namespaced("status.replicas=0"));
    v1.namespaced("resourcequotas", "ResourceQuota", "quota").status();
    v1.namespaced("secrets", "Secret").selectable(BuiltInFields.namespaced("type"));
    v1.namespaced("serviceaccounts", "ServiceAccount", "sa")
        .subresource("token", TOKEN_REQUEST, Set.of("create"));
    v1.namespaced("services", "Service", "svc")
        .categories("all")
        .storage("/services/specs")
        .subresource("proxy", "ServiceProxyOptions", PROXY_VERBS)
        .status()
        .selectable(BuiltInFields.namespaced("spec.clusterIP", "spec.type"));
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "bindings" -> TypeTable.NAMESPACED;
      case "componentstatuses" -> TypeTable.CLUSTER;
      case "configmaps" -> ConfigMapRules.STRATEGY;
      case "endpoints" -> EndpointsRules.STRATEGY;
      case "events" -> EventRules.CORE;
      case "limitranges" -> LimitRangeRules.STRATEGY;
      case "namespaces" -> new NamespaceStrategy(NamespaceRules.STRATEGY);
      case "nodes" -> NodeRules.STRATEGY;
      case "persistentvolumeclaims" -> ClaimRules.STRATEGY;
      case "persistentvolumes" -> VolumeRules.STRATEGY;
      case "pods" -> PodRules.STRATEGY;
      case "podtemplates" -> TemplateRules.STRATEGY;
      case "replicationcontrollers" -> ControllerRules.STRATEGY;
      case "resourcequotas" -> QuotaRules.STRATEGY;
      case "secrets" -> SecretRules.STRATEGY;
      case "serviceaccounts" -> ServiceAccountRules.STRATEGY;
      case "services" -> ServiceRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "componentstatuses" -> CoreTables.componentStatus();
      case "configmaps" -> CoreTables.configMap();
      case "endpoints" -> ServiceTables.ENDPOINTS;
      case "events" -> EventTable.SPEC;
      case "namespaces" -> CoreTables.namespace();
      case "nodes" -> NodeTable.SPEC;
      case "persistentvolumeclaims" -> CoreTables.claim();
      case "persistentvolumes" -> CoreTables.volume();
      case "pods" -> PodTable.SPEC;
      case "podtemplates" -> CoreTables.podTemplate();
      case "replicationcontrollers" -> CoreTables.replicationController();
      case "resourcequotas" -> CoreTables.quota();
      case "secrets" -> CoreTables.secret();
      case "serviceaccounts" -> TableSpec.NAME_AND_AGE;
      case "services" -> ServiceTables.SERVICE;
      default -> TableSpec.PLAIN;
    };
  }
}
