package dev.muster.http.connection;

import dev.muster.http.SharedBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Gathers all bytes that a connection sends into blocks. Many small frames thereby become few TLS
 * records, and bytes are copied only once. Only the event loop of its connection uses it. The
 * promise of a write succeeds when its bytes are gathered, not when they are sent.
 */
public final class OutboundBuffer extends ChannelOutboundHandlerAdapter
    implements SharedBytes.Sink {
  /** The largest plaintext of a TLS record. */
  public static final int BLOCK = 16 * 1024;

  private @Nullable ChannelHandlerContext context;
  private @Nullable ByteBuf block;
  private boolean dirty;
  private long flushes;
  private long blocks;

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (block != null) {
      block.release();
      block = null;
    }
    context = null;
  }

  /** A buffer with room for that many contiguous bytes, which the caller must write at once. */
  public ByteBuf room(int bytes) {
    var current = block;
    if (current != null && current.writableBytes() >= bytes) {
      return current;
    }
    handOver();
    var ctx = context();
    current = ctx.alloc().directBuffer(Math.max(BLOCK, bytes), Math.max(BLOCK, bytes));
    block = current;
    blocks++;
    return current;
  }

  @Override
  public void bytes(byte[] source, int offset, int length) {
    int from = offset;
    int left = length;
    while (left > 0) {
      var current = room(1);
      int some = Math.min(left, current.writableBytes());
      current.writeBytes(source, from, some);
      from += some;
      left -= some;
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes && bytes.readableBytes() <= BLOCK) {
      try {
        room(bytes.readableBytes()).writeBytes(bytes);
      } finally {
        bytes.release();
      }
      promise.trySuccess();
    } else {
      handOver();
      dirty = true;
      ctx.write(message, promise);
    }
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    handOver();
    if (dirty) {
      dirty = false;
      flushes++;
      ctx.flush();
    }
  }

  /** A position in everything that was ever sent; it stays the same while nothing is added. */
  public long position() {
    return block == null ? -1 : (blocks << 32) | block.writerIndex();
  }

  /** The current block, if it has room for that many more bytes. */
  public @Nullable ByteBuf roomInBlock(int bytes) {
    return block != null && block.writableBytes() >= bytes ? block : null;
  }

  /** How often a flush has sent bytes. */
  public long flushes() {
    return flushes;
  }

  /** Sends the gathered bytes, for callers that have no handler context. */
  public void flushNow() {
    if (context != null) {
      flush(context);
    }
  }

  /** Closes the connection when the socket has accepted all bytes, however long that takes. */
  public void closeWhenSent() {
    if (context != null) {
      var ctx = context;
      handOver();
      dirty = false;
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    flush(ctx);
    ctx.close(promise);
  }

  private void handOver() {
    var full = block;
    if (full != null) {
      block = null;
      if (full.isReadable()) {
        dirty = true;
        var ctx = context();
        ctx.write(full, ctx.voidPromise());
      } else {
        full.release();
      }
    }
  }

  private ChannelHandlerContext context() {
    if (context == null) {
      throw new IllegalStateException("the connection is closed");
    }
    return context;
  }
}
