package dev.muster.http;

/**
 * The budget that a request body is charged to, from its first byte until the request is answered.
 *
 * @param owner the bodies of one owner together get at most half of the memory
 * @param reserved whether the body may use the reserve, which is kept for requests that must
 *     succeed under overload
 */
public record BodyShare(String owner, boolean reserved) {}
