package dev.muster.admission;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.admission.manifest.ManifestSources;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.Requests;
import dev.muster.authorization.modes.AlwaysAllow;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A cluster, and plugins to try on it. */
final class Plugins {
  static final ServedType PODS = Requests.type("v1", "Pod", "pods");
  static final ServedType NAMESPACES = Requests.type("v1", "Namespace", "namespaces");
  static final ServedType CLAIMS =
      Requests.type("v1", "PersistentVolumeClaim", "persistentvolumeclaims");
  static final ServedType SERVICES = Requests.type("v1", "Service", "services");
  static final ServedType CONFIG_MAPS = Requests.type("v1", "ConfigMap", "configmaps");

  final FakeCluster cluster = new FakeCluster();
  final Requests requests = new Requests(cluster);
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  final List<String> provisioned = new ArrayList<>();
  WebhookTransport webhooks =
      call -> {
        throw call.failure("there is no network here");
      };
  AdmissionConfiguration configuration = AdmissionConfiguration.NONE;
  AdmissionObserver observer = AdmissionObserver.NONE;

  /** JSON with single quotes. */
  static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static JsonObject pod(String spec) {
    return json("{'metadata':{'name':'p','namespace':'a'},'spec':" + spec + "}");
  }

  AdmissionPlugin.PluginContext around() {
    return new AdmissionPlugin.PluginContext(
        new AlwaysAllow(),
        () -> now,
        new Random(1),
        configuration,
        ManifestSources.NONE,
        observer,
        webhooks,
        () -> "uid",
        provisioned::add,
        300,
        300);
  }

  Admission plugin(String name) {
    for (var plugin : AdmissionPlugin.values()) {
      if (plugin.pluginName().equals(name)) {
        return plugin.make(around());
      }
    }
    throw new IllegalArgumentException(name);
  }

  AdmissionChain chain(List<String> enabled, List<String> disabled) {
    return AdmissionChain.of(enabled, disabled, around(), List.of());
  }
}
