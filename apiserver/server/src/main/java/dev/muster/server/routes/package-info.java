/** The handlers that answer requests: resources, documents, health and metrics. */
@NullMarked
package dev.muster.server.routes;

import org.jspecify.annotations.NullMarked;
