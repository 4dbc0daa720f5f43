package dev.muster.controllers.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** People ask for certificates, approve and deny, while those die who approve, sign and clean. */
class CertificatesSimulationTest {
  private static final String BOOTSTRAPPER = "system:bootstrap:good";

  @TempDir private Path folder;

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void kubeletsThatMayHaveACertificateGetApproval(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new RequestApprover(clock).start(loops));
    world.api().reviews(review -> isAllowed(review.object("spec").string("user")));
    world
        .observed(
            change -> {
              if (!isAllowed(change.after().object("spec").string("username"))
                  || CertificateRequest.isDenied(change.before())) {
                world.violated(change.after() + " is approved");
              }
            })
        .run(200, () -> others(world, CertificateRequest.KUBELET_CLIENT));
    for (var request : world.api().list(TestRequests.REQUESTS)) {
      boolean wanted =
          isAllowed(request.object("spec").string("username"))
              && CertificateRequest.of(request).isOfKubeletClient();
      assertThat(CertificateRequest.isApproved(request) || CertificateRequest.isDenied(request))
          .as("%s", request)
          .matches(answered -> answered || !wanted);
    }
  }

  private static boolean isAllowed(String user) {
    return user.equals(BOOTSTRAPPER) || user.equals(TestRequests.KUBELET);
  }

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void whatIsApprovedIsSignedOnce(long seed) throws Exception {
    var authority =
        TestRequests.authority(folder, new Simulation(0, (a, b) -> () -> {}).clock().instant());
    var world =
        new Simulation(
            seed,
            (loops, clock) -> new RequestSigner(authority, Duration.ofDays(1), clock).start(loops));
    world
        .observed(
            change -> {
              if (CertificateRequest.isIssued(change.before())
                  || !CertificateRequest.isApproved(change.before())) {
                world.violated(change.before() + " is signed");
              }
            })
        .run(200, () -> others(world, CertificateRequest.KUBELET_CLIENT));
    for (var request : world.api().list(TestRequests.REQUESTS)) {
      if (CertificateRequest.isApproved(request)) {
        var objection = CertificateRequest.of(request).objection();
        assertThat(CertificateRequest.isIssued(request)).isEqualTo(objection.isEmpty());
        assertThat(CertificateRequest.isFailed(request)).isEqualTo(!objection.isEmpty());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.muster.controllers.simulation.Simulation#seeds")
  void allRequestsGoSomeTimeAfterTheyWereAnswered(long seed) {
    var world = new Simulation(seed, (loops, clock) -> new RequestCleaner(clock).start(loops));
    world
        .within(Duration.ofHours(30))
        .observed(
            change -> {
              if (!RequestCleaner.isOver(change.before(), world.clock().instant())) {
                world.violated(change.before() + " goes too early");
              }
            })
        .run(
            300,
            () -> {
              if (world.pick(4) == 0) {
                world.pass(Duration.ofMinutes(world.pick(300)));
              } else {
                others(world, CertificateRequest.CLIENT);
              }
            });
    assertThat(world.api().list(TestRequests.REQUESTS)).isEmpty();
  }

  private static void others(Simulation world, String signer) {
    var name = "r" + world.pick(5);
    var conditions =
        world.api().get(TestRequests.REQUESTS, "", name).orElse(JsonObject.EMPTY).object("status");
    switch (world.pick(5)) {
      case 0, 1, 2 ->
          world
              .api()
              .create(
                  TestRequests.REQUESTS,
                  TestRequests.request(
                      name,
                      world.pick(List.of(BOOTSTRAPPER, TestRequests.KUBELET, "mallory")),
                      signer,
                      world.pick(4) > 0));
      case 3 -> {
        if (!conditions.has("conditions")) {
          TestRequests.condition(world, name, world.pick(List.of("Approved", "Denied")));
        }
      }
      default -> {
        if (world.pick(3) == 0) {
          world.api().delete(TestRequests.REQUESTS, "", name);
        }
      }
    }
  }
}
