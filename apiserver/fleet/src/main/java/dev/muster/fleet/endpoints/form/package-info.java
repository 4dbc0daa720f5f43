/**
 * The published objects of the {@code kubernetes} Service: Endpoints, EndpointSlices and the
 * Service itself.
 */
@NullMarked
package dev.muster.fleet.endpoints.form;

import org.jspecify.annotations.NullMarked;
