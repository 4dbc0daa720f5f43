package dev.muster.admission;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.admission.images.ImagePolicyWebhook;
import dev.muster.admission.manifest.ManifestPlugin;
import dev.muster.admission.manifest.ManifestSources;
import dev.muster.admission.namespaces.NamespaceAutoProvision;
import dev.muster.admission.namespaces.NamespaceExists;
import dev.muster.admission.namespaces.NamespaceLifecycle;
import dev.muster.admission.nodes.NodeRestriction;
import dev.muster.admission.nodes.TaintNodesByCondition;
import dev.muster.admission.objects.AlwaysDenyAdmission;
import dev.muster.admission.objects.DefaultIngressClass;
import dev.muster.admission.objects.DefaultStorageClass;
import dev.muster.admission.objects.DenyServiceExternalIps;
import dev.muster.admission.objects.EventRateLimit;
import dev.muster.admission.objects.PersistentVolumeClaimResize;
import dev.muster.admission.objects.StorageObjectInUseProtection;
import dev.muster.admission.permissions.CertificateSubjectRestriction;
import dev.muster.admission.permissions.Certificates;
import dev.muster.admission.permissions.OwnerReferencesPermission;
import dev.muster.admission.pods.AlwaysPullImages;
import dev.muster.admission.pods.DefaultTolerationSeconds;
import dev.muster.admission.pods.ExtendedResourceToleration;
import dev.muster.admission.pods.HardAntiAffinity;
import dev.muster.admission.pods.LimitRanger;
import dev.muster.admission.pods.NodeDeclaredFeatures;
import dev.muster.admission.pods.PodNodeSelector;
import dev.muster.admission.pods.PodResizes;
import dev.muster.admission.pods.PodTolerationRestriction;
import dev.muster.admission.pods.PodTopologyLabels;
import dev.muster.admission.pods.Priority;
import dev.muster.admission.pods.RuntimeClass;
import dev.muster.admission.pods.ServiceAccounts;
import dev.muster.admission.podsecurity.PodSecurity;
import dev.muster.admission.podsecurity.PodSecuritySettings;
import dev.muster.admission.policy.MutatingPolicies;
import dev.muster.admission.policy.ValidatingPolicies;
import dev.muster.admission.quota.LimitedResources;
import dev.muster.admission.quota.ResourceQuotas;
import dev.muster.admission.webhook.HookSettings;
import dev.muster.admission.webhook.MutatingWebhooks;
import dev.muster.admission.webhook.ValidatingWebhooks;
import dev.muster.authorization.Authorizer;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.webhook.WebhookTransport;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The admission plugins of kube-apiserver, in the order in which they run. Some do nothing here,
 * because nothing needs them or because another part of the server does their work.
 */
public enum AdmissionPlugin {
  ALWAYS_ADMIT("AlwaysAdmit", false),
  NAMESPACE_AUTO_PROVISION("NamespaceAutoProvision", false),
  NAMESPACE_LIFECYCLE("NamespaceLifecycle", true),
  NAMESPACE_EXISTS("NamespaceExists", false),
  LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY("LimitPodHardAntiAffinityTopology", false),
  LIMIT_RANGER("LimitRanger", true),
  SERVICE_ACCOUNT("ServiceAccount", true),
  NODE_RESTRICTION("NodeRestriction", false),
  TAINT_NODES_BY_CONDITION("TaintNodesByCondition", true),
  ALWAYS_PULL_IMAGES("AlwaysPullImages", false),
  IMAGE_POLICY_WEBHOOK("ImagePolicyWebhook", false),
  POD_SECURITY("PodSecurity", true),
  POD_NODE_SELECTOR("PodNodeSelector", false),
  PRIORITY("Priority", true),
  DEFAULT_TOLERATION_SECONDS("DefaultTolerationSeconds", true),
  POD_TOLERATION_RESTRICTION("PodTolerationRestriction", false),
  EVENT_RATE_LIMIT("EventRateLimit", false),
  EXTENDED_RESOURCE_TOLERATION("ExtendedResourceToleration", false),
  DEFAULT_STORAGE_CLASS("DefaultStorageClass", true),
  STORAGE_OBJECT_IN_USE_PROTECTION("StorageObjectInUseProtection", true),
  POD_GROUP_PROTECTION("PodGroupProtection", true),
  OWNER_REFERENCES_PERMISSION_ENFORCEMENT("OwnerReferencesPermissionEnforcement", false),
  PERSISTENT_VOLUME_CLAIM_RESIZE("PersistentVolumeClaimResize", true),
  RUNTIME_CLASS("RuntimeClass", true),
  CERTIFICATE_APPROVAL("CertificateApproval", true),
  CERTIFICATE_SIGNING("CertificateSigning", true),
  CLUSTER_TRUST_BUNDLE_ATTEST("ClusterTrustBundleAttest", true),
  CERTIFICATE_SUBJECT_RESTRICTION("CertificateSubjectRestriction", true),
  DEFAULT_INGRESS_CLASS("DefaultIngressClass", true),
  DENY_SERVICE_EXTERNAL_IPS("DenyServiceExternalIPs", false),
  POD_TOPOLOGY_LABELS("PodTopologyLabels", true),
  POD_GROUP_WORKLOAD_EXISTS("PodGroupWorkloadExists", true),
  NODE_DECLARED_FEATURE_VALIDATOR("NodeDeclaredFeatureValidator", true),
  JOB_VALIDATION("JobValidation", true),
  POD_RESIZE_VALIDATOR("PodResizeValidator", true),
  MUTATING_ADMISSION_POLICY("MutatingAdmissionPolicy", true),
  MUTATING_ADMISSION_WEBHOOK("MutatingAdmissionWebhook", true),
  VALIDATING_ADMISSION_POLICY("ValidatingAdmissionPolicy", true),
  VALIDATING_ADMISSION_WEBHOOK("ValidatingAdmissionWebhook", true),
  RESOURCE_QUOTA("ResourceQuota", true),
  ALWAYS_DENY("AlwaysDeny", false);

  private final String name;
  private final boolean defaultOn;

  AdmissionPlugin(String name, boolean defaultOn) {
    this.name = name;
    this.defaultOn = defaultOn;
  }

  /**
   * The server components that plugins use.
   *
   * @param configuration the content of the admission configuration file
   * @param manifests webhooks and policies from manifest files
   * @param observer receives the duration of plugins
   * @param webhooks sends reviews to webhooks
   * @param uids creates a new UID each time
   * @param namespaces creates a namespace of the given name
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

    /** The configuration of the plugin of that name; empty for none. */
    private JsonObject settings(String plugin) {
      return configuration.of(plugin).orElse(JsonObject.EMPTY);
    }

    /** The webhook settings for the plugin of that name. */
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

  /** The name in flags. */
  public String pluginName() {
    return name;
  }

  public boolean isDefault() {
    return defaultOn;
  }

  /** Whether the plugin accepts a configuration in the file. */
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

  /**
   * Creates the plugin. One switch for all plugins, because a lambda for each would be a class that
   * the JVM creates at the start.
   */
  Admission make(PluginContext around) {
    return switch (this) {
      case ALWAYS_ADMIT, POD_GROUP_PROTECTION, POD_GROUP_WORKLOAD_EXISTS, JOB_VALIDATION ->
          Admission.NONE;
      case NAMESPACE_AUTO_PROVISION -> new NamespaceAutoProvision(around.namespaces());
      case NAMESPACE_LIFECYCLE -> new NamespaceLifecycle();
      case NAMESPACE_EXISTS -> new NamespaceExists();
      case LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY -> new HardAntiAffinity();
      case LIMIT_RANGER -> new LimitRanger();
      case SERVICE_ACCOUNT -> new ServiceAccounts(around.random());
      case NODE_RESTRICTION -> new NodeRestriction(around.authorizer());
      case TAINT_NODES_BY_CONDITION -> new TaintNodesByCondition();
      case ALWAYS_PULL_IMAGES -> new AlwaysPullImages();
      case IMAGE_POLICY_WEBHOOK ->
          new ImagePolicyWebhook(
              around.configuration().imagePolicy(),
              around.webhooks(),
              around.clock(),
              around.random());
      case POD_SECURITY ->
          new PodSecurity(
              PodSecuritySettings.read(around.settings("PodSecurity")),
              around.observer().podSecurity());
      case POD_NODE_SELECTOR -> new PodNodeSelector(around.settings("PodNodeSelector"));
      case PRIORITY -> new Priority();
      case DEFAULT_TOLERATION_SECONDS ->
          new DefaultTolerationSeconds(
              around.notReadyTolerationSeconds(), around.unreachableTolerationSeconds());
      case POD_TOLERATION_RESTRICTION ->
          new PodTolerationRestriction(around.settings("PodTolerationRestriction"));
      case EVENT_RATE_LIMIT ->
          new EventRateLimit(around.settings("EventRateLimit"), around.clock());
      case EXTENDED_RESOURCE_TOLERATION -> new ExtendedResourceToleration();
      case DEFAULT_STORAGE_CLASS -> new DefaultStorageClass();
      case STORAGE_OBJECT_IN_USE_PROTECTION -> new StorageObjectInUseProtection();
      case OWNER_REFERENCES_PERMISSION_ENFORCEMENT ->
          new OwnerReferencesPermission(around.authorizer());
      case PERSISTENT_VOLUME_CLAIM_RESIZE -> new PersistentVolumeClaimResize();
      case RUNTIME_CLASS -> new RuntimeClass();
      case CERTIFICATE_APPROVAL -> new Certificates.Approval(around.authorizer());
      case CERTIFICATE_SIGNING -> new Certificates.Signing(around.authorizer());
      case CLUSTER_TRUST_BUNDLE_ATTEST -> new Certificates.Attest(around.authorizer());
      case CERTIFICATE_SUBJECT_RESTRICTION -> new CertificateSubjectRestriction();
      case DEFAULT_INGRESS_CLASS -> new DefaultIngressClass();
      case DENY_SERVICE_EXTERNAL_IPS -> new DenyServiceExternalIps();
      case POD_TOPOLOGY_LABELS -> new PodTopologyLabels();
      case NODE_DECLARED_FEATURE_VALIDATOR -> new NodeDeclaredFeatures();
      case POD_RESIZE_VALIDATOR -> new PodResizes();
      case MUTATING_ADMISSION_POLICY ->
          new MutatingPolicies(
              around.authorizer(),
              around.observer(),
              around.manifests().of(ManifestPlugin.MUTATING_POLICIES));
      case MUTATING_ADMISSION_WEBHOOK ->
          new MutatingWebhooks(
              around.hooks("MutatingAdmissionWebhook", ManifestPlugin.MUTATING_WEBHOOKS));
      case VALIDATING_ADMISSION_POLICY ->
          new ValidatingPolicies(
              around.authorizer(),
              around.observer(),
              around.manifests().of(ManifestPlugin.VALIDATING_POLICIES));
      case VALIDATING_ADMISSION_WEBHOOK ->
          new ValidatingWebhooks(
              around.hooks("ValidatingAdmissionWebhook", ManifestPlugin.VALIDATING_WEBHOOKS));
      case RESOURCE_QUOTA ->
          new ResourceQuotas(
              LimitedResources.read(around.settings("ResourceQuota")), around.clock());
      case ALWAYS_DENY -> new AlwaysDenyAdmission();
    };
  }
}
