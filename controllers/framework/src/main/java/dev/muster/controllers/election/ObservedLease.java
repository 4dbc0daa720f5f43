package dev.muster.controllers.election;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. What this process has seen of a Lease that others renew, and when it changed
 * last, by a clock of this process that never goes back. The times in the Lease play no part: they
 * come from clocks of other machines.
 */
public final class ObservedLease {
  private String holder = "";
  private Duration life = Duration.ZERO;
  private Duration changed = Duration.ZERO;
  private @Nullable Object content;

  /**
   * Takes the Lease as it is now. It counts as renewed when its content is another than before.
   *
   * @param holder "" when the Lease is free
   * @param content what changes when the Lease is renewed
   * @param life how long the holder may be silent
   * @param now by the clock that never goes back
   */
  public void see(String holder, Object content, Duration life, Duration now) {
    if (!content.equals(this.content)) {
      this.holder = holder;
      this.content = content;
      this.life = life;
      this.changed = now;
    }
  }

  /** The holder that was seen last; "" when the Lease was free or was never seen. */
  public String holder() {
    return holder;
  }

  /** Whether another than the given holder has it and has not been silent for a whole life. */
  public boolean heldByAnother(String self, Duration now) {
    return !holder.isEmpty() && !holder.equals(self) && now.minus(changed).compareTo(life) < 0;
  }
}
