package dev.muster.audit;

import dev.muster.model.User;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events as {@code audit.k8s.io/v1} JSON with kube-apiserver's field order. Not
 * thread-safe.
 */
public final class EventJson {
  private static final byte[] HEAD =
      ascii("{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",");

  private final Bytes out;
  private final JsonWriter json;
  private final MicroTime time = new MicroTime();

  public EventJson(Bytes out) {
    this.out = out;
    this.json = new JsonWriter(out);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a complete document with {@code kind} and {@code apiVersion}. */
  public void document(AuditEvent event) {
    out.add(HEAD);
    fields(event);
  }

  /** Writes an item of an {@code EventList}. */
  public void item(AuditEvent event) {
    out.add('{');
    fields(event);
  }

  private void fields(AuditEvent event) {
    var request = event.request();
    out.addAscii("\"level\":\"");
    out.addAscii(event.level().text());
    out.addAscii("\",\"auditID\":");
    json.write(request.auditId());
    out.addAscii(",\"stage\":\"");
    out.addAscii(event.stage().text());
    out.addAscii("\",\"requestURI\":");
    json.write(request.uri());
    out.addAscii(",\"verb\":");
    json.write(request.verb());
    out.addAscii(",\"user\":");
    var user = request.user();
    if (user == null) {
      out.addAscii("{}");
    } else {
      user(user);
    }
    var impersonated = event.impersonated();
    if (impersonated != null) {
      out.addAscii(",\"impersonatedUser\":");
      user(impersonated);
      if (!event.constraint().isEmpty()) {
        out.addAscii(",\"authenticationMetadata\":{\"impersonationConstraint\":");
        json.write(event.constraint());
        out.add('}');
      }
    }
    if (!request.sourceIps().isEmpty()) {
      out.addAscii(",\"sourceIPs\":");
      texts(request.sourceIps());
    }
    if (!request.userAgent().isEmpty()) {
      out.addAscii(",\"userAgent\":");
      json.write(request.userAgent());
    }
    var object = event.object();
    if (object != null) {
      out.addAscii(",\"objectRef\":");
      reference(object);
    }
    var status = event.status();
    if (status != null) {
      status(status);
    }
    object(",\"requestObject\":", event.requestObject());
    object(",\"responseObject\":", event.responseObject());
    out.addAscii(",\"requestReceivedTimestamp\":\"");
    time.write(request.received(), out);
    out.addAscii("\",\"stageTimestamp\":\"");
    time.write(event.stageTime(), out);
    out.add('"');
    if (!event.annotations().isEmpty()) {
      out.addAscii(",\"annotations\":");
      char before = '{';
      for (var annotation : event.annotations().entrySet()) {
        out.add(before);
        json.write(annotation.getKey());
        out.add(':');
        json.write(annotation.getValue());
        before = ',';
      }
      out.add('}');
    }
    out.add('}');
  }

  private void user(User user) {
    int start = out.size();
    text("\"username\":", user.name(), start);
    text("\"uid\":", user.uid(), start);
    if (!user.groups().isEmpty()) {
      separate(start);
      out.addAscii("\"groups\":");
      texts(user.groups());
    }
    if (!user.extra().isEmpty()) {
      separate(start);
      out.addAscii("\"extra\":");
      extra(user.extra());
    }
    close(start);
  }

  private void extra(Map<String, List<String>> extra) {
    char before = '{';
    for (var entry : new TreeMap<>(extra).entrySet()) {
      out.add(before);
      json.write(entry.getKey());
      out.add(':');
      texts(entry.getValue());
      before = ',';
    }
    out.add('}');
  }

  private void reference(AuditedReference object) {
    int start = out.size();
    text("\"resource\":", object.resource(), start);
    text("\"namespace\":", object.namespace(), start);
    text("\"name\":", object.name(), start);
    text("\"uid\":", object.uid(), start);
    text("\"apiGroup\":", object.group(), start);
    text("\"apiVersion\":", object.version(), start);
    text("\"resourceVersion\":", object.resourceVersion(), start);
    text("\"subresource\":", object.subresource(), start);
    close(start);
  }

  private void status(AuditStatus status) {
    out.addAscii(",\"responseStatus\":{\"metadata\":{}");
    var fields = status.fields();
    for (int i = 0; i < fields.size(); i++) {
      out.add(',');
      json.write(fields.key(i));
      out.add(':');
      json.write(fields.value(i));
    }
    if (status.code() != 0) {
      out.addAscii(",\"code\":");
      out.addDecimal(status.code());
    }
    out.add('}');
  }

  private void object(String key, @Nullable AuditedObject object) {
    if (object != null) {
      out.addAscii(key);
      out.add(object.json().get());
    }
  }

  private void texts(List<String> texts) {
    out.add('[');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        out.add(',');
      }
      json.write(texts.get(i));
    }
    out.add(']');
  }

  /**
   * Writes a field unless its value is empty. {@code start} is where the enclosing object begins.
   */
  private void text(String key, String value, int start) {
    if (!value.isEmpty()) {
      separate(start);
      out.addAscii(key);
      json.write(value);
    }
  }

  private void separate(int start) {
    out.add(out.size() == start ? '{' : ',');
  }

  private void close(int start) {
    if (out.size() == start) {
      out.add('{');
    }
    out.add('}');
  }
}
