package dev.muster.server.chain;

import dev.muster.authorization.Authorizer;
import dev.muster.authorization.impersonation.Impersonation;
import dev.muster.server.metrics.FilterMetrics;
import dev.muster.server.metrics.PermissionMetrics;

/** Who sends a request, in whose name, and whether they may. Safe for any thread. */
public record AccessControl(
    Authentication authentication,
    Impersonation impersonation,
    Authorizer authorizer,
    PermissionMetrics decisions,
    FilterMetrics filters) {}
