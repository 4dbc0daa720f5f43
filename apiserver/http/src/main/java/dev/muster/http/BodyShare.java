package dev.muster.http;

/**
 * For whom a request body takes memory while it arrives and until it is answered.
 *
 * @param owner the bodies of one owner together get at most half of the memory for all
 * @param reserved whether it may take what is kept back for those who must get through when there
 *     is no room for anybody else
 */
public record BodyShare(String owner, boolean reserved) {}
