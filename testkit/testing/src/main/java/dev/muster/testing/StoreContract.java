package dev.muster.testing;

import org.junit.jupiter.api.Timeout;

/** The complete contract of {@link dev.muster.store.Store}; every engine's test implements it. */
@Timeout(120)
public interface StoreContract
    extends CommitContract, FollowContract, ReadIndexContract, TimeToLiveContract, ScaleContract {}
