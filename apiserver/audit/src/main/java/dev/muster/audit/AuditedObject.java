package dev.muster.audit;

import java.util.function.Supplier;

/**
 * A request or response object of an audit event, which is encoded only when the event is written.
 *
 * @param size the approximate memory in bytes
 * @param json supplies compact JSON without a line end; any thread may call it, more than once
 */
public record AuditedObject(int size, Supplier<byte[]> json) {}
