package dev.muster.access.admission;

import dev.muster.access.Authorizer;
import dev.muster.access.admission.config.AdmissionConfiguration;
import dev.muster.access.admission.images.ImagePolicyWebhook;
import dev.muster.access.admission.manifest.ManifestPlugin;
import dev.muster.access.admission.manifest.ManifestSources;
import dev.muster.access.admission.namespaces.NamespaceAutoProvision;
import dev.muster.access.admission.namespaces.NamespaceExists;
import dev.muster.access.admission.namespaces.NamespaceLifecycle;
import dev.muster.access.admission.nodes.NodeRestriction;
import dev.muster.access.admission.nodes.TaintNodesByCondition;
import dev.muster.access.admission.objects.AlwaysDenyAdmission;
import dev.muster.access.admission.objects.DefaultIngressClass;
import dev.muster.access.admission.objects.DefaultStorageClass;
import dev.muster.access.admission.objects.DenyServiceExternalIps;
import dev.muster.access.admission.objects.EventRateLimit;
import dev.muster.access.admission.objects.PersistentVolumeClaimResize;
import dev.muster.access.admission.objects.StorageObjectInUseProtection;
import dev.muster.access.admission.pods.AlwaysPullImages;
import dev.muster.access.admission.pods.DefaultTolerationSeconds;
import dev.muster.access.admission.pods.ExtendedResourceToleration;
import dev.muster.access.admission.pods.HardAntiAffinity;
import dev.muster.access.admission.pods.LimitRanger;
import dev.muster.access.admission.pods.NodeDeclaredFeatures;
import dev.muster.access.admission.pods.PodNodeSelector;
import dev.muster.access.admission.pods.PodResizes;
import dev.muster.access.admission.pods.PodTolerationRestriction;
import dev.muster.access.admission.pods.PodTopologyLabels;
import dev.muster.access.admission.pods.Priority;
import dev.muster.access.admission.pods.RuntimeClass;
import dev.muster.access.admission.pods.ServiceAccounts;
import dev.muster.access.admission.podsecurity.PodSecurity;
import dev.muster.access.admission.podsecurity.PodSecuritySettings;
import dev.muster.access.admission.policy.MutatingPolicies;
import dev.muster.access.admission.policy.ValidatingPolicies;
import dev.muster.access.admission.quota.LimitedResources;
import dev.muster.access.admission.quota.ResourceQuotas;
import dev.muster.access.admission.rights.CertificateSubjectRestriction;
import dev.muster.access.admission.rights.Certificates;
import dev.muster.access.admission.rights.OwnerReferencesPermission;
import dev.muster.access.admission.webhook.HookSettings;
import dev.muster.access.admission.webhook.MutatingWebhooks;
import dev.muster.access.admission.webhook.ValidatingWebhooks;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.webhook.WebhookTransport;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The plugins that upstream knows, in the order in which they run. Some do nothing here, because
 * nothing calls for them or another part of the server does their work.
 */
public enum AdmissionPlugin {
  ALWAYS_ADMIT("AlwaysAdmit", false, around -> Admission.NONE),
  NAMESPACE_AUTO_PROVISION(
      "NamespaceAutoProvision", false, around -> new NamespaceAutoProvision(around.namespaces())),
  NAMESPACE_LIFECYCLE("NamespaceLifecycle", true, around -> new NamespaceLifecycle()),
  NAMESPACE_EXISTS("NamespaceExists", false, around -> new NamespaceExists()),
  LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY(
      "LimitPodHardAntiAffinityTopology", false, around -> new HardAntiAffinity()),
  LIMIT_RANGER("LimitRanger", true, around -> new LimitRanger()),
  SERVICE_ACCOUNT("ServiceAccount", true, around -> new ServiceAccounts(around.random())),
  NODE_RESTRICTION("NodeRestriction", false, around -> new NodeRestriction(around.authorizer())),
  TAINT_NODES_BY_CONDITION("TaintNodesByCondition", true, around -> new TaintNodesByCondition()),
  ALWAYS_PULL_IMAGES("AlwaysPullImages", false, around -> new AlwaysPullImages()),
  IMAGE_POLICY_WEBHOOK(
      "ImagePolicyWebhook",
      false,
      around ->
          new ImagePolicyWebhook(
              around.configuration().imagePolicy(),
              around.webhooks(),
              around.clock(),
              around.random())),
  POD_SECURITY(
      "PodSecurity",
      true,
      around ->
          new PodSecurity(
              PodSecuritySettings.read(around.settings("PodSecurity")),
              around.observer().podSecurity())),
  POD_NODE_SELECTOR(
      "PodNodeSelector", false, around -> new PodNodeSelector(around.settings("PodNodeSelector"))),
  PRIORITY("Priority", true, around -> new Priority()),
  DEFAULT_TOLERATION_SECONDS(
      "DefaultTolerationSeconds",
      true,
      around ->
          new DefaultTolerationSeconds(
              around.notReadyTolerationSeconds(), around.unreachableTolerationSeconds())),
  POD_TOLERATION_RESTRICTION(
      "PodTolerationRestriction",
      false,
      around -> new PodTolerationRestriction(around.settings("PodTolerationRestriction"))),
  EVENT_RATE_LIMIT(
      "EventRateLimit",
      false,
      around -> new EventRateLimit(around.settings("EventRateLimit"), around.clock())),
  EXTENDED_RESOURCE_TOLERATION(
      "ExtendedResourceToleration", false, around -> new ExtendedResourceToleration()),
  DEFAULT_STORAGE_CLASS("DefaultStorageClass", true, around -> new DefaultStorageClass()),
  STORAGE_OBJECT_IN_USE_PROTECTION(
      "StorageObjectInUseProtection", true, around -> new StorageObjectInUseProtection()),
  POD_GROUP_PROTECTION("PodGroupProtection", true, around -> Admission.NONE),
  OWNER_REFERENCES_PERMISSION_ENFORCEMENT(
      "OwnerReferencesPermissionEnforcement",
      false,
      around -> new OwnerReferencesPermission(around.authorizer())),
  PERSISTENT_VOLUME_CLAIM_RESIZE(
      "PersistentVolumeClaimResize", true, around -> new PersistentVolumeClaimResize()),
  RUNTIME_CLASS("RuntimeClass", true, around -> new RuntimeClass()),
  CERTIFICATE_APPROVAL(
      "CertificateApproval", true, around -> new Certificates.Approval(around.authorizer())),
  CERTIFICATE_SIGNING(
      "CertificateSigning", true, around -> new Certificates.Signing(around.authorizer())),
  CLUSTER_TRUST_BUNDLE_ATTEST(
      "ClusterTrustBundleAttest", true, around -> new Certificates.Attest(around.authorizer())),
  CERTIFICATE_SUBJECT_RESTRICTION(
      "CertificateSubjectRestriction", true, around -> new CertificateSubjectRestriction()),
  DEFAULT_INGRESS_CLASS("DefaultIngressClass", true, around -> new DefaultIngressClass()),
  DENY_SERVICE_EXTERNAL_IPS(
      "DenyServiceExternalIPs", false, around -> new DenyServiceExternalIps()),
  POD_TOPOLOGY_LABELS("PodTopologyLabels", true, around -> new PodTopologyLabels()),
  POD_GROUP_WORKLOAD_EXISTS("PodGroupWorkloadExists", true, around -> Admission.NONE),
  NODE_DECLARED_FEATURE_VALIDATOR(
      "NodeDeclaredFeatureValidator", true, around -> new NodeDeclaredFeatures()),
  JOB_VALIDATION("JobValidation", true, around -> Admission.NONE),
  POD_RESIZE_VALIDATOR("PodResizeValidator", true, around -> new PodResizes()),
  MUTATING_ADMISSION_POLICY(
      "MutatingAdmissionPolicy",
      true,
      around ->
          new MutatingPolicies(
              around.authorizer(),
              around.observer(),
              around.manifests().of(ManifestPlugin.MUTATING_POLICIES))),
  MUTATING_ADMISSION_WEBHOOK(
      "MutatingAdmissionWebhook",
      true,
      around ->
          new MutatingWebhooks(
              around.hooks("MutatingAdmissionWebhook", ManifestPlugin.MUTATING_WEBHOOKS))),
  VALIDATING_ADMISSION_POLICY(
      "ValidatingAdmissionPolicy",
      true,
      around ->
          new ValidatingPolicies(
              around.authorizer(),
              around.observer(),
              around.manifests().of(ManifestPlugin.VALIDATING_POLICIES))),
  VALIDATING_ADMISSION_WEBHOOK(
      "ValidatingAdmissionWebhook",
      true,
      around ->
          new ValidatingWebhooks(
              around.hooks("ValidatingAdmissionWebhook", ManifestPlugin.VALIDATING_WEBHOOKS))),
  RESOURCE_QUOTA(
      "ResourceQuota",
      true,
      around ->
          new ResourceQuotas(
              LimitedResources.read(around.settings("ResourceQuota")), around.clock())),
  ALWAYS_DENY("AlwaysDeny", false, around -> new AlwaysDenyAdmission());

  private final String name;
  private final boolean defaultOn;
  private final Function<PluginContext, Admission> maker;

  AdmissionPlugin(String name, boolean defaultOn, Function<PluginContext, Admission> maker) {
    this.name = name;
    this.defaultOn = defaultOn;
    this.maker = maker;
  }

  /**
   * What plugins need of the server.
   *
   * @param configuration what a file says about plugins
   * @param manifests webhooks and policies that files say
   * @param observer hears how long plugins take
   * @param webhooks takes reviews to webhooks
   * @param uids makes a new UID each time
   * @param namespaces makes a namespace of that name
   */
  public record PluginContext(
      Authorizer authorizer,
      InstantSource clock,
      RandomGenerator random,
      AdmissionConfiguration configuration,
      ManifestSources manifests,
      AdmissionObserver observer,
      WebhookTransport webhooks,
      Supplier<String> uids,
      Consumer<String> namespaces,
      long notReadyTolerationSeconds,
      long unreachableTolerationSeconds) {

    /** What a file says about the plugin of that name; empty for nothing. */
    private JsonObject settings(String plugin) {
      return configuration.of(plugin).orElse(JsonObject.EMPTY);
    }

    /** What the plugin of that name calls webhooks with. */
    private HookSettings hooks(String plugin, ManifestPlugin files) {
      return new HookSettings(
          authorizer,
          webhooks,
          configuration.webhookUsers(plugin, clock),
          uids,
          observer,
          manifests.of(files));
    }
  }

  /** As the flags write it. */
  public String pluginName() {
    return name;
  }

  public boolean isDefault() {
    return defaultOn;
  }

  /** Whether a file can tell the plugin more than the flags do. */
  boolean isConfigurable() {
    return switch (this) {
      case EVENT_RATE_LIMIT,
          IMAGE_POLICY_WEBHOOK,
          POD_NODE_SELECTOR,
          POD_SECURITY,
          POD_TOLERATION_RESTRICTION,
          RESOURCE_QUOTA ->
          true;
      default -> ManifestPlugin.of(name).isPresent();
    };
  }

  Admission make(PluginContext around) {
    return maker.apply(around);
  }
}
