/** Requests for resources after routing and authorization. */
@NullMarked
package dev.muster.registry.request;

import org.jspecify.annotations.NullMarked;
