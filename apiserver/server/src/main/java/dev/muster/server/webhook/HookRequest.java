package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookCall;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;

/** Creates the HTTP request of a webhook review. */
final class HookRequest {
  private HookRequest() {}

  static FullHttpRequest of(WebhookCall call) {
    var address = call.client().address();
    var request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.POST,
            address.path() + "?" + call.query(),
            Unpooled.wrappedBuffer(call.body()));
    request
        .headers()
        .set(HttpHeaderNames.HOST, address.authority())
        .set(HttpHeaderNames.USER_AGENT, "muster")
        .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
        .set(HttpHeaderNames.ACCEPT, "application/json, */*")
        .set(HttpHeaderNames.CONTENT_LENGTH, call.body().length);
    var authorization = call.client().credentials().authorization();
    if (!authorization.isEmpty()) {
      request.headers().set(HttpHeaderNames.AUTHORIZATION, authorization);
    }
    return request;
  }
}
