package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditLevel;
import dev.muster.audit.EventJson;
import dev.muster.audit.EventText;
import dev.muster.server.options.audit.AuditTruncation;
import dev.muster.wire.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Encodes audit events one after the other, and truncates or drops those that are too large. One
 * thread uses it.
 */
final class EventEncoder {
  /** The format of an event. */
  enum Form {
    LINE,
    LEGACY_LINE,
    ITEM
  }

  private static final int KEPT = 1 << 20;

  private final Form form;
  private final AuditTruncation truncation;
  private final AuditMetrics metrics;
  private Bytes out = new Bytes(64 * 1024);
  private EventJson json = new EventJson(out);

  EventEncoder(Form form, AuditTruncation truncation, AuditMetrics metrics) {
    this.form = form;
    this.truncation = truncation;
    this.metrics = metrics;
  }

  /** Starts a new output, and releases a large buffer. */
  Bytes begin() {
    if (out.buffer().length > KEPT) {
      out = new Bytes(64 * 1024);
      json = new EventJson(out);
    }
    out.clear();
    return out;
  }

  /** Returns whether the event was added. A dropped event has been counted. */
  boolean add(AuditEvent event) {
    int before = out.size();
    try {
      write(event);
      if (truncation.enabled()
          && out.size() - before > truncation.maxEventSize()
          && event.level().isAtLeast(AuditLevel.REQUEST)) {
        out.size(before);
        write(event.truncated());
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      out.size(before);
      metrics.error(form == Form.ITEM ? "webhook" : "log", 1, String.valueOf(e));
      return false;
    }
    if (truncation.enabled() && out.size() - before > truncation.maxEventSize()) {
      out.size(before);
      metrics.error("truncate", 1, "event is too large even after truncating");
      return false;
    }
    return true;
  }

  private void write(AuditEvent event) {
    switch (form) {
      case ITEM -> json.item(event);
      case LINE -> {
        json.document(event);
        out.add('\n');
      }
      case LEGACY_LINE -> {
        out.add(EventText.of(event).getBytes(StandardCharsets.UTF_8));
        out.add('\n');
      }
    }
  }
}
