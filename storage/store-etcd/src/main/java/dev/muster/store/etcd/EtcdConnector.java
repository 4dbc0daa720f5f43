package dev.muster.store.etcd;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;

/**
 * Makes the connections to etcd, through a proxy for example. Safe for any thread.
 *
 * @param channels new ones, that reach the address to which they are told to connect
 * @param loops that own them; they outlive the store
 */
public record EtcdConnector(ChannelFactory<? extends Channel> channels, EventLoopGroup loops) {}
