package dev.muster.registry.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.replica.object.IndexedField;
import dev.muster.types.Deprecation;
import dev.muster.types.ScalePaths;
import dev.muster.types.ScalePaths.SelectorForm;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import dev.muster.types.select.BuiltInFields;
import dev.muster.types.table.CoreTables;
import dev.muster.types.table.EventTable;
import dev.muster.types.table.NodeTable;
import dev.muster.types.table.PodTable;
import dev.muster.types.table.ServiceTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.apps.ControllerRules;
import dev.muster.validation.apps.TemplateRules;
import dev.muster.validation.core.ConfigMapRules;
import dev.muster.validation.core.EventRules;
import dev.muster.validation.core.LimitRangeRules;
import dev.muster.validation.core.NamespaceRules;
import dev.muster.validation.core.NamespaceStrategy;
import dev.muster.validation.core.NodeRules;
import dev.muster.validation.core.QuotaRules;
import dev.muster.validation.core.SecretRules;
import dev.muster.validation.core.ServiceAccountRules;
import dev.muster.validation.pods.PodRules;
import dev.muster.validation.services.EndpointsRules;
import dev.muster.validation.services.ServiceRules;
import dev.muster.validation.storage.ClaimRules;
import dev.muster.validation.storage.VolumeRules;
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
