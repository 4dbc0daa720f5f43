package dev.muster.store.etcd;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;

/**
 * Creates the connections to etcd, for example through a proxy. Thread-safe.
 *
 * @param channels creates channels that reach the address to which they are told to connect
 * @param loops the event loops that own the channels; they must outlive the store
 */
public record EtcdConnector(ChannelFactory<? extends Channel> channels, EventLoopGroup loops) {}
