package dev.muster.store.etcd;

/**
 * The status of the etcd member that answered.
 *
 * @param version its version, such as {@code 3.6.4}
 * @param databaseBytes the size of its database file
 * @param hasLeader whether it knows a leader
 */
public record EtcdStatus(String version, long databaseBytes, boolean hasLeader) {}
