/**
 * The audit log: the collection of audit data for each request, and the backends that write events
 * to a file or send them to a webhook.
 */
@NullMarked
package dev.muster.server.audit;

import org.jspecify.annotations.NullMarked;
