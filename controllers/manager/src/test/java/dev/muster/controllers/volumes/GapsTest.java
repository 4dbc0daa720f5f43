package dev.muster.controllers.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** What kept something came and went while the watch that should have told of it was broken. */
class GapsTest {
  @Test
  void aClaimGoesWhosePodNoEventToldOf() {
    var claims = "/api/v1/persistentvolumeclaims";
    var pods = "/api/v1/pods";
    var world = new Simulation(1, (loops, clock) -> new ClaimProtection().start(loops));
    world.api().create(claims, "metadata: {namespace: ns, name: c}");
    world.finish();
    world.silence(pods);
    world
        .api()
        .create(
            pods,
            """
            metadata: {namespace: ns, name: p}
            spec: {nodeName: n, volumes: [{persistentVolumeClaim: {claimName: c}}]}
            """);
    world.api().delete(claims, "ns", "c");
    world.finish();
    assertThat(world.api().list(claims)).as("a pod uses it").hasSize(1);
    world.api().delete(pods, "ns", "p");
    world.breakWatches();
    world.finish();
    assertThat(world.api().list(claims)).isEmpty();
  }

  @Test
  void aClassGoesWhoseVolumeNoEventToldOf() {
    var classes = "/apis/storage.k8s.io/v1/volumeattributesclasses";
    var volumes = "/api/v1/persistentvolumes";
    var world = new Simulation(1, (loops, clock) -> new AttributesClassProtection().start(loops));
    world.api().create(classes, "metadata: {name: k}");
    world.finish();
    world.silence(volumes);
    world.api().create(volumes, "metadata: {name: v}\nspec: {volumeAttributesClassName: k}");
    world.api().delete(classes, "", "k");
    world.finish();
    assertThat(world.api().list(classes)).as("a volume names it").hasSize(1);
    world.api().delete(volumes, "", "v");
    world.breakWatches();
    world.finish();
    assertThat(world.api().list(classes)).isEmpty();
  }
}
