package dev.muster.server.http.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.http.limits.ConnectionLimits;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class NewcomersTest {
  private static final long GRACE = 1000;

  private long now = 1_000_000;
  private final List<String> closed = new ArrayList<>();
  private final List<String> listeners = new ArrayList<>();
  private final LongAdder count = new LongAdder();

  private Newcomers newcomers(int handshakes, int perAddress) {
    var newcomers =
        new Newcomers(new ConnectionLimits(100, handshakes, perAddress), GRACE, () -> now, count);
    newcomers.listeners(() -> listeners.add("pause"), () -> listeners.add("resume"));
    return newcomers;
  }

  private Newcomer enter(Newcomers newcomers, String name, String address) {
    var newcomer = new Newcomer(new InetSocketAddress(address, 1), () -> closed.add(name), now);
    newcomers.enter(newcomer);
    return newcomer;
  }

  @Test
  void whoHasBeenSilentForTheLongestGoesFirst() {
    var newcomers = newcomers(2, 100);
    var a = enter(newcomers, "a", "192.0.2.1");
    enter(newcomers, "b", "192.0.2.2");
    now += GRACE;
    newcomers.heard(a);
    enter(newcomers, "c", "192.0.2.3");
    assertThat(closed).containsExactly("b");
    now += GRACE;
    enter(newcomers, "d", "192.0.2.4");
    assertThat(closed).containsExactly("b", "a");
    assertThat(listeners).isEmpty();
    assertThat(count.sum()).isEqualTo(2);
  }

  @Test
  void whoWasHeardAMomentAgoStaysAndTheListenersWait() {
    var newcomers = newcomers(2, 100);
    enter(newcomers, "a", "192.0.2.1");
    var b = enter(newcomers, "b", "192.0.2.2");
    var c = enter(newcomers, "c", "192.0.2.3");
    assertThat(listeners).containsExactly("pause");
    newcomers.handshaken(b);
    assertThat(listeners).containsExactly("pause", "resume");
    enter(newcomers, "d", "192.0.2.4");
    newcomers.tick();
    assertThat(closed).isEmpty();
    now += GRACE;
    newcomers.heard(c);
    newcomers.tick();
    assertThat(closed).containsExactly("a");
    assertThat(listeners).containsExactly("pause", "resume", "pause", "resume");
  }

  @Test
  void oneAddressLosesItsOwnFirst() {
    var newcomers = newcomers(100, 2);
    enter(newcomers, "other", "192.0.2.9");
    enter(newcomers, "a", "192.0.2.1");
    enter(newcomers, "b", "192.0.2.1");
    now += GRACE;
    enter(newcomers, "c", "192.0.2.1");
    assertThat(closed).containsExactly("a");
    enter(newcomers, "x", "2001:db8::1");
    enter(newcomers, "y", "2001:db8::2");
    now += GRACE;
    enter(newcomers, "z", "2001:db8::3:4:5:6");
    assertThat(closed).containsExactly("a", "x");
  }

  @Test
  void whoHasFinishedTheHandshakeDoesNotCountForItsAddress() {
    var newcomers = newcomers(100, 1);
    for (int i = 0; i < 10; i++) {
      newcomers.handshaken(enter(newcomers, "a" + i, "192.0.2.1"));
      now += GRACE;
    }
    assertThat(closed).isEmpty();
    assertThat(newcomers.handshakes()).isZero();
  }

  @Test
  void aTrickleIsSilence() {
    var newcomers = newcomers(1, 100);
    var slow = enter(newcomers, "slow", "192.0.2.1");
    for (int i = 0; i < 100; i++) {
      now += GRACE / 10;
      newcomers.heard(slow);
    }
    enter(newcomers, "new", "192.0.2.2");
    assertThat(closed).containsExactly("slow");
  }

  @Test
  void forAnyConnectionTheSilentGoBeforeStrangersAndTheKnownNever() {
    var newcomers = newcomers(100, 100);
    var known = enter(newcomers, "known", "192.0.2.1");
    newcomers.handshaken(known);
    newcomers.leave(known);
    newcomers.handshaken(enter(newcomers, "stranger", "192.0.2.2"));
    enter(newcomers, "silent", "192.0.2.3");
    assertThat(newcomers.closeOldest()).isTrue();
    assertThat(newcomers.closeOldest()).isTrue();
    assertThat(newcomers.closeOldest()).isFalse();
    assertThat(closed).containsExactly("silent", "stranger");
  }
}
