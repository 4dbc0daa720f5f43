/** Requests that lead to nodes and to what runs on them. */
@NullMarked
package dev.muster.server.nodes;

import org.jspecify.annotations.NullMarked;
