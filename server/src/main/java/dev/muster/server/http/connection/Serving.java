package dev.muster.server.http.connection;

import dev.muster.server.http.ErrorRenderer;
import dev.muster.server.http.HttpHandler;
import dev.muster.server.http.limits.BodyBudget;
import dev.muster.server.http.limits.HttpCounters;
import dev.muster.server.http.limits.HttpLimits;
import dev.muster.server.http.limits.OutgoingBudget;

/** What every connection of one server shares. */
public record Serving(
    HttpHandler handler,
    HttpLimits limits,
    ErrorRenderer errors,
    HttpCounters counters,
    BodyBudget bodies,
    OutgoingBudget outgoing) {}
