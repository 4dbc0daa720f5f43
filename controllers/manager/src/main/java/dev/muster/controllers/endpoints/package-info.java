/** EndpointSlices and Endpoints of services. */
@NullMarked
package dev.muster.controllers.endpoints;

import org.jspecify.annotations.NullMarked;
