package dev.muster.http.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.limits.ConnectionLimits;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class UnauthenticatedConnectionsTest {
  private static final long GRACE = 1000;

  private long now = 1_000_000;
  private final List<String> closed = new ArrayList<>();
  private final List<String> listeners = new ArrayList<>();
  private final LongAdder count = new LongAdder();

  private UnauthenticatedConnections unidentified(int handshakes, int perAddress) {
    var unidentified =
        new UnauthenticatedConnections(
            new ConnectionLimits(100, handshakes, perAddress), GRACE, () -> now, count);
    unidentified.listeners(() -> listeners.add("pause"), () -> listeners.add("resume"));
    return unidentified;
  }

  private UnauthenticatedConnection enter(
      UnauthenticatedConnections unidentified, String name, String address) {
    var connection =
        new UnauthenticatedConnection(
            new InetSocketAddress(address, 1), () -> closed.add(name), now);
    unidentified.enter(connection);
    return connection;
  }

  @Test
  void whoHasBeenSilentForTheLongestGoesFirst() {
    var unidentified = unidentified(2, 100);
    var a = enter(unidentified, "a", "192.0.2.1");
    enter(unidentified, "b", "192.0.2.2");
    now += GRACE;
    unidentified.heard(a);
    enter(unidentified, "c", "192.0.2.3");
    assertThat(closed).containsExactly("b");
    now += GRACE;
    enter(unidentified, "d", "192.0.2.4");
    assertThat(closed).containsExactly("b", "a");
    assertThat(listeners).isEmpty();
    assertThat(count.sum()).isEqualTo(2);
  }

  @Test
  void whoWasHeardAMomentAgoStaysAndTheListenersWait() {
    var unidentified = unidentified(2, 100);
    enter(unidentified, "a", "192.0.2.1");
    var b = enter(unidentified, "b", "192.0.2.2");
    var c = enter(unidentified, "c", "192.0.2.3");
    assertThat(listeners).containsExactly("pause");
    unidentified.handshaken(b);
    assertThat(listeners).containsExactly("pause", "resume");
    enter(unidentified, "d", "192.0.2.4");
    unidentified.tick();
    assertThat(closed).isEmpty();
    now += GRACE;
    unidentified.heard(c);
    unidentified.tick();
    assertThat(closed).containsExactly("a");
    assertThat(listeners).containsExactly("pause", "resume", "pause", "resume");
  }

  @Test
  void oneAddressLosesItsOwnFirst() {
    var unidentified = unidentified(100, 2);
    enter(unidentified, "other", "192.0.2.9");
    enter(unidentified, "a", "192.0.2.1");
    enter(unidentified, "b", "192.0.2.1");
    now += GRACE;
    enter(unidentified, "c", "192.0.2.1");
    assertThat(closed).containsExactly("a");
    enter(unidentified, "x", "2001:db8::1");
    enter(unidentified, "y", "2001:db8::2");
    now += GRACE;
    enter(unidentified, "z", "2001:db8::3:4:5:6");
    assertThat(closed).containsExactly("a", "x");
  }

  @Test
  void whoHasFinishedTheHandshakeDoesNotCountForItsAddress() {
    var unidentified = unidentified(100, 1);
    for (int i = 0; i < 10; i++) {
      unidentified.handshaken(enter(unidentified, "a" + i, "192.0.2.1"));
      now += GRACE;
    }
    assertThat(closed).isEmpty();
    assertThat(unidentified.handshakes()).isZero();
  }

  @Test
  void aTrickleIsSilence() {
    var unidentified = unidentified(1, 100);
    var slow = enter(unidentified, "slow", "192.0.2.1");
    for (int i = 0; i < 100; i++) {
      now += GRACE / 10;
      unidentified.heard(slow);
    }
    enter(unidentified, "new", "192.0.2.2");
    assertThat(closed).containsExactly("slow");
  }

  @Test
  void forAnyConnectionTheSilentGoBeforeStrangersAndTheKnownNever() {
    var unidentified = unidentified(100, 100);
    var known = enter(unidentified, "known", "192.0.2.1");
    unidentified.handshaken(known);
    unidentified.leave(known);
    unidentified.handshaken(enter(unidentified, "stranger", "192.0.2.2"));
    enter(unidentified, "silent", "192.0.2.3");
    assertThat(unidentified.closeOldest()).isTrue();
    assertThat(unidentified.closeOldest()).isTrue();
    assertThat(unidentified.closeOldest()).isFalse();
    assertThat(closed).containsExactly("silent", "stranger");
  }
}
