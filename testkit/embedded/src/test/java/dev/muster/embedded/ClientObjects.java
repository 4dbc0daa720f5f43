package dev.muster.embedded;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Small objects that tests create through a client. */
final class ClientObjects {
  private ClientObjects() {}

  static ConfigMap map(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  static GenericKubernetesResource custom(String kind, String name, Object spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("example.com/v1")
        .withKind(kind)
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("image")
        .endContainer()
        .endSpec()
        .build();
  }

  static ConfigMap owned(String name, String uid) {
    return map(name)
        .edit()
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("v1")
        .withKind("ConfigMap")
        .withName("kube-root-ca.crt")
        .withUid(uid)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  static SecretBuilder named(String name) {
    return new SecretBuilder().withNewMetadata().withName(name).endMetadata();
  }

  static Namespace namespace(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  static Job job() {
    return new JobBuilder()
        .withNewMetadata()
        .withName("short")
        .endMetadata()
        .withNewSpec()
        .withTtlSecondsAfterFinished(3600)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage("image")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  static Job finished(Job job, Instant now) {
    var time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    return job.edit()
        .withNewStatus()
        .withStartTime(time)
        .withCompletionTime(time)
        .withSucceeded(1)
        .addNewCondition()
        .withType("SuccessCriteriaMet")
        .withStatus("True")
        .withLastTransitionTime(time)
        .endCondition()
        .addNewCondition()
        .withType("Complete")
        .withStatus("True")
        .withLastTransitionTime(time)
        .endCondition()
        .withNewUncountedTerminatedPods()
        .endUncountedTerminatedPods()
        .endStatus()
        .build();
  }
}
