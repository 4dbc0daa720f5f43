/**
 * The resources that one client, and all clients together, may use: configured limits, the memory
 * budgets of bodies and responses, and counters. Uses {@code server.http} only.
 */
@NullMarked
package dev.muster.http.limits;

import org.jspecify.annotations.NullMarked;
