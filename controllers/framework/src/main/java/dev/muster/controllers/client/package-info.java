/** API clients of controllers: connections, credentials, requests, discovery. */
@NullMarked
package dev.muster.controllers.client;

import org.jspecify.annotations.NullMarked;
