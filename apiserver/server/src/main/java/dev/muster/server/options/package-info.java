/**
 * What an operator can set, a record per concern; every component carries the name and the help of
 * its flag, and every record checks itself.
 */
@NullMarked
package dev.muster.server.options;

import org.jspecify.annotations.NullMarked;
