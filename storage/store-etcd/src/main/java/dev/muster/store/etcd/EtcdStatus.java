package dev.muster.store.etcd;

/**
 * How the etcd member that answers is doing.
 *
 * @param version its version, such as {@code 3.6.4}
 * @param databaseBytes how large its database file is
 * @param hasLeader whether it knows a leader
 */
public record EtcdStatus(String version, long databaseBytes, boolean hasLeader) {}
