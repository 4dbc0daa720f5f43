/**
 * Requests while the rules that decide them come and go, and a judge who knows what is possible.
 */
@NullMarked
package dev.muster.it.decisions;

import org.jspecify.annotations.NullMarked;
