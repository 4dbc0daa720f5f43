package dev.muster.server.http;

/** What every connection of one server shares. */
record Serving(
    HttpHandler handler,
    HttpLimits limits,
    ErrorRenderer errors,
    HttpCounters counters,
    BodyBudget bodies,
    OutgoingBudget outgoing,
    Newcomers newcomers) {}
