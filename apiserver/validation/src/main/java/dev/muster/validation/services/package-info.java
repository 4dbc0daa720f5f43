/** Strategies of Services, Endpoints, EndpointSlices, IPAddresses and ServiceCIDRs. */
@NullMarked
package dev.muster.validation.services;

import org.jspecify.annotations.NullMarked;
