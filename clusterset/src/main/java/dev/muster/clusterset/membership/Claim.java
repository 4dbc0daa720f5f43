package dev.muster.clusterset.membership;

/**
 * A cluster's wish to be in a set under an ID.
 *
 * @param hubSecret names the Secret with the way to the hub
 */
public record Claim(String clusterSet, String clusterId, String hubSecret) {}
