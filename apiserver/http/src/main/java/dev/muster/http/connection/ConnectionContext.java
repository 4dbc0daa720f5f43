package dev.muster.http.connection;

import dev.muster.http.ErrorRenderer;
import dev.muster.http.HttpHandler;
import dev.muster.http.limits.BodyBudget;
import dev.muster.http.limits.HttpCounters;
import dev.muster.http.limits.HttpLimits;
import dev.muster.http.limits.OutgoingBudget;

/** The parts that all connections of a server share. */
public record ConnectionContext(
    HttpHandler handler,
    HttpLimits limits,
    ErrorRenderer errors,
    HttpCounters counters,
    BodyBudget bodies,
    OutgoingBudget outgoing) {}
