package dev.muster.fleet;

/** Everything that an operator can set for a server's membership of its fleet. */
public record FleetOptions() {
  public static FleetOptions defaults() {
    return new FleetOptions();
  }
}
