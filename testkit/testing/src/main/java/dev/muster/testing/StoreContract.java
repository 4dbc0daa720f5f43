package dev.muster.testing;

import org.junit.jupiter.api.Timeout;

/** All that {@link dev.muster.store.Store} promises; every engine's test implements it. */
@Timeout(120)
public interface StoreContract
    extends CommitContract, FollowContract, ReadIndexContract, TimeToLiveContract, ScaleContract {}
