package dev.muster.server;

import dev.muster.schema.openapi.OpenApi;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpAnswer.Header;
import java.util.ArrayList;
import java.util.List;

/**
 * The OpenAPI documents. They are made when first asked for, which is not the event loop's work.
 */
final class OpenApiRoutes {
  private static final String V3 = "/openapi/v3/";
  private static final String FOR_EVER = "public, immutable";

  private final OpenApi documents;
  private final java.util.concurrent.Executor threads;

  OpenApiRoutes(OpenApi documents, java.util.concurrent.Executor threads) {
    this.documents = documents;
    this.threads = threads;
  }

  void v2(Request request) {
    later(
        request,
        () -> {
          if (request.header("accept").contains("proto-openapi")) {
            send(request, OpenApi.V2_PROTOBUF, documents.v2Protobuf(), false);
          } else {
            send(request, "application/json", documents.v2(), false);
          }
        });
  }

  void index(Request request) {
    later(request, () -> send(request, "application/json", documents.index(), false));
  }

  void v3(Request request) {
    later(
        request,
        () -> {
          var path = request.info().path().substring(V3.length());
          var document =
              documents.v3(path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
          if (document == null) {
            throw Route.notFound();
          }
          var hash = request.query().first("hash");
          if (!hash.isEmpty() && !hash.equals(document.hash())) {
            redirect(request, path, document.hash());
          } else {
            send(request, "application/json", document, !hash.isEmpty());
          }
        });
  }

  private static void redirect(Request request, String path, String hash) {
    var headers = new ArrayList<>(request.headers("text/plain; charset=utf-8"));
    headers.add(new Header("location", V3 + path + "?hash=" + hash));
    request.answer(new HttpAnswer(301, headers, List.of(), false));
  }

  private static void send(
      Request request, String contentType, OpenApi.Rendered document, boolean named) {
    var headers = new ArrayList<>(request.headers(contentType));
    headers.removeIf(header -> header.name().equals("cache-control"));
    headers.add(new Header("cache-control", named ? FOR_EVER : "no-cache, private"));
    headers.add(new Header("etag", "\"" + document.hash() + "\""));
    headers.add(new Header("vary", "Accept"));
    boolean known = ("\"" + document.hash() + "\"").equals(request.header("if-none-match"));
    if (known) {
      headers.removeIf(header -> header.name().equals("content-type"));
    }
    request.answer(
        new HttpAnswer(
            known ? 304 : 200, headers, known ? List.of() : List.of(document.bytes()), true));
  }

  private void later(Request request, Runnable work) {
    threads.execute(
        () -> {
          try {
            work.run();
          } catch (RuntimeException e) {
            request.fail(e);
          }
        });
  }
}
