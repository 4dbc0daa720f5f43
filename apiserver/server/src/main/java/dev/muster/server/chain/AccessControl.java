package dev.muster.server.chain;

import dev.muster.authorization.Authorizer;
import dev.muster.authorization.impersonation.Impersonation;
import dev.muster.server.metrics.FilterMetrics;
import dev.muster.server.metrics.PermissionMetrics;

/**
 * The components that authenticate a request, apply impersonation and authorize it. Thread-safe.
 */
public record AccessControl(
    Authentication authentication,
    Impersonation impersonation,
    Authorizer authorizer,
    PermissionMetrics decisions,
    FilterMetrics filters) {}
