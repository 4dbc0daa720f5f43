package dev.muster.admission.manifest;

import java.util.Arrays;
import java.util.Optional;

/** The plugins that accept manifest files. */
public enum ManifestPlugin {
  VALIDATING_WEBHOOKS("ValidatingAdmissionWebhook", "ValidatingWebhookConfiguration", ""),
  MUTATING_WEBHOOKS("MutatingAdmissionWebhook", "MutatingWebhookConfiguration", ""),
  VALIDATING_POLICIES(
      "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
  MUTATING_POLICIES(
      "MutatingAdmissionPolicy", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding");

  private final String plugin;
  private final String kind;
  private final String bindingKind;

  ManifestPlugin(String plugin, String kind, String bindingKind) {
    this.plugin = plugin;
    this.kind = kind;
    this.bindingKind = bindingKind;
  }

  public static Optional<ManifestPlugin> of(String plugin) {
    return Arrays.stream(values()).filter(one -> one.plugin.equals(plugin)).findFirst();
  }

  /** The name in flags and metrics. */
  public String pluginName() {
    return plugin;
  }

  String kind() {
    return kind;
  }

  /** Empty for webhooks, which have no bindings. */
  String bindingKind() {
    return bindingKind;
  }

  public boolean isPolicy() {
    return !bindingKind.isEmpty();
  }
}
