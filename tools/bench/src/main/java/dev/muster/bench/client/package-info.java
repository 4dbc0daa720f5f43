/** The client that makes the load: connections, requests, and loads that count what comes back. */
@NullMarked
package dev.muster.bench.client;

import org.jspecify.annotations.NullMarked;
