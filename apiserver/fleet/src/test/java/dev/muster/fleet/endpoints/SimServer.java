package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server of ours in a simulated world: the real reconciler, its clock and its troubles. */
final class SimServer {
  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  final String name;
  final List<String> addresses;
  final int port;
  final ReconcilerType type;
  final boolean dualStack;
  private final World world;
  private final Duration skew;
  private final Duration born;
  private final Reconciler reconciler;
  private final boolean singleRange;

  /** Called before each write: others may act in between. */
  Runnable between = () -> {};

  UnaryOperator<EndpointsView> eyes = view -> view;
  boolean paused;
  boolean cutOff;
  private @Nullable Duration wellSince;
  private @Nullable Duration watchingSince;
  private Duration upToDate = Duration.ZERO;
  private boolean leaving;

  SimServer(
      World world,
      String name,
      String addresses,
      int port,
      String ranges,
      EndpointOptions options,
      Duration skew) {
    this.world = world;
    this.name = name;
    this.addresses = List.of(addresses.split(","));
    this.port = port;
    this.type = options.reconciler();
    this.skew = skew;
    this.born = world.now();
    this.dualStack = this.addresses.size() == 2;
    var cidrs = Arrays.stream(ranges.split(",")).map(Cidr::parse).toList();
    this.singleRange = cidrs.size() == 1;
    world.addRanges(cidrs);
    var self =
        new OwnRecord(
            name, name.replaceAll("-.*", ""), this.addresses, port, options.leaseDuration());
    this.reconciler = new Reconciler(self, options, cidrs, new Eyes(), new Silent());
  }

  /** Whether it has been able to act for a while. */
  boolean isWell() {
    var since = wellSince;
    return !paused
        && !cutOff
        && since != null
        && world.now().minus(since).compareTo(Duration.ofSeconds(1)) > 0;
  }

  /** Whether it was able to see for so long, without a break, what others do. */
  boolean hasWatchedFor(Duration time) {
    var since = watchingSince;
    return since != null && world.now().minus(since).compareTo(time) > 0;
  }

  void thawed() {
    watchingSince = watchingSince == null ? null : world.now();
  }

  void tick() {
    if (leaving) {
      return;
    }
    if (paused || cutOff) {
      wellSince = null;
      watchingSince = null;
    } else if (wellSince == null) {
      wellSince = world.now();
      watchingSince = world.now();
    }
    if (paused) {
      return;
    }
    if (cutOff) {
      return;
    }
    if (!world.isFrozen()) {
      upToDate = uptime();
    }
    try {
      reconciler.tick(EPOCH.plus(world.now()).plus(skew), uptime(), upToDate);
    } catch (ApiException e) {
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    } catch (StoreException e) {
      // cut off in the middle
    }
  }

  void leave() {
    leaving = true;
    reconciler.leave();
  }

  private Duration uptime() {
    return world.now().minus(born);
  }

  private void reach() {
    between.run();
    if (cutOff) {
      throw new StoreException.Unavailable("cut off", null);
    }
  }

  private final class Eyes implements EndpointsCluster {
    @Override
    public EndpointsView view() {
      return eyes.apply(
          type == ReconcilerType.CONFIGMAP ? world.view() : world.viewWithoutConfigMaps());
    }

    @Override
    public EndpointsView commit(List<Operation> operations) {
      reach();
      world.commit(operations);
      return view();
    }

    @Override
    public void write(PlannedWrite write) {
      reach();
      var families = write.object().object("spec").array("ipFamilies").size();
      if (singleRange && !(write instanceof PlannedWrite.Delete) && families == 2) {
        throw new ApiException(Reason.INVALID, "not dual-stack", StatusDetails.EMPTY);
      }
      world.write(name, write);
    }

    @Override
    public void createConfigMap(JsonObject configMap) {
      reach();
      world.createConfigMap(configMap);
    }

    @Override
    public void patchConfigMap(JsonObject patch) {
      reach();
      world.patchConfigMap(patch);
    }
  }

  private static final class Silent implements Journal {
    @Override
    public void wrote(PlannedWrite write) {}

    @Override
    public void failed(PlannedWrite write, RuntimeException problem) {
      throw problem;
    }

    @Override
    public void remark(String reason, String message, boolean warning) {}

    @Override
    public void renewed() {}

    @Override
    public void published(PublishedServers published, Membership membership) {}
  }
}
