/**
 * The options of a server, one record per concern. Every component carries the name and the help of
 * its flag, and every record checks itself.
 */
@NullMarked
package dev.muster.server.options;

import org.jspecify.annotations.NullMarked;
