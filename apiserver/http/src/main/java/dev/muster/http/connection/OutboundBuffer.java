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
 * Owned by one event loop: gathers everything that one connection sends into blocks, so that many
 * small frames make few TLS records, and bytes are copied once on their way to them. A promise of a
 * gathered write succeeds when it is gathered, not when it is sent.
 */
public final class OutboundBuffer extends ChannelOutboundHandlerAdapter
    implements SharedBytes.Sink {
  /** The plaintext of a TLS record at most. */
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

  /** A place for that many bytes in a row, which the caller must write at once. */
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

  /** A place within everything that was ever sent; the same again while nothing was added. */
  public long position() {
    return block == null ? -1 : (blocks << 32) | block.writerIndex();
  }

  /** The block under way, if it has room for that many more bytes. */
  public @Nullable ByteBuf roomInBlock(int bytes) {
    return block != null && block.writableBytes() >= bytes ? block : null;
  }

  /** How often something was really sent. */
  public long flushes() {
    return flushes;
  }

  /** Sends what was gathered, for those above who have no context at hand. */
  public void flushNow() {
    if (context != null) {
      flush(context);
    }
  }

  /** Closes the connection when the socket has taken everything, however long that takes. */
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
