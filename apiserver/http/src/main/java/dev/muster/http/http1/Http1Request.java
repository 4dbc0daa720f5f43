package dev.muster.http.http1;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The head of an HTTP/1.1 request, and the meaning of its line and headers. */
final class Http1Request {
  private static final String CONTINUE = "100-continue";

  private final HttpRequest head;
  private final String target;
  private final int question;

  Http1Request(HttpRequest head) {
    this.head = head;
    this.target = originForm(head.uri());
    this.question = target.indexOf('?');
  }

  /** A head for a request that could not be parsed. */
  static Http1Request unreadable() {
    return new Http1Request(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
  }

  /** RFC 9112, 3.2.2: a server must accept an absolute URL in place of a path. */
  private static String originForm(String uri) {
    if (uri.startsWith("/")) {
      return uri;
    }
    int scheme = uri.indexOf("://");
    if (scheme < 0) {
      return uri;
    }
    int path = uri.indexOf('/', scheme + 3);
    return path < 0 ? "/" : uri.substring(path);
  }

  HttpMethod method() {
    return head.method();
  }

  String path() {
    return question < 0 ? target : target.substring(0, question);
  }

  /** The query after the question mark, or "". */
  String query() {
    return question < 0 ? "" : target.substring(question + 1);
  }

  HttpHeaders headers() {
    return head.headers();
  }

  /** All headers, with names in lower case. */
  List<Map.Entry<String, String>> allHeaders() {
    var all = new ArrayList<Map.Entry<String, String>>();
    for (var header : head.headers()) {
      all.add(Map.entry(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    }
    return all;
  }

  boolean hasHeaderPrefix(String prefix) {
    for (var header : head.headers()) {
      if (header.getKey().regionMatches(true, 0, prefix, 0, prefix.length())) {
        return true;
      }
    }
    return false;
  }

  boolean isHttp11() {
    return head.protocolVersion().minorVersion() > 0;
  }

  /** RFC 9110, 2.5: a version with a known major number is handled like the known minor version. */
  boolean hasUnknownVersion() {
    return isHttp() && head.protocolVersion().majorVersion() != 1;
  }

  boolean isWellFormed() {
    return isHttp() && (!isHttp11() || head.headers().getAll(HttpHeaderNames.HOST).size() == 1);
  }

  private boolean isHttp() {
    return head.protocolVersion().protocolName().equals("HTTP");
  }

  /** Whether the client intends to send further requests on the connection. */
  boolean keepsAlive() {
    return HttpUtil.isKeepAlive(head);
  }

  /** Whether a body follows the head. */
  boolean announcesBody() {
    return announced() > 0 || HttpUtil.isTransferEncodingChunked(head);
  }

  /** The content-length, or -1. */
  long announced() {
    return HttpUtil.getContentLength(head, -1L);
  }

  /** Whether the client may wait for {@code 100 Continue} before it sends the body. */
  boolean waitsToBeInvited() {
    return CONTINUE.equalsIgnoreCase(head.headers().get(HttpHeaderNames.EXPECT));
  }

  boolean hasOtherExpectation() {
    return head.headers().contains(HttpHeaderNames.EXPECT) && !waitsToBeInvited();
  }
}
