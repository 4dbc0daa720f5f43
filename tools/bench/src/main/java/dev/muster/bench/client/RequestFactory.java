package dev.muster.bench.client;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes requests for one server with one identity. */
public final class RequestFactory {
  private static final AsciiString JSON = AsciiString.cached("application/json");

  private static final AsciiString PROTOBUF =
      AsciiString.cached("application/vnd.kubernetes.protobuf");

  private final AsciiString authority;
  private final @Nullable AsciiString authorization;
  private final List<String> impersonation;

  public RequestFactory(BenchTarget target) {
    this(target, List.of());
  }

  /**
   * @param impersonation the user and the group in whose name requests are made; empty for one's
   *     own
   */
  public RequestFactory(BenchTarget target, List<String> impersonation) {
    this.authority = AsciiString.of(target.server().getRawAuthority());
    this.authorization = target.token() == null ? null : AsciiString.of("Bearer " + target.token());
    this.impersonation = impersonation;
  }

  public PreparedRequest get(String path) {
    return of("GET", path, JSON, null, null);
  }

  /** A GET of what the client wants in protobuf. */
  public PreparedRequest getProtobuf(String path) {
    return of("GET", path, PROTOBUF, null, null);
  }

  public PreparedRequest delete(String path) {
    return of("DELETE", path, JSON, null, null);
  }

  public PreparedRequest post(String path, String json) {
    return of("POST", path, JSON, "application/json", json);
  }

  public PreparedRequest put(String path, String json) {
    return of("PUT", path, JSON, "application/json", json);
  }

  public PreparedRequest patch(String path, String contentType, String body) {
    return of("PATCH", path, JSON, contentType, body);
  }

  private PreparedRequest of(
      String method,
      String path,
      AsciiString accept,
      @Nullable String contentType,
      @Nullable String body) {
    var headers = new DefaultHttp2Headers(false, 8);
    headers.method(AsciiString.cached(method));
    headers.scheme(AsciiString.cached("https"));
    headers.authority(authority);
    headers.path(AsciiString.of(path));
    headers.add(AsciiString.cached("accept"), accept);
    headers.add(AsciiString.cached("user-agent"), AsciiString.cached("muster-bench"));
    if (authorization != null) {
      headers.add(AsciiString.cached("authorization"), authorization);
    }
    if (!impersonation.isEmpty()) {
      headers.add(AsciiString.cached("impersonate-user"), AsciiString.of(impersonation.get(0)));
      headers.add(AsciiString.cached("impersonate-group"), AsciiString.of(impersonation.get(1)));
    }
    if (contentType != null) {
      headers.add(AsciiString.cached("content-type"), AsciiString.of(contentType));
    }
    return new PreparedRequest(
        headers, body == null ? null : body.getBytes(StandardCharsets.UTF_8));
  }
}
