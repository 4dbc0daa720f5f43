/**
 * The protocol of webhooks: addresses, requests and responses. The server module implements the
 * transport.
 */
@NullMarked
package dev.muster.registry.webhook;

import org.jspecify.annotations.NullMarked;
