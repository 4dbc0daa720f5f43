package dev.muster.audit;

import java.util.function.Supplier;

/**
 * An object of an event, which becomes JSON only when the event is written.
 *
 * @param size about how many bytes it keeps in memory
 * @param json compact JSON without a line end; may be asked for more than once, on any thread
 */
public record AuditedObject(int size, Supplier<byte[]> json) {}
