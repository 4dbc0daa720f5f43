/** Requests that connect to nodes and to the pods on them. */
@NullMarked
package dev.muster.server.nodes;

import org.jspecify.annotations.NullMarked;
