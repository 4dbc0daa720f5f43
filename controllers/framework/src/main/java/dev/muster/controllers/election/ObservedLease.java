package dev.muster.controllers.election;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What this process has observed of a Lease that others renew, and when it last changed, on this
 * process's monotonic clock. The times in the Lease are ignored, because they come from other
 * machines' clocks. Not thread-safe: one thread owns it.
 */
public final class ObservedLease {
  private String holder = "";
  private Duration life = Duration.ZERO;
  private Duration changed = Duration.ZERO;
  private @Nullable Object content;

  /**
   * Records the current Lease. A Lease with changed content counts as renewed.
   *
   * @param holder "" when the Lease is free
   * @param content changes with every renewal
   * @param life how long the holder may be silent
   * @param now on the monotonic clock
   */
  public void see(String holder, Object content, Duration life, Duration now) {
    if (!content.equals(this.content)) {
      this.holder = holder;
      this.content = content;
      this.life = life;
      this.changed = now;
    }
  }

  /** The last observed holder; "" when the Lease was free or never observed. */
  public String holder() {
    return holder;
  }

  /** Whether another holder has it and has renewed it within its duration. */
  public boolean heldByAnother(String self, Duration now) {
    return !holder.isEmpty() && !holder.equals(self) && now.minus(changed).compareTo(life) < 0;
  }
}
