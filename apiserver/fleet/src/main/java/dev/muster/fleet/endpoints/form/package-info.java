/**
 * What servers publish, as the objects of the API show it: Endpoints, EndpointSlices and the
 * Service.
 */
@NullMarked
package dev.muster.fleet.endpoints.form;

import org.jspecify.annotations.NullMarked;
