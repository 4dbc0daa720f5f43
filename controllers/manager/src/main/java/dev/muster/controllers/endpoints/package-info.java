/** Where the traffic of Services goes: EndpointSlices and Endpoints. */
@NullMarked
package dev.muster.controllers.endpoints;

import org.jspecify.annotations.NullMarked;
