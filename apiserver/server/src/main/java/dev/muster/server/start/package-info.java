/**
 * The start of a server: the types it serves, its certificates, and the objects of a new cluster.
 */
@NullMarked
package dev.muster.server.start;

import org.jspecify.annotations.NullMarked;
