package dev.muster.embedded;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

/**
 * Writes the status of a pod in place of a kubelet. Each method returns the updated pod, and fails
 * when the pod does not exist.
 */
public final class PodHandle {
  private static final String ADDRESS = "10.244.0.10";

  private final KubernetesClient client;
  private final Clock clock;
  private final String namespace;
  private final String name;

  PodHandle(KubernetesClient client, Clock clock, String namespace, String name) {
    this.client = client;
    this.clock = clock;
    this.namespace = namespace;
    this.name = name;
  }

  /** Scheduled to a node, which need not exist. */
  public Pod scheduled(String node) {
    var binding =
        new BindingBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withNewTarget()
            .withKind("Node")
            .withName(node)
            .endTarget()
            .build();
    client.raw("/api/v1/namespaces/%s/pods/%s/binding".formatted(namespace, name), "POST", binding);
    return current();
  }

  /** Running, all its containers started and ready. */
  public Pod running() {
    return status("Running", true, container -> running(container, true));
  }

  /** Running, but not ready for requests. */
  public Pod notReady() {
    return status("Running", false, container -> running(container, false));
  }

  /** Finished, all containers with exit code 0. */
  public Pod succeeded() {
    return status("Succeeded", false, container -> terminated(container, 0, "Completed"));
  }

  /** Finished, all containers with that exit code. */
  public Pod failed(int exitCode) {
    return status("Failed", false, container -> terminated(container, exitCode, "Error"));
  }

  /** Running, with containers that wait for that reason, such as {@code CrashLoopBackOff}. */
  public Pod waiting(String reason) {
    var phase = reason.equals("CrashLoopBackOff") ? "Running" : "Pending";
    return status(
        phase,
        false,
        container ->
            container
                .edit()
                .withReady(false)
                .withStarted(false)
                .withState(
                    new ContainerStateBuilder()
                        .withNewWaiting(reason + " by a test", reason)
                        .build())
                .build());
  }

  private PodResource resource() {
    return client.pods().inNamespace(namespace).withName(name);
  }

  private Pod current() {
    var pod = resource().get();
    if (pod == null) {
      throw new IllegalStateException("there is no pod " + namespace + "/" + name);
    }
    return pod;
  }

  private Pod status(
      String phase, boolean ready, Function<ContainerStatus, ContainerStatus> state) {
    current();
    return resource().editStatus(pod -> withStatus(pod, phase, ready, state));
  }

  private Pod withStatus(
      Pod pod, String phase, boolean ready, Function<ContainerStatus, ContainerStatus> state) {
    var containers =
        pod.getSpec().getContainers().stream()
            .map(container -> containerStatus(container.getName(), container.getImage()))
            .map(state)
            .toList();
    return new PodBuilder(pod)
        .editOrNewStatus()
        .withPhase(phase)
        .withStartTime(now())
        .withPodIP(ADDRESS)
        .withPodIPs(new PodIP(ADDRESS))
        .withConditions(conditions(ready))
        .withContainerStatuses(containers)
        .endStatus()
        .build();
  }

  private List<PodCondition> conditions(boolean ready) {
    return List.of(
        condition("PodScheduled", true),
        condition("Initialized", true),
        condition("ContainersReady", ready),
        condition("Ready", ready));
  }

  private PodCondition condition(String type, boolean holds) {
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(holds ? "True" : "False")
        .withLastTransitionTime(now())
        .build();
  }

  private static ContainerStatus containerStatus(String name, String image) {
    return new ContainerStatusBuilder()
        .withName(name)
        .withImage(image)
        .withImageID("")
        .withRestartCount(0)
        .withReady(false)
        .build();
  }

  private ContainerStatus running(ContainerStatus container, boolean ready) {
    return container
        .edit()
        .withReady(ready)
        .withStarted(true)
        .withState(new ContainerStateBuilder().withNewRunning(now()).build())
        .build();
  }

  private ContainerStatus terminated(ContainerStatus container, int exitCode, String reason) {
    return container
        .edit()
        .withStarted(false)
        .withState(
            new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(reason)
                .withStartedAt(now())
                .withFinishedAt(now())
                .endTerminated()
                .build())
        .build();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
