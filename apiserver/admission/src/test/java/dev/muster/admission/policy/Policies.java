package dev.muster.admission.policy;

import dev.muster.admission.AdmissionChain;
import dev.muster.admission.manifest.ManifestSet;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.Requests;
import dev.muster.authorization.modes.AlwaysAllow;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A cluster with policies, and plugins that put them in force. */
final class Policies {
  static final ServedType CONFIG_MAPS = Requests.type("v1", "ConfigMap", "configmaps");
  static final String RULES =
      "'matchConstraints':{'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],"
          + "'resources':['configmaps'],'operations':['*']}]}";

  final FakeCluster cluster = new FakeCluster();
  final Requests requests = new Requests(cluster);
  ManifestSet validatingFiles = ManifestSet.EMPTY;
  final ValidatingPolicies validating =
      new ValidatingPolicies(new AlwaysAllow(), AdmissionObserver.NONE, () -> validatingFiles);
  final AdmissionChain mutating =
      new AdmissionChain(
          List.of(
              new MutatingPolicies(
                  new AlwaysAllow(), AdmissionObserver.NONE, () -> ManifestSet.EMPTY)));

  Policies() {
    cluster.put("/namespaces", json("{'metadata':{'name':'a','labels':{'env':'prod'}}}"));
  }

  /** JSON with single quotes. */
  static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static JsonObject configMap(String name, String data) {
    return json(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s','namespace':'a'},'data':%s}"
            .formatted(name, data));
  }

  /** A policy and its binding under one name; the spec goes on behind the usual rules. */
  Policies validating(String name, String spec, String binding) {
    cluster.put(
        "/validatingadmissionpolicies",
        json("{'metadata':{'name':'%s'},'spec':{%s,%s}}".formatted(name, RULES, spec)));
    cluster.put(
        "/validatingadmissionpolicybindings",
        json(
            "{'metadata':{'name':'%s'},'spec':{'policyName':'%s',%s}}"
                .formatted(name, name, binding)));
    return this;
  }

  Policies mutating(String name, String reinvocation, String mutation) {
    cluster.put(
        "/mutatingadmissionpolicies",
        json(
            "{'metadata':{'name':'%s'},'spec':{%s,'reinvocationPolicy':'%s','mutations':[%s]}}"
                .formatted(name, RULES, reinvocation, mutation)));
    cluster.put(
        "/mutatingadmissionpolicybindings",
        json("{'metadata':{'name':'%s'},'spec':{'policyName':'%s'}}".formatted(name, name)));
    return this;
  }

  static String apply(String expression) {
    return "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'%s'}}"
        .formatted(expression);
  }

  static String patch(String expression) {
    return "{'patchType':'JSONPatch','jsonPatch':{'expression':'%s'}}".formatted(expression);
  }
}
