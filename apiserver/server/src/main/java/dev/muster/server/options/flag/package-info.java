/**
 * How the component of a record becomes a flag, and what is said about a value that it cannot have.
 */
@NullMarked
package dev.muster.server.options.flag;

import org.jspecify.annotations.NullMarked;
