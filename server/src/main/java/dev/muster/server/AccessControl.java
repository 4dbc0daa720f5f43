package dev.muster.server;

import dev.muster.access.Authorizer;
import dev.muster.access.impersonation.Impersonation;

/** Who sends a request, in whose name, and whether they may. Safe for any thread. */
record AccessControl(
    Authentication authentication, Impersonation impersonation, Authorizer authorizer) {}
