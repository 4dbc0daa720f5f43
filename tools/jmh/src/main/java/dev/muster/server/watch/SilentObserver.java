package dev.muster.server.watch;

/** Follows nothing. */
record SilentObserver() implements WatchObserver {
  @Override
  public void opened() {}

  @Override
  public void initialised() {}

  @Override
  public void sentInitial(int objects) {}

  @Override
  public void closed() {}
}
