package dev.muster.http.http2;

import dev.muster.http.ServerResponse;
import dev.muster.http.SharedBytes;
import dev.muster.http.connection.DateHeader;
import dev.muster.http.connection.OutboundBuffer;
import dev.muster.wire.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2FrameSizePolicy;

/** Writes the HEADERS and DATA frames of one connection. Only its event loop uses it. */
final class Http2Answers {
  private static final int FRAME_HEADER = 9;
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private static final int USUAL_BLOCK = 512;
  private static final int LARGE_BLOCK = 4 * 1024;

  private final OutboundBuffer out;
  private final Http2FrameSizePolicy frameSize;
  private Bytes block = new Bytes(USUAL_BLOCK);
  private boolean tableAnnounced;
  private int lastStream;
  private int lastStart;
  private int lastLength;
  private long lastEnd = -2;

  Http2Answers(OutboundBuffer out, Http2FrameSizePolicy frameSize) {
    this.out = out;
    this.frameSize = frameSize;
  }

  /** {@code contentLength} -1 for none. */
  void head(int streamId, ServerResponse answer, long contentLength, boolean end) {
    begin(answer.status());
    Hpack.date(block, DateHeader.now());
    if (contentLength >= 0) {
      Hpack.contentLength(block, contentLength);
    }
    for (var header : answer.headers()) {
      Hpack.header(block, header);
    }
    send(streamId, end);
  }

  void informational(int streamId, int status) {
    begin(status);
    send(streamId, false);
  }

  private void begin(int status) {
    block.clear();
    if (!tableAnnounced) {
      block.add(Hpack.NO_DYNAMIC_TABLE);
    }
    Hpack.status(block, status);
  }

  /** Sends the block of headers. */
  private void send(int streamId, boolean end) {
    tableAnnounced = true;
    int length = block.size();
    int max = frameSize.maxFrameSize();
    int at = 0;
    do {
      int some = Math.min(max, length - at);
      int flags = (at + some == length ? END_HEADERS : 0) | (at == 0 && end ? END_STREAM : 0);
      frame(some, at == 0 ? HEADERS : CONTINUATION, flags, streamId);
      out.bytes(block.buffer(), at, some);
      at += some;
    } while (at < length);
    if (length > LARGE_BLOCK) {
      block = new Bytes(USUAL_BLOCK);
    }
  }

  void data(int streamId, SharedBytes sharedBytes, int bytes, boolean end) {
    int max = frameSize.maxFrameSize();
    int left = bytes;
    do {
      int some = Math.min(left, max);
      left -= some;
      frame(some, DATA, end && left == 0 ? END_STREAM : 0, streamId);
      sharedBytes.copyTo(out, some);
    } while (left > 0);
  }

  /** Consecutive pieces of one stream become one frame, up to the size of a block. */
  void data(int streamId, byte[] piece) {
    if (streamId == lastStream && out.position() == lastEnd && extended(piece)) {
      return;
    }
    lastEnd = -2;
    var buffer = out.roomInBlock(FRAME_HEADER + piece.length);
    if (buffer != null && piece.length <= frameSize.maxFrameSize()) {
      lastStream = streamId;
      lastStart = buffer.writerIndex();
      lastLength = piece.length;
      buffer.writerIndex(lastStart + FRAME_HEADER);
      frameHeader(buffer, lastStart, piece.length, DATA, 0, streamId);
      buffer.writeBytes(piece);
      lastEnd = out.position();
      return;
    }
    int max = frameSize.maxFrameSize();
    int at = 0;
    do {
      int some = Math.min(piece.length - at, max);
      frame(some, DATA, 0, streamId);
      out.bytes(piece, at, some);
      at += some;
    } while (at < piece.length);
  }

  private boolean extended(byte[] piece) {
    int length = lastLength + piece.length;
    var buffer = out.roomInBlock(piece.length);
    if (buffer == null || length > frameSize.maxFrameSize()) {
      return false;
    }
    buffer.setMedium(lastStart, length);
    buffer.writeBytes(piece);
    lastLength = length;
    lastEnd = out.position();
    return true;
  }

  private void frame(int length, int type, int flags, int streamId) {
    var buffer = out.room(FRAME_HEADER);
    int start = buffer.writerIndex();
    buffer.writerIndex(start + FRAME_HEADER);
    frameHeader(buffer, start, length, type, flags, streamId);
  }

  private static void frameHeader(
      ByteBuf buffer, int at, int length, int type, int flags, int streamId) {
    buffer.setLong(
        at, ((long) length << 40) | ((long) type << 32) | ((long) flags << 24) | (streamId >>> 8));
    buffer.setByte(at + 8, streamId);
  }
}
