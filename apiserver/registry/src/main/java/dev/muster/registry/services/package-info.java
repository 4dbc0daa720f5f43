/** Cluster IPs and node ports, unique in the whole fleet. */
@NullMarked
package dev.muster.registry.services;

import org.jspecify.annotations.NullMarked;
