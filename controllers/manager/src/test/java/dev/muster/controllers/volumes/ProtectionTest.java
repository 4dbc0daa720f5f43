package dev.muster.controllers.volumes;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProtectionTest {
  @Test
  void aClaimIsUsedByScheduledPodsThatNameIt() {
    var claim = object("metadata: {name: data}");
    var pod =
        "{metadata: {name: p, uid: u}, spec: {nodeName: '%s', volumes: [{name: v,"
            + " persistentVolumeClaim: {claimName: %s}}]}}";
    assertThat(ClaimUsers.uses(object(pod.formatted("n", "data")), claim)).isTrue();
    assertThat(ClaimUsers.uses(object(pod.formatted("", "data")), claim)).isFalse();
    assertThat(ClaimUsers.uses(object(pod.formatted("n", "other")), claim)).isFalse();
  }

  @Test
  void aClaimMadeForAPodIsUsedByThatPodOnly() {
    var pod =
        object(
            "{metadata: {name: p, uid: u}, spec: {nodeName: n, volumes: [{name: v, ephemeral:"
                + " {}}]}}");
    var own = object("metadata: {name: p-v, ownerReferences: [{uid: u, controller: true}]}");
    var foreign = object("metadata: {name: p-v}");
    assertThat(ClaimUsers.uses(pod, own)).isTrue();
    assertThat(ClaimUsers.uses(pod, foreign)).isFalse();
  }

  @Test
  void aBoundVolumeStays() {
    var volume =
        "{metadata: {name: v, finalizers: [kubernetes.io/pv-protection]%s}, status: {phase: %s}}";
    var deleted = ", deletionTimestamp: '2026-01-01T00:00:00Z'";
    assertThat(VolumeProtection.needsWork(object(volume.formatted(deleted, "Bound")))).isFalse();
    assertThat(VolumeProtection.needsWork(object(volume.formatted(deleted, "Released")))).isTrue();
    assertThat(VolumeProtection.needsWork(object(volume.formatted("", "Bound")))).isFalse();
    assertThat(VolumeProtection.needsWork(object("metadata: {name: v}"))).isTrue();
  }
}
