/** How controllers reach an API server: connections, credentials, requests, discovery. */
@NullMarked
package dev.muster.controllers.client;

import org.jspecify.annotations.NullMarked;
