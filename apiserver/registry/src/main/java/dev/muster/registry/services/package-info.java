/** Cluster IPs and node ports, which are unique in the whole fleet. */
@NullMarked
package dev.muster.registry.services;

import org.jspecify.annotations.NullMarked;
