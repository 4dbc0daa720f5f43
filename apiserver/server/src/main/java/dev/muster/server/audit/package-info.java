/**
 * The audit log: what follows one request and makes its events, and the backends that take them to
 * a file or to another server.
 */
@NullMarked
package dev.muster.server.audit;

import org.jspecify.annotations.NullMarked;
